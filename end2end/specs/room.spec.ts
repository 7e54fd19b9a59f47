// Room: rows in every density and width, long ids in narrow windows, large numbers, and forced colours.
import { expect, open, propose, server, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

const MANY_SCREENS_MS = 240_000;
/** The longest id that a host may send. */
const LONG_ID = `usr_${'w'.repeat(124)}`;

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

test('compact rows leave the text its room at every width', async ({ page, context }) => {
  await propose(page, 'Oystercatcher pipelines publish their coverage reports to the shared bucket after each run of the nightly suite.');
  test.setTimeout(MANY_SCREENS_MS);
  await context.addCookies([{ name: 'keepsake_density', value: 'compact', url: server().url }]);
  for (const width of [761, 1000, 1181, 1280, 1366, 1440, 1500, 1600, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, '/review?q=oystercatcher');
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact');
    const widths = await page.locator('.row-text').evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().width));
    expect([width, Math.min(...widths) >= 280]).toEqual([width, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('an id of 128 bytes fits everywhere, from 320 px on', async ({ page }) => {
  test.setTimeout(MANY_SCREENS_MS);
  const headers = { authorization: `Bearer ${server().key}` };
  const said = { surface: 'web', content: 'Likes tea.', kind: 'preference' };
  for (const user_id of [LONG_ID, `${LONG_ID.slice(0, 127)}v`]) {
    expect((await page.request.post(`${server().url}/v1/memories`, { headers, data: { ...said, user_id } })).ok()).toBe(true);
  }
  await page.request.post('/calls/users/open', { form: { user: LONG_ID, reason: 'SUP-100' } });
  const fits = async (what: string) => {
    for (const width of [320, 390, 761, 1181, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate((width) => {
        // What scrolls in itself, or is cut off on purpose, does not count.
        const clipped = (at: Element | null): boolean => !!at && (/(auto|scroll|hidden|clip)/.test(getComputedStyle(at).overflowX) || clipped(at.parentElement));
        return [...document.querySelectorAll('main *')]
          .filter((at) => at.getBoundingClientRect().right > width + 0.5 && at.getBoundingClientRect().width > 1 && !clipped(at.parentElement))
          .map((at) => at.outerHTML.slice(0, 120));
      }, width);
      expect([what, width, await page.evaluate(() => document.documentElement.scrollWidth), over]).toEqual([what, width, width, []]);
    }
  };
  const record = `/manage/users/${LONG_ID}`;
  for (const path of [record, `${record}/memories`, `${record}/chat`, `${record}/blocks`, `${record}/contributions`, `${record}/access`, `${record}/erasures`, `${record}/erase`, `${record}/erase?mode=contributions`]) {
    await open(page, path);
    await fits(path);
  }
  await open(page, '/manage/users');
  await page.getByLabel('User id').fill(LONG_ID.slice(0, 60));
  await page.getByLabel('Reason').fill('SUP-100');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(page.getByTestId('user-result').first()).toBeVisible();
  await fits('found');
  await page.getByLabel('User id').fill('x'.repeat(128));
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('xxxx');
  await fits('not found');
  await open(page, '/manage/recall');
  await page.getByLabel('Question').fill('What does this user like?');
  await page.getByLabel('Asked by').selectOption('user');
  await page.locator('#user').fill(LONG_ID);
  await page.locator('#reason').fill('SUP-100');
  await page.getByTestId('inspect-submit').click();
  await expect(page.getByTestId('recall-sentence')).toBeVisible();
  await fits('inspector');
  await open(page, '/manage/keys');
  await page.getByLabel('Name').fill('n'.repeat(100));
  await page.getByRole('checkbox', { name: /^read/ }).check();
  await page.getByLabel('User id').fill(LONG_ID);
  await page.getByRole('button', { name: 'Add key' }).click();
  await expect(page.getByTestId('secret')).toBeVisible();
  await fits('a made key');
  await open(page, '/manage/keys');
  await fits('keys');
});

test.describe('forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  const outlined = (page: Page, selector: string) =>
    page.locator(selector).first().evaluate((at) => {
      const style = getComputedStyle(at);
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });

  test('show the current page, tab, view and filter', async ({ page }) => {
    const places: [string, string][] = [
      ['/stats', '[data-testid="nav-stats"]'],
      ['/stats', '.ranges [aria-current]'],
      ['/review', '[data-testid="nav-review"]'],
      ['/review', '.view-tab [aria-current="page"]'],
      ['/manage/facts', '.manage-tabs [aria-current="page"]'],
      ['/manage/facts', '.states [aria-current], .fact-tabs [aria-current]'],
      ['/manage/keys', '.manage-tabs [aria-current="page"]'],
      ['/audit', '[data-testid="nav-audit"]'],
      ['/help/stored', 'nav [aria-current]'],
    ];
    for (const [path, selector] of places) {
      await open(page, path);
      if ((await page.locator(selector).count()) === 0) continue;
      expect([path, selector, await outlined(page, selector)]).toEqual([path, selector, true]);
    }
    const others = page.locator('.manage-tabs a:not([aria-current])');
    await open(page, '/manage/keys');
    expect(await others.first().evaluate((at) => getComputedStyle(at).outlineStyle)).toBe('none');
  });
});
