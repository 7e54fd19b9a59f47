// Where the focus goes: after a verification, a draft that is taken back, a refused save, a key, and a question that is left.
import { expect, open, propose, row, server, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [422] });

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

/** A user whose receipt is open. */
async function erased(page: Page, user: string): Promise<void> {
  const data = { user_id: user, surface: 'web', content: 'keeps a kite in the cellar' };
  await page.request.post(`${server().url}/v1/memories`, { headers: { authorization: `Bearer ${server().key}` }, data });
  await page.request.post('/calls/users/open', { form: { user, reason: 'SUP-4471' } });
  await open(page, `/manage/users/${user}/erase`);
  await page.getByTestId('confirm-id').fill(user);
  await page.getByTestId('erase-submit').click();
  await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 25_000 });
}

test('a verification is where the focus goes once it was made', async ({ page }) => {
  test.slow();
  await erased(page, 'usr_focus_verify');
  await page.getByTestId('verify-again').click();
  await expect(page.getByText('Verified before:')).toBeVisible({ timeout: 25_000 });
  await expect(page.locator('#verification')).toBeFocused();
});

test('a receipt that refuses an id moves the focus to the error', async ({ page }) => {
  test.slow();
  await erased(page, 'usr_focus_refused');
  await page.getByTestId('verify-user').fill('usr_another');
  await page.getByTestId('verify-again').click();
  await expect(page.getByTestId('error-summary')).toBeFocused();
});

test('Discard leaves the focus in the form', async ({ page }) => {
  await open(page, '/manage/settings');
  const form = page.getByTestId('set-recall-size');
  await form.getByRole('textbox').first().fill('9');
  await form.getByRole('button', { name: 'Discard' }).click();
  await expect(form.getByRole('textbox').first()).toBeFocused();
  await expect(form.getByRole('button', { name: 'Discard' })).toBeHidden();
});

test('a refused save moves the focus to what is wrong', async ({ page }) => {
  await open(page, '/manage/settings');
  const box = page.getByTestId('thr-merge-global').getByRole('textbox');
  await box.fill('2');
  await expect(page.getByTestId('thr-merge-global').getByTestId('impact')).toContainText('Enter a number');
  await page.getByTestId('apply-thresholds').click();
  await expect(box).toBeFocused();
  await page.getByTestId('set-thresholds').getByRole('button', { name: 'Discard' }).click();

  const id = await propose(page, 'Dotterel ledgers are closed on the last working day.');
  for (const path of [`/review/${id}?edit=1`, `/manage/facts/${id}?edit=1`]) {
    await open(page, path);
    await page.getByTestId('edit-text').fill('Write to dana@example.org about ledgers.');
    await page.getByTestId('save').click();
    await expect(page.getByTestId('not-saved')).toBeFocused();
    // The text is saved by nothing, and leaving the page must not ask.
    await page.getByTestId('edit-text').fill('Dotterel ledgers are closed on the last working day.');
  }

  await open(page, '/manage/users');
  await page.getByLabel('User id').fill('usr_focus');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByTestId('error-summary')).toBeFocused();

  await open(page, '/manage/operators');
  await page.getByRole('button', { name: 'Add operator' }).click();
  await expect(page.getByTestId('error-summary')).toBeFocused();

  await open(page, '/manage/keys');
  await page.getByRole('button', { name: 'Add key' }).click();
  await expect(page.getByTestId('error-summary')).toBeFocused();
});

test('a key that sets the importance leaves the focus on the row', async ({ page }) => {
  const id = await propose(page, 'Phalarope mirrors are filled before dawn.');
  await open(page, '/review?q=phalarope');
  await row(page, id).focus();
  await page.keyboard.press('4');
  await expect(row(page, id)).toContainText('Importance 4');
  await expect(row(page, id)).toBeFocused();
  await page.keyboard.press('2');
  await expect(row(page, id)).toContainText('Importance 2');
  await expect(row(page, id)).toBeFocused();
});

test('a question takes the focus, and gives it back to what opened it', async ({ page }) => {
  const id = await propose(page, 'Whimbrel copies are checked before noon.');
  const questions = [
    { at: `/manage/facts/${id}`, opener: () => page.getByTestId('delete') },
    { at: '/manage/operators', opener: () => page.getByRole('link', { name: `Disable: ${server().viewer.name}` }) },
    { at: '/manage/keys', opener: () => page.getByTestId('revoke').first() },
  ];
  for (const { at, opener } of questions) {
    for (const leave of ['Escape', 'Cancel']) {
      await open(page, at);
      await opener().focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByTestId('dialog-cancel'), at).toBeFocused();
      if (leave === 'Escape') await page.keyboard.press('Escape');
      else await dialog.getByTestId('dialog-cancel').click();
      await expect(dialog).toHaveCount(0);
      await expect(opener(), `${at}, left with ${leave}`).toBeFocused();
    }
  }
});

test('a question about settings gives the focus back to the button, and the drafts stay', async ({ page }) => {
  await open(page, '/manage/settings');
  const form = page.getByTestId('set-thresholds');
  await form.getByTestId('thr-merge-global').getByRole('textbox').fill('0.91');
  await form.getByTestId('apply-thresholds').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByTestId('dialog-cancel')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(form.getByTestId('apply-thresholds')).toBeFocused();
  await expect(form.getByTestId('thr-merge-global').getByRole('textbox')).toHaveValue('0.91');
});
