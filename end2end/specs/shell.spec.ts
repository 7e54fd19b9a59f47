// The frame: navigation, themes, unknown URLs, narrow windows, and announcements to screen readers.
import { expect, server, open, propose, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

const canvas = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const LIGHT = 'rgb(246, 246, 248)';
const DARK = 'rgb(13, 14, 18)';

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });

    test('the theme follows the system, then the button, and is kept', async ({ page, context }) => {
      await signIn(context, server().editor);
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(page, '/review', { script });
      await expect(page.locator('html')).not.toHaveAttribute('data-theme');
      expect(await canvas(page)).toBe(DARK);
      await page.getByRole('button', { name: 'Theme: match system. Change to light' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
      await expect.poll(() => canvas(page)).toBe(LIGHT);
      await page.getByRole('button', { name: 'Theme: light. Change to dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      expect(await canvas(page)).toBe(DARK);
      await page.getByRole('button', { name: 'Theme: dark. Change to match system' }).click();
      await expect(page.locator('html')).not.toHaveAttribute('data-theme');
      await expect.poll(() => canvas(page)).toBe(LIGHT);
    });
  });
}

test('every screen is in the navigation, and the queue has its count in the name', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/');
  await expect(page).toHaveURL('/review');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveText(['Stats', /^Review queue/, 'Manage', 'Audit log']);
  await expect(page.getByRole('navigation', { name: 'Manage' })).toHaveCount(0);
  const queue = page.getByTestId('nav-review');
  await expect(queue).toHaveAccessibleName(/^Review queue, \d+ pending$/);
  await expect(queue).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('env')).toHaveText('Test data');
  await page.getByTestId('nav-manage').click();
  const tabs = page.getByRole('navigation', { name: 'Manage' }).getByRole('link');
  await expect(tabs).toHaveText(['Facts', 'Users', 'Erasures', 'Settings', 'Operators', 'Keys', 'Webhooks', 'Recall inspector', 'Gate']);
  await tabs.filter({ hasText: 'Gate' }).click();
  await expect(page).toHaveURL('/manage/gate');
  await expect(page.getByTestId('nav-manage')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('link', { name: 'Gate', exact: true })).toHaveAttribute('aria-current', 'page');
  // A shortcut leads to any screen, wherever one is.
  await page.locator('body').press('g');
  await page.locator('body').press('k');
  await expect(page).toHaveURL('/manage/keys');
});

test('the skip link leads to the content', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/review');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the focus is never hidden under a bar', async ({ page, context }) => {
  test.slow();
  await signIn(context, server().editor);
  await page.setViewportSize({ width: 390, height: 600 });
  await open(page, '/review');
  const stops = await page.getByRole('main').locator('a, button').count();
  for (let stop = 0; stop < Math.min(stops, 60); stop += 1) {
    await page.keyboard.press('Tab');
    const covered = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body || focused.closest('.sidebar, .skip')) return '';
      const { left, right, top, bottom } = focused.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, Math.min(bottom - 2, (top + bottom) / 2 + 4));
      return hit && (focused.contains(hit) || hit.contains(focused)) ? '' : `${focused.outerHTML} is under ${hit?.outerHTML}`;
    });
    expect(covered).toBe('');
  }
});

test.describe('a page that does not exist', () => {
  test.use({ expectedStatuses: [404] });

  test('says so inside the frame and leads back', async ({ page, context }) => {
    await signIn(context, server().editor);
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    await expect(page).toHaveTitle('Not found · Keepsake');
    await expect(page.getByRole('heading', { name: 'There is no page here' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to Stats' }).click();
    await expect(page).toHaveURL('/stats');
  });

  test('is also a candidate that was deleted', async ({ page, context }) => {
    await signIn(context, server().editor);
    const answer = await page.goto('/review/gf_gone');
    expect(answer?.status()).toBe(404);
    await expect(page.getByTestId('panel-error')).toContainText('The link may be old. A fact that was deleted has no page.');
  });
});

test.describe('a screen reader', () => {
  test.use({ expectedStatuses: [404] });

  test('reads the sign-in page', async ({ page }) => {
    await open(page, '/login');
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:
        - paragraph:
          - strong: Keepsake
          - text: Test data
        - heading "Sign in" [level=1]
        - paragraph: For operators and support staff.
        - form "Sign in":
          - text: Email
          - textbox "Email"
          - text: Password
          - button "Show password": Show
          - textbox "Password"
          - button "Sign in"
        - paragraph: What you view and change here is recorded in the audit log.
    `);
  });

  test('reads the frame', async ({ page, context }) => {
    await signIn(context, server().editor);
    await open(page, '/review');
    await expect(page.getByRole('navigation', { name: 'Main' })).toMatchAriaSnapshot(`
      - navigation "Main":
        - link "Stats"
        - link /Review queue, \\d+ pending/
        - link "Manage"
        - link "Audit log"
    `);
  });

  test('reads a row of the queue', async ({ page, context }) => {
    await signIn(context, server().editor);
    const id = await propose(page, 'Canary hosts take \`five percent\` of the traffic.');
    await open(page, '/review?per=100&sort=newest');
    await expect(page.locator(`[data-fact-id="${id}"]`)).toMatchAriaSnapshot(`
      - listitem:
        - link "Canary hosts take five percent of the traffic.":
          - code: five percent
        - paragraph: /1 of \\d+ contributors Fact Importance \\d Assistant under 1 h ago/
        - button /Approve. Canary hosts/
        - button /Reject. Canary hosts/
    `);
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:
        - heading "Review queue" [level=1]
        - paragraph: /\\d+ pending · oldest .*/
        - list "Pending candidates"
        - status
    `);
  });

  test('reads a candidate', async ({ page, context }) => {
    await signIn(context, server().editor);
    const id = await propose(page, 'Thumbnails are rendered by a queue of four workers.');
    await open(page, `/review/${id}`);
    await expect(page.getByRole('heading', { name: 'Candidate', level: 1 })).toBeVisible();
    await expect(page.getByRole('article')).toMatchAriaSnapshot(`
      - article:
        - paragraph: Thumbnails are rendered by a queue of four workers.
        - button "Approve"
        - button "Reject"
        - link "Edit"
    `);
  });

  test('reads a page that does not exist', async ({ page, context }) => {
    await signIn(context, server().editor);
    await open(page, '/nowhere');
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:
        - heading "Not found" [level=1]
        - heading "There is no page here" [level=2]
        - paragraph: The link may be old. A fact that was deleted has no page.
        - link "Go to Stats"
        - status
    `);
  });
});
