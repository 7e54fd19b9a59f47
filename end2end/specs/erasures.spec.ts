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

    await page.getByTestId('confirm-id').fill(id);
    if (script) await expect(page.getByTestId('confirm-match')).toHaveText('Matches');
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
    await page.getByTestId('verify-again').click();
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
  await expect(page.getByTestId('empty')).toContainText('Looking up a user needs users:edit.');
  await expect(page.getByTestId('start-erasure')).toHaveCount(0);
  await expect(page.getByTestId('export-user')).toHaveCount(0);
});

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
