// The audit log in a browser: several filters at once, entries that open, the file, and menus.
import { expect, propose, server, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

async function approveAtOnce(page: Page, contents: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) ids.push(await propose(page, content));
  const form = new URLSearchParams(ids.map((id) => ['ids[]', `${id}:1`]));
  form.append('action', 'approve');
  const answer = await page.request.post('/calls/decide', { data: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  expect(answer.ok()).toBe(true);
  return ids;
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test(`several filters at once, each taken away by its own cross, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    await open(page, '/audit', { script });
    await expect(page.getByTestId('pager-range')).toHaveText(/^1–\d+ of \d+$/);
    const all = Number((await page.getByTestId('pager-range').innerText()).split(' of ')[1]);
    await page.getByTestId('filter-group').locator('summary').click();
    await page.getByLabel('Keys', { exact: true }).check();
    await page.getByLabel('Sign-ins and operators').check();
    await page.getByTestId('filter-group').getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/group=operators/);
    await expect(page).toHaveURL(/group=keys/);
    await page.getByTestId('filter-operator').locator('summary').click();
    await page.getByLabel('Command line').check();
    await page.getByTestId('filter-operator').getByRole('button', { name: 'Apply' }).click();
    await page.getByTestId('filter-when').locator('summary').click();
    await page.getByTestId('filter-from').fill('2020-01-01');
    await page.getByTestId('filter-when').getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByTestId('filter-when').locator('summary')).toHaveText('When From 1 Jan 2020');
    await expect(page.getByTestId('filter-group').locator('summary')).toHaveText('Action Sign-ins and operators, Keys');
    const some = Number((await page.getByTestId('pager-range').innerText()).split(' of ')[1]);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
    await expect(page.getByTestId('audit-row').filter({ hasText: 'Command line' })).toHaveCount(await page.getByTestId('audit-row').count());
    await page.getByRole('link', { name: 'Remove filter: Operator Command line' }).click();
    await expect(page).not.toHaveURL(/operator=/);
    await expect(page).toHaveURL(/from=2020-01-01/);
    await page.getByTestId('filter-clear').click();
    await expect(page).toHaveURL('/audit');
    await page.getByTestId('filter-target').locator('summary').click();
    await page.getByTestId('filter-target-id').fill('gf_nothing');
    await page.getByTestId('filter-target').getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByTestId('empty')).toContainText('No entry matches');
  });

  test(`a bulk decision is one entry that opens, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const word = script ? 'Plover' : 'Curlew';
    const ids = await approveAtOnce(page, [
      `${word} gateways log in the local time zone.`,
      `${word} backups are copied to a second region.`,
      `${word} invoices are archived for ten years.`,
    ]);
    await open(page, '/audit?group=facts&when=today', { script });
    const entry = page.getByTestId('audit-row').filter({ hasText: 'Approved 3 facts' }).first();
    await entry.getByText('3 facts', { exact: true }).click();
    for (const id of ids) await expect(entry.getByRole('link', { name: id })).toHaveAttribute('href', `/manage/facts/${id}`);
  });

  test(`a changed setting is a sentence, ${how}`, async ({ as }) => {
    const page = await as(server().editor, { script });
    const rows = (await (await page.request.get('/calls/settings/list')).json()).rows as { key: string; value: string; version: number }[];
    const limit = rows.find((row) => row.key === 'preferences.max');
    const form = { 'changes[0][key]': 'preferences.max', 'changes[0][value]': script ? '26' : '27', 'changes[0][version]': String(limit?.version ?? 0) };
    expect((await page.request.post('/calls/settings/apply', { form })).ok()).toBe(true);
    await open(page, '/audit?group=settings', { script });
    const entry = page.getByTestId('audit-row').filter({ hasText: 'Preferences per user' }).first();
    await expect(entry).toContainText(/Changed Preferences per user from \d+ to \d+/);
    await expect(entry).not.toContainText('preferences.max');
    await expect(entry.getByRole('link', { name: 'Settings' })).toBeVisible();
  });
}

test('what is filtered is exported as CSV and as JSONL, and that is recorded', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/audit?group=operators');
  await page.getByTestId('export').click();
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-csv').click()]);
  expect(csv.suggestedFilename()).toBe('audit.csv');
  const lines = (await (await page.request.get('/audit/export.jsonl?group=operators')).text()).trim().split('\n').map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(1);
  expect(new Set(lines.map((line) => line.action.split('.')[0]))).toEqual(new Set(['operator']));
  await open(page, '/audit?group=service');
  await expect(page.getByTestId('audit-row').filter({ hasText: 'Exported the audit log' }).first()).toContainText(/entr(y|ies) as (CSV|JSONL)/);
});

test('Esc closes a menu and goes back to its button; so does a click elsewhere', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/audit');
  const group = page.getByTestId('filter-group');
  await group.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(group.getByRole('button', { name: 'Apply' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(group.getByRole('button', { name: 'Apply' })).toBeHidden();
  await expect(group.locator('summary')).toBeFocused();
  await group.locator('summary').click();
  await page.getByTestId('filter-when').locator('summary').click();
  await expect(group.getByRole('button', { name: 'Apply' })).toBeHidden();
  await expect(page.getByTestId('filter-from')).toBeVisible();
  await page.getByRole('heading', { name: 'Audit log' }).click();
  await expect(page.getByTestId('filter-from')).toBeHidden();
});

test('an open menu and an open entry fit into 390 and 320 px', async ({ page, context }) => {
  await signIn(context, server().editor);
  await approveAtOnce(page, ['The kestrel mirrors sync every night.', 'Relay alerts go to the duty phone.']);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, '/audit?group=facts');
    await page.getByTestId('audit-bulk').first().locator('summary').click();
    for (const menu of ['filter-when', 'filter-target', 'filter-group']) {
      await page.getByTestId(menu).locator('summary').click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${menu} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});
