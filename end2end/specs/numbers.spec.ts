// Numbers beside what they are about: examples of a threshold, recalls of a fact, what operators decided, pages of users, arrivals.
import AxeBuilder from '@axe-core/playwright';
import { expect, open, propose, recalled, server, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

/** Approves a fact of this name, recalls it six times, and returns its address. */
async function recalledFact(page: Page, name: string): Promise<string> {
  const text = `${name} tickets are closed after two weeks without an answer.`;
  const id = await propose(page, text);
  await page.request.post('/calls/decide', { form: { 'ids[]': `${id}:1`, action: 'approve' } });
  for (let n = 0; n < 6; n += 1) expect(await recalled(page, text)).toContain(text);
  const address = `/manage/facts/${id}`;
  // Recalls are counted in the background.
  await expect.poll(async () => (await page.request.get(address)).text()).toContain('chart-recall-days');
  return address;
}

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('examples stand beside a threshold and follow its value', async ({ page }) => {
      await open(page, '/manage/settings', { script });
      const setting = page.getByTestId('thr-merge-global');
      const saved = await setting.locator('[data-near-saved]').getAttribute('data-near-saved');
      expect(saved).toBe('merge.global');
      await setting.getByTestId('alike').locator('summary').click();
      await expect(setting.getByTestId('alike-below').getByTestId('alike-pair').first()).toBeVisible();
      if (script) {
        await setting.getByRole('textbox').fill('0.60');
        const draft = setting.locator('[data-near-draft]');
        await expect(draft).toContainText('Similarity 0.60 or above');
        await expect(draft.getByTestId('alike-pair').first()).toBeVisible();
        await expect(setting.locator('[data-near-saved]')).toBeHidden();
        await page.getByTestId('set-thresholds').getByRole('button', { name: 'Discard' }).click();
        await expect(draft).toBeHidden();
        await expect(setting.locator('[data-near-saved]')).toBeVisible();
      } else {
        await page.goto('/manage/settings/apply?merge.global=0.60');
        await page.getByTestId('alike').locator('summary').click();
        await expect(page.getByTestId('alike-from')).toContainText('Similarity 0.60 or above');
      }
      await page.goto('/manage/settings/apply?merge.personal=0.70');
      await page.getByTestId('alike').locator('summary').click();
      await expect(page.getByTestId('alike')).toContainText('Team facts stand in for them.');
      // A question is compared with a text there: no two facts can show it.
      await page.goto('/manage/settings/apply?recall.min_similarity=0.30');
      await expect(page.getByTestId('changes')).toBeVisible();
      await expect(page.getByTestId('alike')).toHaveCount(0);
    });

    test('the recalls of a fact are drawn by day and by surface', async ({ page }) => {
      const address = await recalledFact(page, script ? 'Redshank' : 'Greenshank');
      await open(page, address, { script });
      const tile = page.locator('#recall-days');
      await expect(tile.getByTestId('chart-recall-days')).toBeVisible();
      await expect(tile.getByTestId('chart-recall-days')).toHaveAccessibleName(/^Recalls: /);
      await expect(tile.getByTestId('recall-surfaces').getByRole('row').nth(1)).toContainText(/[\d,]+|fewer than 5/);
      await tile.getByTestId('table-recall-days').click();
      await expect(page).toHaveURL(`${address}?table=recall-days#recall-days`);
      await expect(page.getByTestId('chart-table').getByRole('row')).toHaveCount(31);
    });

    test('operators see how much each decided and took back', async ({ page }) => {
      await open(page, '/manage/operators', { script });
      const own = page.getByTestId('work-row').filter({ hasText: server().editor.name });
      await expect(own.getByTestId('work-decided')).toHaveText(/^[1-9][\d,]*$/);
      await expect(own.getByTestId('work-undone')).toHaveText(/^(0|\d+ \([\d.]+%\))$/);
      await expect(page.getByTestId('workload').getByRole('columnheader')).toHaveCount(11);
    });

    test('a search for users is read page by page', async ({ page }) => {
      await open(page, '/manage/users', { script });
      await page.getByLabel('User id').fill('usr_');
      await page.getByTestId('find-reason').fill('SUP-4471');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByTestId('pager-range')).toHaveText(/^1–10 of \d+$/);
      const first = await page.getByTestId('user-result').first().getAttribute('data-user-id');
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(page.getByTestId('pager-range')).toHaveText(/^11–\d+ of \d+$/);
      await expect(page.locator(`[data-user-id="${first}"]`)).toHaveCount(0);
      expect(page.url()).not.toContain('usr_');
      await page.getByRole('button', { name: 'Previous' }).click();
      await expect(page.getByTestId('user-result').first()).toHaveAttribute('data-user-id', first ?? '');
    });

    test('what came to the queue and what was decided is drawn', async ({ page }) => {
      for (const range of ['30d', '1y']) {
        await open(page, `/stats?range=${range}`, { script });
        await expect(page.getByTestId('chart-queue')).toHaveAccessibleName(/^Review queue\. New: .*Decided: /);
      }
      await page.getByTestId('table-queue').click();
      await expect(page.getByTestId('chart-table').getByRole('columnheader')).toHaveText(['Day', 'New', 'Decided']);
    });
  });
}

for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
  test(`they pass axe in the ${theme} theme at ${width}, and fit`, async ({ page, context }) => {
    test.slow();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await signIn(context, server().editor);
    const address = await recalledFact(page, theme === 'light' ? 'Wryneck' : 'Hoopoe');
    for (const path of ['/manage/settings', `${address}?table=recall-days`, '/manage/operators', '/stats']) {
      await open(page, path);
      for (const closed of await page.getByTestId('alike').locator('summary').all()) await closed.click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [path, id, ...nodes.map((node) => node.html)])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
    }
  });
}
