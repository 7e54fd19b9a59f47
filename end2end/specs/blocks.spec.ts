// What only a browser shows of memory blocks in a user's record: the tree, the dialogs, the comparison, and narrow windows.
import { expect, server, open, test } from '../fixtures';
import type { Page } from '@playwright/test';

// A record that is not opened yet answers 403, a block that is gone 404, and a version that is not the newest 409.
test.use({ expectedStatuses: [403, 404, 409] });

const auth = () => ({ authorization: `Bearer ${server().key}` });

/** Runs a command of the memory tool. */
async function tool(page: Page, user_id: string, command: Record<string, string>): Promise<void> {
  const answer = await page.request.post(`${server().url}/v1/memory-tool`, { headers: auth(), data: { user_id, ...command } });
  expect(await answer.json()).toMatchObject({ is_error: false });
}

/** A new user with a block that was changed once, in a folder, and the record opened. */
async function somebody(page: Page, text: string): Promise<string> {
  const id = `usr_${Math.random().toString(36).slice(2, 12)}`;
  await tool(page, id, { command: 'create', path: '/memories/projects/plan.md', file_text: `# Plan\n${text}\n` });
  await tool(page, id, { command: 'str_replace', path: '/memories/projects/plan.md', old_str: '# Plan', new_str: '# New plan' });
  const opened = await page.request.post(`${server().url}/calls/users/open`, { form: { user: id, reason: 'SUP-4471' } });
  expect(opened.ok()).toBe(true);
  return id;
}

function question(page: Page, title: string) {
  return page.getByTestId('dialog').filter({ hasText: title });
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test(`a block is found, shown with what changed, and its earlier text brought back, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const text = `keeps a herbarium ${how}`;
    const id = await somebody(page, text);
    await open(page, `/manage/users/${id}`, { script });
    await page.getByRole('link', { name: /^Blocks/ }).click();
    await expect(page).toHaveURL(`/manage/users/${id}/blocks`);
    await expect(page.getByTestId('block-folder')).toHaveCount(1);
    await expect(page.getByTestId('blocks-refused')).toContainText('None in the last 30 days.');
    await page.getByTestId('open-block').click();
    await expect(page).toHaveURL(new RegExp(`/manage/users/${id}/blocks/mem_`));
    await expect(page.getByText('herbarium')).toHaveCount(0);
    await expect(page.getByTestId('block-diff')).toContainText('1 line added, 1 line removed');
    await page.getByTestId('reveal').click();
    await expect(question(page, 'Show the text of this block?')).toContainText('with ticket SUP-4471');
    await question(page, 'Show the text of this block?').getByTestId('dialog-confirm').click();
    await expect(page.getByTestId('block-text')).toContainText(text);
    await expect(page.getByTestId('block-diff').locator('del')).toContainText('# Plan');
    await expect(page.getByTestId('block-diff').locator('ins')).toContainText('# New plan');
    expect(page.url()).not.toContain('herbarium');
    await page.getByTestId('restore-version').click();
    await expect(page.getByTestId('block-done')).toContainText('Restored to version 1');
    await expect(page.getByTestId('block-version')).toHaveCount(3);
    await page.getByTestId('redact-version').first().click();
    await question(page, 'Redact this version?').getByTestId('dialog-confirm').click();
    await expect(page.getByTestId('block-done')).toContainText('Redacted.');
    await expect(page.getByText('herbarium')).toHaveCount(0);
    await page.getByRole('link', { name: /^Access log/ }).click();
    for (const action of ['Showed memory text', 'Restored an earlier version of a user’s block', 'Redacted a version of a user’s block']) {
      await expect(page.getByTestId('audit-row').filter({ hasText: action })).toHaveCount(1);
    }
  });

  test(`a block goes to the bin, comes back, and is deleted for good, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, `plays the oboe ${how}`);
    await open(page, `/manage/users/${id}/blocks`, { script });
    await page.getByTestId('open-block').click();
    await page.getByTestId('bin-block').click();
    await expect(page.getByTestId('block-done')).toContainText('Moved to the bin.');
    await expect(page.getByTestId('block-binned')).toBeVisible();
    await page.getByRole('link', { name: 'All blocks' }).click();
    await expect(page.getByTestId('block-row')).toHaveCount(0);
    await page.getByTestId('binned-row').getByTestId('restore-block').click();
    await expect(page.getByTestId('block-done')).toContainText('Restored from the bin.');
    await expect(page.getByTestId('binned-row')).toHaveCount(0);
    await page.getByTestId('open-block').click();
    await page.getByTestId('delete-block').click();
    await expect(question(page, 'Delete this block for good?')).toContainText('can’t be undone');
    await question(page, 'Delete this block for good?').getByTestId('dialog-cancel').click();
    await page.getByTestId('delete-block').click();
    await question(page, 'Delete this block for good?').getByTestId('dialog-confirm').click();
    await expect(page.getByTestId('block-done')).toContainText('Deleted for good');
    await expect(page.getByTestId('block-row')).toHaveCount(0);
  });

  test(`of two who change a block the second is told, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, `sings in a choir ${how}`);
    await open(page, `/manage/users/${id}/blocks`, { script });
    await page.getByTestId('open-block').click();
    await tool(page, id, { command: 'str_replace', path: '/memories/projects/plan.md', old_str: 'a choir', new_str: 'two choirs' });
    await page.getByTestId('restore-version').last().click();
    await expect(page.getByTestId('conflict')).toContainText('This changed since you looked');
    await expect(page.getByTestId('block-version')).toHaveCount(3);
  });
}

test('the tree and a block fit a phone and are worked by keyboard', async ({ as }) => {
  const page = await as(server().editor);
  const id = await somebody(page, 'x'.repeat(300));
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  await open(page, `/manage/users/${id}/blocks`);
  expect(await wide()).toBe(false);
  const folder = page.getByTestId('block-folder').locator('summary');
  await folder.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('open-block')).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('open-block')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('block')).toBeVisible();
  await page.getByTestId('reveal').click();
  await question(page, 'Show the text of this block?').getByTestId('dialog-confirm').click();
  await expect(page.getByTestId('block-text')).toContainText('xxx');
  expect(await wide()).toBe(false);
});

test('a user without blocks has an empty page', async ({ as }) => {
  const page = await as(server().editor);
  const id = `usr_${Math.random().toString(36).slice(2, 12)}`;
  const saved = await page.request.post(`${server().url}/v1/memories`, { headers: auth(), data: { user_id: id, surface: 'web', content: 'likes tea' } });
  expect(saved.ok()).toBe(true);
  await page.request.post(`${server().url}/calls/users/open`, { form: { user: id, reason: 'SUP-4471' } });
  await open(page, `/manage/users/${id}/blocks`);
  await expect(page.getByTestId('empty')).toContainText('No memory blocks are held for this user.');
});
