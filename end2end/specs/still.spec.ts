// Nothing moves after a page is shown, and what a phone shows is in reach.
import { approve, expect, open, propose, server, signIn, strip, test } from '../fixtures';
import type { Page } from '@playwright/test';

/** The largest layout shift that a page may have, as browsers measure it. */
const SHIFT_MAX = 0.02;
const SCREENS = [
  '/review',
  '/review?view=mine&when=today',
  '/stats',
  '/manage/facts',
  '/manage/facts?status=all&kind=howto',
  '/manage/users',
  '/manage/erasures',
  '/manage/settings',
  '/manage/operators',
  '/manage/keys',
  '/manage/webhooks',
  '/account',
  '/audit',
];

/** Opens a page and returns by how much its content moved without being asked to. */
async function shift(page: Page, path: string): Promise<number> {
  await open(page, path);
  // Late answers, such as that of the inspector.
  await page.waitForTimeout(700);
  return page.evaluate(() => (window as unknown as { moved: number }).moved);
}

test.beforeEach(async ({ context, page }) => {
  await signIn(context, server().editor);
  await page.addInitScript(() => {
    const measured = window as unknown as { moved: number };
    measured.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) measured.moved += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
});

for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]] as const) {
  test(`nothing moves after it is shown at ${width}`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    const bird = { 1440: 'Cormorant', 1024: 'Bittern', 390: 'Dunlin' }[width];
    await propose(page, `${bird} pipelines are paused during a freeze.`);
    const moved: [string, number][] = [];
    for (const path of SCREENS) moved.push([path, await shift(page, path)]);
    expect(moved.filter(([, value]) => value > SHIFT_MAX)).toEqual([]);
  });
}

test.describe('at 390', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the box is beside its text, the search is in sight, and targets are large', async ({ page }) => {
    const text = 'Kittiwake dashboards are rebuilt every night.';
    const id = await propose(page, text);
    await open(page, '/review?q=kittiwake');
    const row = page.locator(`[data-fact-id="${id}"]`);
    const [box, words] = [await row.getByTestId('select-row').boundingBox(), await row.locator('.row-text').boundingBox()];
    expect(box && words && box.x + box.width <= words.x && Math.abs(box.y - words.y) < 12).toBe(true);
    await expect(page.getByTestId('filter-q')).toBeInViewport();
    await expect(page.getByTestId('filter-sort')).toBeHidden();
    const small = await page.locator('.board button:visible, .board summary:visible').evaluateAll((found) =>
      found.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML),
    );
    expect(small).toEqual([]);
    await row.getByTestId('select-row').check();
    await expect(page.getByTestId('bulk-bar')).toBeVisible();
    expect((await page.getByTestId('bulk-bar').boundingBox())?.height).toBeLessThan(60);
    await page.getByTestId('bulk-importance').locator('summary').click();
    await page.getByTestId('bulk-importance').getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByTestId('bulk-bar')).toBeHidden();
  });

  test('the strip and the bar below it take a tenth of the height', async ({ page }) => {
    const text = 'Storm petrel alarms go to the duty channel at night and to the release channel during the day.';
    await propose(page, text);
    await open(page, '/review?q=storm+petrel');
    await approve(page, text).click();
    await expect(strip(page)).toContainText('Approved');
    const heights = await page.locator('.last-action, .sidebar nav').evaluateAll((found) => found.map((one) => one.getBoundingClientRect().height));
    expect(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(84.4);
  });
});
