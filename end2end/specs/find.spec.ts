// The command palette: places and things by a few letters, from any page.
import { expect, hydrated, open, propose, signIn, server, test } from '../fixtures';

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

test('Ctrl K finds pages, settings, facts and ids from any page, by keyboard alone', async ({ page }) => {
  const id = await propose(page, 'Palette probes are answered by the lighthouse rota');
  await open(page, '/stats');
  await page.keyboard.press('Control+k');
  const dialog = page.getByTestId('dialog');
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await expect(dialog.getByRole('link', { name: 'Review queue' })).toBeVisible();

  await page.keyboard.type('team merge');
  await expect(dialog.getByRole('link')).toHaveText([/Team merge similarity/]);
  await dialog.getByRole('searchbox').fill('lighthouse rota');
  await expect(dialog.getByRole('link', { name: /lighthouse rota/ })).toHaveAttribute('href', `/manage/facts/${id}`);
  await dialog.getByRole('searchbox').fill('usr_7f3a91c2e4');
  await expect(dialog.getByRole('link', { name: /Open the record of/ })).toHaveAttribute('href', '/manage/users/usr_7f3a91c2e4');
  await dialog.getByRole('searchbox').fill('zzz qqq');
  await expect(dialog.getByRole('status')).toContainText('Nothing is called that');

  await dialog.getByRole('searchbox').fill('audit');
  await expect(dialog.getByRole('link').first()).toHaveText(/Audit log/);
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/audit');
});

test('Escape closes it, and the focus returns', async ({ page }) => {
  await open(page, '/manage/settings');
  await page.getByTestId('find').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('dialog')).toHaveCount(0);
  await expect(page.getByTestId('find')).toBeFocused();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('it is a page', async ({ page }) => {
    await open(page, '/stats', { script: false });
    await page.getByTestId('find').click();
    await page.getByRole('searchbox').fill('webhooks');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Webhooks', exact: true }).click();
    await expect(page).toHaveURL('/manage/webhooks');
  });
});

test('who may only view is offered no record', async ({ as }) => {
  const page = await as(server().viewer);
  await open(page, '/find?q=usr_7f3a91c2e4');
  await hydrated(page);
  await expect(page.getByRole('link', { name: /Open the record/ })).toHaveCount(0);
});
