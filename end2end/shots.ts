// Pictures of every screen and state, in both themes, at a desk's and a phone's width: shots/NAME-WIDTH-THEME.png.
import { approve, expect, house, open, propose, reject, signIn, strip, test } from './desk';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [401, 404, 409, 500] });

const EMPTY = { candidates: [], pending: 0, promote_at: 3, next: null, may_edit: true, learning: true };

/** Comes to the queue by a link inside the console, so that its answer can be another one. */
async function arrive(page: Page, status: number, answer: unknown): Promise<void> {
  const [{ id }] = (await (await page.request.get('/calls/review/queue')).json()).candidates;
  await open(page, `/review/${id}`);
  await page.route('**/calls/review/queue*', (route) => (answer === null ? undefined : route.fulfill({ status, json: answer })));
  await page.getByRole('link', { name: 'Back to the queue' }).click();
}

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    const height = width === 390 ? 844 : 960;

    test.describe(`${width} ${theme}`, () => {
      test.use({ viewport: { width, height }, colorScheme: theme });

      const shoot = async (page: Page, name: string) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: `shots/${name}-${width}-${theme}.png` });
      };

      test('sign-in', async ({ page }) => {
        await open(page, '/login');
        await page.getByLabel('Password', { exact: true }).fill('thirteen dots');
        await page.getByLabel('Email').fill('priya.raman@example.org');
        await shoot(page, 'login');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await expect(page.getByTestId('error-summary')).toBeVisible();
        await shoot(page, 'login-wrong');
        await page.goto('/login?next=%2Freview&ended=1');
        await shoot(page, 'login-ended');
      });

      test('the queue and a candidate', async ({ page, context }) => {
        await signIn(context, house().editor);
        await open(page, '/review');
        await shoot(page, 'review');
        await page.getByTestId('review-item').first().getByRole('link').click();
        await expect(page.getByText('Corroboration')).toBeVisible();
        await shoot(page, 'candidate');
        await page.goto('/nowhere');
        await shoot(page, 'missing');
      });

      test('decided, and lost to another operator', async ({ page, context, as }) => {
        await signIn(context, house().editor);
        const [mine, lost] = [`Deploys pause on the last working day of quarter ${width}${theme}.`, `The importer of region ${width}${theme} runs at noon.`];
        await propose(page, mine);
        await propose(page, lost);
        const other = await as(house().other);
        await open(page, '/review');
        await open(other, '/review');
        await reject(other, lost).click();
        await expect(strip(other)).toContainText('Rejected');
        await approve(page, mine).click();
        await expect(strip(page)).toContainText('Approved');
        await approve(page, lost).click();
        await expect(page.getByTestId('conflict')).toBeVisible();
        await page.getByTestId('conflict').scrollIntoViewIfNeeded();
        await shoot(page, 'conflict');
      });

      test('view only', async ({ page, context }) => {
        await signIn(context, house().viewer);
        await open(page, '/review');
        await shoot(page, 'readonly');
      });

      test('empty, off, failed and loading', async ({ page, context }) => {
        await signIn(context, house().editor);
        await arrive(page, 200, EMPTY);
        await expect(page.getByTestId('empty')).toBeVisible();
        await shoot(page, 'empty');
        await arrive(page, 200, { ...EMPTY, learning: false });
        await expect(page.getByTestId('empty')).toBeVisible();
        await shoot(page, 'off');
        await arrive(page, 500, { code: 'internal', incident: '7f1c-22' });
        await expect(page.getByTestId('panel-error')).toBeVisible();
        await shoot(page, 'failed');
        await arrive(page, 200, null);
        await expect(page.locator('.skeleton')).toBeVisible();
        await shoot(page, 'loading');
      });
    });
  }
}
