// Forms: a session that ends while one is open, and everything that is wrong with one at once.
import { expect, open, propose, server, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

async function signInAgain(page: Page): Promise<void> {
  await again(page).getByLabel('Email').fill(server().editor.email);
  await again(page).getByLabel('Password').fill(server().editor.password);
  await again(page).getByRole('button', { name: 'Sign in' }).click();
  await expect(again(page)).toBeHidden();
}

test.describe('a session that ends while a form is open', () => {
  test.use({ expectedStatuses: [401, 422] });

  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  /** A page with a form, what is typed, and the button that sends it. */
  const forms: [string, (page: Page) => Promise<string>, [string, string][], string, RegExp | string][] = [
    ['a new key', async () => '/manage/keys', [['#key-name', 'typed key'], ['#key-surface', 'web']], 'Add key', /at least one of read/],
    ['a new webhook', async () => '/manage/webhooks', [['#new-url', 'ftp://example.org/typed']], 'Add webhook', /https/],
    ['the recall inspector', async () => '/manage/recall', [['#question', 'Which typed words stay?']], 'Ask', /On Web/],
    ['the search for a user', async () => '/manage/users', [['#q', 'usr_typed'], ['#reason', 'SUP-9']], 'Find', /usr_typed/],
    ['the gate', async () => '/manage/gate', [['#text', 'Typed lines are kept.']], 'Try it', /Passes|Refused/],
    ['a fact’s text', async (page) => `/manage/facts/${await propose(page, 'Avocet lockers are painted grey.')}?edit=1`, [['textarea', 'Avocet lockers are painted white.']], 'Save', /white/],
  ];

  for (const [name, place, typed, button, then] of forms) {
    test(`asks to sign in again, and keeps what was typed: ${name}`, async ({ page, context }) => {
      await open(page, await place(page));
      for (const [field, text] of typed) await page.locator(`main ${field}`).first().fill(text);
      await context.clearCookies();
      await page.getByRole('main').getByRole('button', { name: button, exact: !button.startsWith('Save') }).first().click();
      await expect(again(page)).toBeVisible();
      for (const [field, text] of typed) await expect(page.locator(`main ${field}`).first()).toHaveValue(text);
      await signInAgain(page);
      for (const [field, text] of typed) await expect(page.locator(`main ${field}`).first()).toHaveValue(text);
      await page.getByRole('main').getByRole('button', { name: button, exact: !button.startsWith('Save') }).first().click();
      await expect(page.getByRole('main')).toContainText(then);
    });
  }

  test('asks as soon as the server ends the session, before anything is sent', async ({ page, context }) => {
    await open(page, '/manage/keys');
    await page.getByLabel('Name').fill('typed key');
    await expect(page.locator('.live-state.on')).toBeAttached();
    // Signed out in another tab.
    expect((await context.request.post(`${server().url}/calls/sign_out`, { headers: { origin: server().url } })).ok()).toBe(true);
    await expect(again(page)).toBeVisible({ timeout: 20_000 });
    await expect(page.getByLabel('Name')).toHaveValue('typed key');
  });

  test('a wrong password is said in the dialog, which stays', async ({ page, context }) => {
    await open(page, '/manage/webhooks');
    await context.clearCookies();
    // The dialog may be there before the click.
    await page.getByRole('button', { name: 'Add webhook' }).dispatchEvent('click');
    await again(page).getByLabel('Email').fill(server().editor.email);
    await again(page).getByLabel('Password').fill('not this one at all');
    await again(page).getByRole('button', { name: 'Sign in' }).click();
    await expect(again(page).getByRole('alert')).toHaveText('The email or password is not right.');
    await signInAgain(page);
  });
});

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, expectedStatuses: [422] });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    const wrong = async (page: Page, count: number, fields: string[]) => {
      const summary = page.getByTestId('error-summary');
      await expect(summary).toContainText(`There are ${count} problems`);
      await expect(summary.getByRole('link')).toHaveCount(count);
      await expect(summary).toBeFocused();
      for (const field of fields) {
        await expect(page.locator(`#${field}-error`)).toBeVisible();
        await expect(summary.locator(`a[href="#${field}"]`)).toBeVisible();
      }
    };

    test('a new key', async ({ page }) => {
      await open(page, '/manage/keys', { script });
      await page.getByLabel('User id').fill('x'.repeat(129));
      await page.getByLabel('Expires').fill('someday');
      await page.getByRole('button', { name: 'Add key' }).click();
      await wrong(page, 4, ['key-name', 'key-scopes', 'key-user', 'key-expires']);
      await expect(page.getByLabel('Expires')).toHaveValue('someday');
    });

    test('a new webhook', async ({ page }) => {
      await open(page, '/manage/webhooks', { script });
      for (const box of await page.getByTestId('add-webhook').getByRole('checkbox').all()) await box.uncheck();
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await wrong(page, 2, ['new-url', 'new-events']);
    });

    test('a new operator', async ({ page }) => {
      await open(page, '/manage/operators', { script });
      await page.getByRole('button', { name: 'Add operator' }).click();
      await expect(page.getByTestId('error-summary')).toContainText('problems');
      for (const field of ['new-email', 'new-name']) await expect(page.locator(`#${field}-error`)).toBeVisible();
    });

    test('a new password', async ({ page }) => {
      await open(page, '/account', { script });
      await page.getByLabel('Current password').fill('not mine at all');
      await page.getByLabel('New password').fill('short');
      await page.getByRole('button', { name: 'Change password' }).click();
      await wrong(page, 2, ['present', 'password']);
    });

    test('the search for a user and the look-up of erasures', async ({ page }) => {
      await open(page, '/manage/users', { script });
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await wrong(page, 2, ['q', 'reason']);
      await open(page, '/manage/erasures', { script });
      await page.getByTestId('sought-submit').click();
      await wrong(page, 2, ['sought-user', 'sought-reason']);
    });

    test('the confirmation of an erasure', async ({ page }) => {
      const user = `usr_all_at_once_${script}`;
      await page.request.post(`${server().url}/v1/memories`, {
        headers: { authorization: `Bearer ${server().key}` },
        data: { user_id: user, surface: 'web', content: 'Likes tea.', kind: 'preference' },
      });
      await page.request.post('/calls/users/open', { form: { user, reason: 'SUP-100' } });
      await open(page, `/manage/users/${user}/erase`, { script });
      await page.getByTestId('confirm-ticket').fill('');
      await page.getByTestId('confirm-id').fill('somebody else');
      await page.getByTestId('erase-submit').click();
      await wrong(page, 2, ['ticket', 'confirm-id']);
      await expect(page.locator('#confirm-id-error')).toContainText(`The user id does not match. Type ${user}.`);
      if (script) {
        await page.getByTestId('confirm-id').fill(user);
        await expect(page.locator('#confirm-id-error')).toHaveCount(0);
        await expect(page.getByTestId('error-summary').getByRole('link')).toHaveCount(1);
      }
    });
  });
}
