// Nothing moves after a page is shown, and what a phone shows is in reach.
import { approve, expect, open, propose, reject, row, server, signIn, strip, test } from '../fixtures';
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

for (const [width, height] of [[1440, 900], [390, 844]] as const) {
  test(`no row moves when others propose and decide at ${width}`, async ({ page, as }) => {
    await page.setViewportSize({ width, height });
    const bird = { 1440: 'Garganey', 390: 'Pochard' }[width];
    const [above, below] = [`${bird} mirrors are filled every evening, from the newest release first.`, `${bird} caches hold a week.`];
    const [first, last] = [await propose(page, above), await propose(page, below)];
    await open(page, `/review?q=${bird}`);
    await expect(page.getByTestId('live-state')).toHaveText('Live · updated just now');
    const top = async () => (await row(page, last).boundingBox())?.y;
    const before = await top();
    await propose(page, `${bird} exports carry no pictures.`);
    await expect(page.getByTestId('new-arrivals')).toBeVisible();
    expect(await top()).toBe(before);
    const other = await as(server().other);
    await open(other, `/review?q=${bird}`);
    await reject(other, above).click();
    await expect(page.locator(`[data-testid="review-item-gone"][data-fact-id="${first}"]`)).toBeVisible();
    expect(await top()).toBe(before);
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
    const text = 'The storm petrel alarms go to the duty channel at night and to the release channel during the day.';
    await propose(page, text);
    await open(page, '/review?q=storm+petrel');
    await approve(page, text).click();
    await expect(strip(page)).toContainText('Approved');
    const heights = await page.locator('.last-action, .sidebar nav').evaluateAll((found) => found.map((one) => one.getBoundingClientRect().height));
    expect(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(84.4);
  });
});
