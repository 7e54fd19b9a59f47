// Signing in and out, with and without script.
import { expect, server, hydrated, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, expectedStatuses: [401, 404, 429] });

    test('the right password leads to the review queue', async ({ page }) => {
      await open(page, '/', { script });
      await expect(page).toHaveURL('/login');
      await expect(page).toHaveTitle('Sign in · Keepsake');
      await fill(page, server().editor.email, server().editor.password);
      await expect(page).toHaveURL('/review');
      await expect(page.getByRole('heading', { level: 1, name: 'Review queue' })).toBeVisible();
      await expect(page.getByText(server().editor.name)).toBeVisible();
    });

    test('a wrong password keeps the email, drops the password and says so', async ({ page }) => {
      await open(page, '/login', { script });
      await fill(page, server().editor.email, 'not the password');
      const summary = page.getByTestId('error-summary');
      await expect(summary).toHaveText('There is a problemThe email or password is not right.');
      await expect(summary).toBeFocused();
      await expect(page).toHaveTitle('Error: Sign in · Keepsake');
      await expect(page.getByLabel('Email')).toHaveValue(server().editor.email);
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
      await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
      expect(page.url()).toBe(`${server().url}/login`);
      await page.getByLabel('Password', { exact: true }).fill(server().editor.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL('/review');
    });

    test('the sixth wrong password has to wait', async ({ page }) => {
      await open(page, '/login', { script });
      const email = `guesser-${script}@example.org`;
      for (let tries = 0; tries < 5; tries += 1) {
        await page.request.post('/calls/sign_in', { form: { email, password: `guess ${tries}`, next: '' } });
      }
      await fill(page, email, 'guess 6');
      await expect(page.getByTestId('error-summary')).toContainText('Too many tries. Wait 5 minutes, or ask an administrator.');
      await expect(page.getByLabel('Email')).toHaveValue(email);
    });

    test('the page that was asked for comes after signing in', async ({ page }) => {
      await open(page, '/review/gf_of_nobody', { script });
      await expect(page).toHaveURL('/login?next=%2Freview%2Fgf_of_nobody');
      await expect(page.getByTestId('signed-out')).toHaveCount(0);
      await fill(page, server().editor.email, 'not the password');
      await expect(page.getByTestId('error-summary')).toBeVisible();
      await page.getByLabel('Password', { exact: true }).fill(server().editor.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL('/review/gf_of_nobody');
    });

    test('another site as the next page is ignored', async ({ page }) => {
      await open(page, '/login?next=//evil.example/', { script });
      await fill(page, server().editor.email, server().editor.password);
      await expect(page).toHaveURL('/review');
    });

    test('signing out closes the console', async ({ page, context }) => {
      await signIn(context, server().editor);
      await open(page, '/review', { script });
      await page.getByTestId('account-menu').locator('summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page).toHaveURL('/login');
      await page.goto('/review');
      await expect(page).toHaveURL('/login?next=%2Freview');
    });

    test('who was signed out by the server is told and goes on where he left off', async ({ page, context }) => {
      await context.addCookies([{ name: 'keepsake', value: 'AAAAAAAAAAAAAAAAAAAAAA', url: server().url }]);
      await open(page, '/review', { script });
      await expect(page.getByTestId('signed-out')).toHaveText('You were signed out. Sign in to go on where you left off.');
      await fill(page, server().editor.email, server().editor.password);
      await expect(page).toHaveURL('/review');
    });
  });
}

/** The most that a browser may load for the console, compressed. A guard against mistakes, not a size to fill. */
const MAX_BUNDLE_BYTES = 450 * 1024;

test('the program is loaded after signing in, and is small', async ({ page }) => {
  const loaded = new Map<string, number>();
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url());
    const { responseBodySize } = await request.sizes();
    // A file that the browser still has is answered with no body.
    if (pathname.startsWith('/pkg/')) loaded.set(pathname, Math.max(responseBodySize, loaded.get(pathname) ?? 0));
  });
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect([...loaded.keys()]).toEqual(['/pkg/keepsake.css']);
  await fill(page, server().editor.email, server().editor.password);
  await hydrated(page);
  await expect.poll(() => [...loaded.keys()].sort()).toEqual(['/pkg/keepsake.css', '/pkg/keepsake.js', '/pkg/keepsake.wasm']);
  expect([...loaded.values()].reduce((sum, bytes) => sum + bytes)).toBeLessThan(MAX_BUNDLE_BYTES);
});

test('the password can be shown and hidden, and is still a password for managers', async ({ page }) => {
  await open(page, '/login');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

test.describe('a session that ends while the queue is open', () => {
  test.use({ expectedStatuses: [401] });

  test('asks to sign in again over the page, and goes on', async ({ page, context }) => {
    await signIn(context, server().editor);
    await open(page, '/review');
    await context.clearCookies();
    // Not a click of the mouse: the connection may have noticed first, and the dialog be there already.
    await page.getByTestId('approve').first().dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await expect(again).toBeVisible();
    await again.getByLabel('Email').fill(server().editor.email);
    await again.getByLabel('Password').fill(server().editor.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expect(again).toBeHidden();
    await expect(page.getByTestId('review-list')).toBeVisible();
  });
});
