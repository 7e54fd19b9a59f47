// Statistics in a browser: ranges and tables as links, reading a chart point by point, and no horizontal scrolling.
import { expect, hydrated, server, open, signIn, test } from '../fixtures';

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().viewer);
    });

    test('a range is a link and the page says which one it shows', async ({ page }) => {
      await open(page, '/stats', { script });
      const ranges = page.getByRole('navigation', { name: 'Range' });
      await expect(ranges.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'true');
      await ranges.getByRole('link', { name: '7 days' }).click();
      await expect(page).toHaveURL(/\/stats\?range=7d$/);
      await expect(ranges.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'true');
      await expect(page.getByText('last 7 days').first()).toBeVisible();
    });

    test('a chart is an image with a sentence, and opens as a table', async ({ page }) => {
      await open(page, '/stats?range=7d', { script });
      await expect(page.getByTestId('chart-growth-team')).toHaveAttribute('aria-label', /^Team facts\. Approved: /);
      await page.getByTestId('table-growth-team').click();
      await expect(page).toHaveURL(/table=growth-team/);
      const table = page.getByTestId('chart-table');
      await expect(table.getByRole('columnheader')).toHaveText(['Day', 'Approved', 'Rejected', 'Pending']);
      await expect(table.locator('tbody tr')).toHaveCount(7);
      await page.getByTestId('table-growth-team').click();
      await expect(table).toHaveCount(0);
    });

    test('a viewer comes here first', async ({ page }) => {
      await open(page, '/', { script });
      await expect(page).toHaveURL('/stats');
      await expect(page.getByTestId('readonly-bar')).toBeVisible();
    });
  });
}

test.describe('in the browser', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().viewer);
  });

  test('arrow keys and the pointer read a chart point by point', async ({ page }) => {
    await open(page, '/stats?range=7d');
    const chart = page.getByTestId('chart-growth-personal');
    const readout = page.locator('figure', { has: chart }).locator('[aria-live]');
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(readout).toHaveText(/^\d+ \w{3}: [\d,]+$/);
    const last = await readout.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect(readout).not.toHaveText(last ?? '');
    await page.keyboard.press('End');
    await expect(readout).toHaveText(last ?? '');
    await page.keyboard.press('Escape');
    await expect(readout).toBeEmpty();
    await chart.hover();
    await expect(readout).toHaveText(/^\d+ \w{3}: /);
  });

  test('the panel stays shut once it was shut', async ({ page }) => {
    await open(page, '/stats');
    const panel = page.getByTestId('how-it-works');
    await expect(panel).toHaveAttribute('open', '');
    const kept = page.waitForResponse('**/calls/stats/how');
    await panel.locator('summary').click();
    await kept;
    await page.reload();
    await hydrated(page);
    await expect(panel).not.toHaveAttribute('open', '');
    const again = page.waitForResponse('**/calls/stats/how');
    await panel.locator('summary').click();
    await again;
  });

  for (const width of [320, 390, 1024, 1440]) {
    test(`nothing scrolls sideways at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await open(page, '/stats?range=1y&table=growth-team');
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wider).toBe(0);
    });
  }
});
