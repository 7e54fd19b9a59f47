// What only a browser shows of a user's record: the confirmation, the text shown once, and no horizontal scrolling.
import { expect, server, open, signIn, test } from '../fixtures';
import type { Locator, Page } from '@playwright/test';

// A record that is not opened yet answers 403 and asks for a reason.
test.use({ expectedStatuses: [403, 404, 409, 422] });

/** Saves a memory for a new user, and returns the id. */
async function somebody(page: Page, content: string): Promise<string> {
  const user_id = `usr_${Math.random().toString(36).slice(2, 12)}`;
  const answer = await page.request.post(`${server().url}/v1/memories`, {
    headers: { authorization: `Bearer ${server().key}` },
    data: { user_id, surface: 'web', kind: 'fact', content },
  });
  expect(answer.ok()).toBe(true);
  return user_id;
}

/** Saves a note and a preference of this user. */
async function tells(page: Page, user_id: string, note: string, preference: string): Promise<void> {
  for (const [path, data] of [
    ['notes', { user_id, surface: 'telegram', content: note }],
    ['preferences', { user_id, content: preference }],
  ] as const) {
    const answer = await page.request.post(`${server().url}/v1/${path}`, { headers: { authorization: `Bearer ${server().key}` }, data });
    expect(answer.status()).toBe(201);
  }
}

/** The confirmation: a dialog with script, a part of the page without. */
function question(page: Page): Locator {
  return page.getByTestId('dialog').filter({ hasText: 'Show memory text?' });
}

/** Finds the user by the whole id, which opens the record at once. */
async function openRecord(page: Page, id: string, script = true): Promise<void> {
  await open(page, '/manage/users', { script });
  await page.getByLabel('User id').fill(id);
  await page.getByTestId('find-reason').fill('SUP-4471');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page).toHaveURL(`/manage/users/${id}`);
  await expect(page.getByText('Opening this record was logged')).toBeVisible();
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test(`a record is opened with a reason, and text is shown until one leaves, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const text = `keeps a herbarium ${how}`;
    const id = await somebody(page, text);
    await openRecord(page, id, script);
    await expect(page.getByTestId('memory-row')).toHaveCount(1);
    await expect(page.getByText(text)).toHaveCount(0);
    await page.getByTestId('reveal').click();
    await expect(question(page)).toContainText('with ticket SUP-4471');
    await question(page).getByTestId('dialog-confirm').click();
    await expect(page.getByText(text)).toBeVisible();
    expect(page.url()).not.toContain('herbarium');
    await page.getByRole('link', { name: /^Access log/ }).click();
    await expect(page.getByTestId('audit-row').filter({ hasText: 'Showed memory text' })).toHaveCount(1);
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect(page.getByTestId('memory-row')).toHaveCount(1);
    await expect(page.getByText(text)).toHaveCount(0);
  });

  test(`a memory is shown, edited, and its change taken back, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, `plays the oboe ${how}`);
    await openRecord(page, id, script);
    await page.getByTestId('open-memory').click();
    await expect(page).toHaveURL(new RegExp(`/manage/users/${id}/memories/mem_`));
    await expect(page.getByTestId('memory-version')).toHaveCount(1);
    await expect(page.getByTestId('undo-memory')).toHaveCount(0);
    await expect(page.getByText('oboe')).toHaveCount(0);
    await page.getByTestId('reveal').click();
    await question(page).getByTestId('dialog-confirm').click();
    await expect(page.getByTestId('memory-text')).toContainText('plays the oboe');
    // A wrong end is told at its field, and what was typed stays.
    await page.getByLabel('Text', { exact: true }).fill(`plays the bassoon ${how}`);
    await page.getByLabel('Tags').fill('music\nweekend');
    await page.getByLabel('Ends').fill('next year');
    await page.getByTestId('save-memory').click();
    await expect(page.getByTestId('error-summary')).toContainText('Expires at must be a time');
    await expect(page.getByLabel('Ends')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Text', { exact: true })).toHaveValue(`plays the bassoon ${how}`);
    await page.getByLabel('Ends').fill('2099-12-24T18:00:00Z');
    await page.getByTestId('save-memory').click();
    await expect(page.getByTestId('memory-done')).toContainText('Saved.');
    await expect(page.getByText('bassoon')).toHaveCount(0);
    await expect(page.getByTestId('memory-tags')).toHaveText('2 tags, hidden');
    await expect(page.getByTestId('memory-ends')).toContainText('24 Dec 2099');
    await expect(page.getByTestId('memory-version')).toHaveCount(2);
    await page.getByTestId('undo-memory').click();
    await expect(page.getByTestId('memory-done')).toContainText('Undone.');
    await expect(page.getByTestId('memory-version')).toHaveCount(1);
    expect(page.url()).not.toContain('oboe');
    await page.getByRole('link', { name: /^Access log/ }).click();
    await expect(page.getByTestId('audit-row').filter({ hasText: 'Edited a user’s memory' })).toHaveCount(1);
    await expect(page.getByTestId('audit-row').filter({ hasText: 'Undid a change to a user’s memory' })).toHaveCount(1);
  });

  test(`of two who edit a memory the second is told, and loses nothing, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, `sings in a choir ${how}`);
    await openRecord(page, id, script);
    await page.getByTestId('open-memory').click();
    await page.getByTestId('reveal').click();
    await question(page).getByTestId('dialog-confirm').click();
    const memory = new URL(page.url()).pathname.split('/').pop();
    const other = await page.request.patch(`${server().url}/v1/memories/${memory}?user_id=${id}`, {
      headers: { authorization: `Bearer ${server().key}`, 'if-match': '"1"' },
      data: { importance: 5 },
    });
    expect(other.ok()).toBe(true);
    await page.getByLabel('Text', { exact: true }).fill(`sings in two choirs ${how}`);
    await page.getByTestId('save-memory').click();
    await expect(page.getByTestId('conflict')).toContainText('This changed since you looked');
    await expect(page.getByLabel('Text', { exact: true })).toHaveValue(`sings in two choirs ${how}`);
    await page.getByTestId('save-memory').click();
    await expect(page.getByTestId('memory-done')).toContainText('Saved.');
  });

  test(`what was told in chats is shown and deleted one by one, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, 'likes tea');
    await tells(page, id, `summarises long output ${how}`, 'answers briefly');
    await openRecord(page, id, script);
    await page.getByRole('link', { name: /^Chat/ }).click();
    await expect(page).toHaveURL(`/manage/users/${id}/chat`);
    await expect(page.getByTestId('note-row')).toHaveCount(1);
    await expect(page.getByText('summarises long output')).toHaveCount(0);
    await page.getByTestId('reveal').click();
    await page.getByTestId('dialog').filter({ hasText: 'Show chat text?' }).getByTestId('dialog-confirm').click();
    await expect(page.getByText(`summarises long output ${how}`)).toBeVisible();
    await page.getByTestId('note-row').getByTestId('delete-told').click();
    await page.getByTestId('dialog').filter({ hasText: 'Delete this note?' }).getByTestId('dialog-confirm').click();
    await expect(page.getByTestId('last-action')).toContainText('Deleted.');
    await expect(page).toHaveURL(`/manage/users/${id}/chat`);
    await expect(page.getByTestId('note-row')).toHaveCount(0);
    await expect(page.getByTestId('preference-row')).toHaveCount(1);
  });

  test(`a reason that names the user is refused at the field, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, 'likes tea');
    await open(page, `/manage/users/${id}`, { script });
    await page.getByTestId('open-reason').fill(`about ${id}`);
    await page.getByTestId('open-record').click();
    await expect(page.getByTestId('error-summary')).toContainText('Reason must not hold the user id or an email address.');
    await expect(page.getByTestId('open-reason')).toHaveValue(`about ${id}`);
    await expect(page.getByTestId('open-reason')).toHaveAttribute('aria-invalid', 'true');
  });

  test(`an operator is added, given rights and shut out, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const name = `Nadia ${how}`;
    await open(page, '/manage/operators', { script });
    await page.getByLabel('Email').fill(`nadia-${script}@example.org`);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Add operator' }).click();
    await expect(page.getByTestId('password')).toHaveText(/^\w{5}(-\w{5}){3}$/);
    const row = page.getByTestId('operator-row').filter({ hasText: name });
    await row.getByRole('link', { name: `Change rights: ${name}` }).click();
    await page.getByTestId('dialog').or(page.getByRole('dialog')).getByRole('radio', { name: /^Reviewer/ }).first().check();
    await page.getByRole('button', { name: 'Change rights' }).click();
    await expect(row).toContainText('Reviewer');
    await row.getByRole('link', { name: `Disable: ${name}` }).click();
    await page.getByRole('button', { name: 'Disable operator' }).click();
    await expect(row).toContainText('Disabled');
    await expect(page.getByTestId('last-action')).toContainText('Operator disabled.');
  });
}

test('the question about text is a dialog that Escape closes', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'plays chess by post');
  await openRecord(page, id);
  await page.getByTestId('reveal').click();
  await expect(page.getByRole('dialog', { name: 'Show memory text?' })).toBeVisible();
  await expect(page.getByTestId('dialog-cancel')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(page).toHaveURL(`/manage/users/${id}`);
});

test('a beginning finds several, and each is opened with its own reason', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'collects stamps');
  await open(page, '/manage/users');
  await page.getByLabel('User id').fill(id.slice(0, 8));
  await page.getByTestId('find-reason').fill('SUP-4471');
  await page.getByRole('button', { name: 'Find' }).click();
  expect(page.url()).not.toContain('usr_');
  await page.getByRole('link', { name: `Open ${id}` }).click();
  await page.getByTestId('open-reason').fill('SUP-4471');
  await page.getByTestId('open-record').click();
  await expect(page.getByText('Opening this record was logged')).toBeVisible();
});

test('a viewer gives a reason too, and finds nobody who came today', async ({ page, context }) => {
  await signIn(context, server().viewer);
  const id = await somebody(page, 'collects stamps');
  await open(page, '/manage/users');
  await page.getByLabel('User id').fill(id);
  await page.getByTestId('find-reason').fill('SUP-4471');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByTestId('empty')).toContainText('A user who was first seen today is found from tomorrow on.');
  await open(page, `/manage/users/${id}`);
  await expect(page.getByTestId('open-reason')).toBeVisible();
  await expect(page.getByText('collects stamps')).toHaveCount(0);
});

test('no screen scrolls sideways', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'has a very long statement '.repeat(15).trim());
  await tells(page, id, 'a very long note '.repeat(25).trim(), 'a very long preference '.repeat(20).trim());
  await openRecord(page, id);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/manage/users', `/manage/users/${id}`, `/manage/users/${id}/memories`, `/manage/users/${id}/chat`, `/manage/users/${id}/access`, '/audit', '/manage/operators', '/account']) {
      await open(page, path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${path} at ${width}`).toBeLessThanOrEqual(0);
      expect(await page.locator('[style]').count(), path).toBe(0);
    }
  }
});
