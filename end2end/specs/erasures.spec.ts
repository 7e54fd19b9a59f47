// Erasing a person in a browser: the preview, the confirmation, and the receipt; with and without script.
import { expect, server, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

// A record that is not opened yet answers 403; a refused form 409 or 422; an erased user has no record.
test.use({ expectedStatuses: [403, 404, 409, 422] });

const bearer = () => ({ authorization: `Bearer ${server().key}` });

async function remember(page: Page, user_id: string, content: string): Promise<void> {
  const answer = await page.request.post(`${server().url}/v1/memories`, { headers: bearer(), data: { user_id, surface: 'web', content } });
  expect(answer.ok()).toBe(true);
}

/** A user with two memories and a fact that nobody else said. */
async function somebody(page: Page, shard: string): Promise<string> {
  const user_id = `usr_${Math.random().toString(36).slice(2, 12)}`;
  await remember(page, user_id, `keeps a herbarium about ${shard}`);
  await remember(page, user_id, 'plays chess by post');
  const answer = await page.request.post(`${server().url}/v1/facts`, {
    headers: bearer(),
    data: { user_id, kind: 'fact', content: `The ${shard} shard of the importer is compacted at noon.` },
  });
  expect((await answer.json()).outcome).toBe('pending');
  return user_id;
}

async function openErase(page: Page, id: string, script: boolean, mode = ''): Promise<void> {
  await open(page, `/manage/users/${id}`, { script });
  await page.getByTestId('open-reason').fill('SUP-4471');
  await page.getByTestId('open-record').click();
  await expect(page.getByText('Opening this record was logged')).toBeVisible();
  await page.getByTestId('start-erasure').click();
  await expect(page.getByRole('heading', { name: 'Check what will be erased' })).toBeVisible();
  if (mode) await page.getByTestId(`mode-${mode}`).click();
}

async function confirm(page: Page, id: string): Promise<void> {
  await page.getByTestId('confirm-id').fill(id);
  await page.getByTestId('erase-submit').click();
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test(`everything of a user is previewed, confirmed, erased and proved, ${how}`, async ({ as }) => {
    test.slow();
    const page = await as(server().editor, { script });
    const id = await somebody(page, script ? 'crimson' : 'amber');
    await openErase(page, id, script);
    await expect(page.locator('[data-testid="erase-count"][data-table="memories"]')).toContainText('2');
    await expect(page.locator('[data-testid="erase-fact"][data-outcome="deleted"]')).toHaveCount(1);
    await expect(page.getByTestId('erase-group')).toHaveText(['1 will be deleted']);
    await expect(page.locator('[data-testid="erase-count"][data-table="facts"]').first()).toContainText('Deleted · 1 pending');
    await expect(page.getByTestId('confirm-ticket')).toHaveValue('SUP-4471');

    await confirm(page, 'usr_somebody_else');
    await expect(page.getByTestId('error-summary')).toBeVisible();
    await expect(page.locator('#confirm-id-error')).toContainText(`The user id does not match. Type ${id}.`);
    await expect(page.getByTestId('confirm-id')).toHaveValue('usr_somebody_else');
    await expect(page).toHaveTitle(/^Error: /);

    await page.getByTestId('confirm-id').fill(id);
    if (script) {
      await expect(page.getByTestId('confirm-match')).toHaveText('Matches');
      await expect(page.locator('#confirm-id-error')).toHaveCount(0);
      await expect(page.getByTestId('error-summary')).toHaveCount(0);
    }
    await page.getByTestId('erase-submit').click();
    await expect(page).toHaveURL(/\/manage\/erasures\/er_/);
    await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
    await expect(page.getByRole('heading', { name: 'Erased and verified' })).toBeVisible();
    await expect(page.getByText('If this user writes again, memory starts from nothing.')).toBeVisible();
    await expect(page.locator('[data-testid="receipt-row"][data-table="memories"]')).toContainText('2');
    expect(await page.locator('[data-testid="verify-check"][data-result="passed"]').count()).toBe(9);
    expect(await page.locator('main').textContent()).not.toContain(id);

    const record = await (await page.request.get(`${page.url()}.json`)).json();
    expect({ status: record.status, alg: record.seal.alg, schema: record.schema }).toEqual({ status: 'verified', alg: 'sha256', schema: 2 });
    await expect(page.getByTestId('only-once')).toContainText('It cannot repeat these checks:');
    await page.getByTestId('verify-again').click();
    await expect(page).toHaveURL(/#verification$/, { timeout: 25_000 });
    await expect(page.getByTestId('verify-skipped')).toHaveCount(3);
    // It waits for readers of the log, like the first one.
    await expect(page.getByText('Verified before:')).toBeVisible({ timeout: 25_000 });
    await open(page, '/manage/erasures', { script });
    await expect(page.getByTestId('erasure-row').first()).toBeVisible();
    await open(page, `/manage/users/${id}`, { script });
    await expect(page.getByText(`No user matches “${id}”.`)).toBeVisible();
  });

  test(`changed data erases nothing and shows what changed, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, script ? 'violet' : 'indigo');
    await openErase(page, id, script);
    await remember(page, id, 'collects harbour maps');
    await confirm(page, id);
    await expect(page.getByTestId('preview-changed')).toBeVisible();
    await expect(page.locator('[data-testid="erase-count"][data-table="memories"]')).toContainText('was 2, now 3');
    await confirm(page, id);
    await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
  });

  test(`the lighter mode leaves the memories, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, script ? 'ochre' : 'teal');
    await openErase(page, id, script, 'contributions');
    await expect(page.locator('[data-testid="erase-count"][data-table="memories"]')).toContainText('Stay');
    await confirm(page, id);
    await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
    await expect(page.getByText('memory starts from nothing')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Contributions erased and verified' })).toBeVisible();
    await expect(page.getByTestId('receipt-stays')).toContainText(/2 personal memories .*stay, as was asked for\./);
    await expect(page.locator('[data-testid="stayed-row"][data-table="memories"]')).toContainText('2');
    await expect(page.getByText('No row in any table holds this user')).toHaveCount(0);
    await open(page, `/manage/users/${id}/erasures`, { script });
    await expect(page.getByTestId('erasure-row')).toHaveCount(1);
    await page.getByRole('link', { name: /^Personal memories/ }).click();
    await expect(page.getByTestId('memory-row')).toHaveCount(2);
  });
}

test('what is held is a file for people and for programs, and the reading of it is recorded', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'umber');
  await openErase(page, id, true);
  const held = await page.request.post(`${server().url}/manage/users/${id}/export`, { form: { format: 'json' } });
  const json = await held.json();
  expect({ user: json.user_id, memories: json.held.memories.length }).toEqual({ user: id, memories: 2 });
  expect(held.headers()['cache-control']).toBe('no-store');
  const paper = await (await page.request.post(`${server().url}/manage/users/${id}/export`, { form: { format: 'html' } })).text();
  expect(paper).toContain('keeps a herbarium about umber');
  expect(paper).toContain('The personal data we hold about you');
  expect(paper).toContain('End of the copy</p>');
  await open(page, `/manage/users/${id}/access`);
  await expect(page.getByTestId('audit-row').filter({ hasText: 'Exported what is held about a user' })).toHaveCount(2);
});

test('Enter in the id field confirms nothing', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'magenta');
  await openErase(page, id, true);
  await page.getByTestId('confirm-id').fill(id);
  await page.getByTestId('confirm-id').press('Enter');
  await page.waitForTimeout(300);
  await expect(page).toHaveURL(new RegExp(`/manage/users/${id}/erase`));
});

test('G E leads to the erasures, and a viewer is offered no erasure', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/stats');
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page).toHaveURL('/manage/erasures');
  const id = await somebody(page, 'russet');
  await open(page, `/manage/users/${id}`);
  await expect(page.getByTestId('open-reason')).toBeVisible();
  await expect(page.getByTestId('start-erasure')).toHaveCount(0);
  await expect(page.getByTestId('export-user')).toHaveCount(0);
});

for (const script of [true, false]) {
  test(`six lines come first and the other tables are one click away, ${script ? 'with script' : 'without script'}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const id = await somebody(page, script ? 'copper' : 'bronze');
    await openErase(page, id, script);
    const lines = page.locator('[data-testid="erase-count"]:visible');
    await expect(lines.first()).toContainText('Personal memories');
    expect(await lines.count()).toBeLessThanOrEqual(6);
    await expect(page.getByTestId('more-tables').locator('summary')).toHaveText(/^\d+ more tables · (\d+ rows?|nothing in them)$/);
    await page.getByTestId('more-tables').locator('summary').click();
    await expect(page.locator('[data-testid="erase-count"][data-table="keys"]')).toContainText('0');
    expect(await lines.count()).toBeGreaterThan(15);
  });

  test(`an erased id leads to its receipts from Users and from Erasures, ${script ? 'with script' : 'without script'}`, async ({ as }) => {
    test.slow();
    const page = await as(server().editor, { script });
    const id = await somebody(page, script ? 'silver' : 'pewter');
    await openErase(page, id, script);
    await confirm(page, id);
    await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
    const receipt = new URL(page.url()).pathname;
    await open(page, '/manage/users', { script });
    await page.getByLabel('User id').fill(id);
    await page.getByTestId('find-reason').fill('SUP-4471');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect(page.getByTestId('found-erasures').getByRole('link')).toHaveAttribute('href', receipt);
    expect(page.url()).not.toContain(id);
    await page.getByLabel('User id').fill(`${id}x`);
    await page.getByRole('button', { name: 'Find' }).click();
    await expect(page.getByTestId('not-erased')).toBeVisible();
    await open(page, '/manage/erasures', { script });
    await page.getByTestId('sought-user').fill(id);
    await page.getByTestId('sought-reason').fill('SUP-4471');
    await page.getByTestId('sought-submit').click();
    await expect(page.getByTestId('look-up').getByRole('link', { name: receipt.split('/').pop() })).toBeVisible();
    expect(page.url()).not.toContain(id);
    await page.getByTestId('sought-user').fill('usr_never_seen');
    await page.getByTestId('sought-submit').click();
    await expect(page.getByTestId('look-up')).toContainText('No erasure of this user is on record.');
  });
}

test('a receipt prints on one page, with who did it and when, and without the console around it', async ({ page, context }) => {
  test.slow();
  await signIn(context, server().editor);
  const id = await somebody(page, 'vermilion');
  await openErase(page, id, true);
  await confirm(page, id);
  await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
  await expect(page.locator('[data-testid="erase-step"][data-state="done"]')).toHaveCount(5);
  await expect(page.getByTestId('receipt-steps')).toContainText(/\d\d:\d\d:\d\d UTC/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  }
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByTestId('receipt')).toContainText(/Priya Raman|\(op_\w+\)/);
  for (const hidden of [page.getByRole('navigation', { name: 'Main' }), page.getByTestId('verify-again'), page.getByTestId('receipt-json'), page.getByTestId('last-action')])
    await expect(hidden).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe('rgb(255, 255, 255)');
  await expect(page.getByTestId('receipt-server')).toContainText(/Keepsake \S+, https?:\/\/\S+/);
  await expect(page.getByTestId('receipt-made')).toContainText(/\d{4}, \d\d:\d\d UTC/);
  // The user id is on paper only if somebody types it, and what is typed is sent nowhere.
  await expect(page.getByTestId('paper-id')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.locator('#paper-user').fill(id);
  await page.locator('#paper-user').press('Enter');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByTestId('paper-id')).toBeVisible();
  await expect(page.locator('#paper-user')).toHaveValue(id);
  expect(page.url()).not.toContain(id);
  expect(sent.filter((request) => request.includes(id))).toEqual([]);
  expect((await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});

test('verifying again with the id looks for the id, and refuses another one', async ({ page, context }) => {
  test.slow();
  await signIn(context, server().editor);
  const id = await somebody(page, 'saffron');
  await openErase(page, id, true);
  await confirm(page, id);
  await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
  await page.getByTestId('verify-user').fill('usr_not_this_one');
  await page.getByTestId('verify-again').click();
  await expect(page.locator('#verify-user-error')).toContainText('User id is not the one on this receipt');
  await page.getByTestId('verify-user').fill(id);
  await page.getByTestId('verify-again').click();
  await expect(page.getByText('; for the id alone')).toHaveCount(2, { timeout: 25_000 });
  expect(page.url()).not.toContain(id);
  expect(await page.locator('main').textContent()).not.toContain(id);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the choice that is not taken is seen in the ${colorScheme} theme`, async ({ page, context }) => {
    await page.emulateMedia({ colorScheme });
    await signIn(context, server().editor);
    const id = await somebody(page, colorScheme === 'light' ? 'pearl' : 'onyx');
    await openErase(page, id, true);
    const ratio = await page.getByTestId('mode-contributions').locator('.mode-dot').evaluate((dot) => {
      const luminance = (colour: string) => {
        const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const [red, green, blue] = (colour.match(/[\d.]+/g) ?? []).map((value) => channel(Number(value) / 255));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const style = getComputedStyle(dot);
      const [edge, ground] = [luminance(style.borderTopColor), luminance(style.backgroundColor)].sort((a, b) => b - a);
      return (edge + 0.05) / (ground + 0.05);
    });
    expect(ratio).toBeGreaterThanOrEqual(3);
  });
}

test('what is stored is said for every table, and no screen scrolls sideways', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await somebody(page, 'mauve');
  await openErase(page, id, true);
  await confirm(page, id);
  await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
  const receipt = new URL(page.url()).pathname;
  const another = await somebody(page, 'fuchsia');
  await openErase(page, another, true);
  await open(page, '/help/stored');
  expect(await page.getByTestId('stored-row').count()).toBeGreaterThan(30);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/help/stored', '/manage/erasures', receipt, `/manage/users/${another}/erase`]) {
      await open(page, path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${path} at ${width}`).toBeLessThanOrEqual(0);
      expect(await page.locator('[style]').count(), path).toBe(0);
    }
  }
});
