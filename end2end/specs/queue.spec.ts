// Working in the queue: shortcuts, selections, edits, undo, saved views, and changes made by others.
import { approve, deaf, expect, server, open, propose, reject, row, signIn, strip, test } from '../fixtures';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [409, 422, 599] });

/** Lists the facts of one test, by a word that only they contain. */
const list = (word: string) => `/review?q=${word}`;
const key = (page: Page, ...keys: string[]) => keys.reduce(async (before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

test.describe('by keys', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('a row is walked to, weighed, approved and undone', async ({ page }) => {
    const [first, second] = [await propose(page, 'Heron dashboards refresh every minute.'), await propose(page, 'Heron alerts stay in their channel for a month.')];
    await open(page, list('heron'));
    await key(page, 'j');
    await expect(row(page, second)).toBeFocused();
    await key(page, '5');
    await expect(strip(page)).toContainText('Set to importance 5');
    await expect(row(page, second)).toContainText('Importance 5');
    await expect(row(page, second)).toBeFocused();
    await key(page, 'a');
    await expect(strip(page)).toContainText('Approved');
    await expect(row(page, second)).toHaveCount(0);
    await expect(row(page, first)).toBeFocused();
    await expect(page.getByTestId('undo')).toHaveAccessibleName('Undo: approved “Heron alerts stay in their channel for a month.”');
    await key(page, 'z');
    await expect(strip(page)).toContainText('Undone: “Heron alerts stay in their channel for a month.” is pending again');
    await expect(row(page, second)).toBeFocused();
    // The next undo is about the importance, and says so.
    await expect(page.getByTestId('undo')).toContainText('Undo: set the importance');
  });

  test('the menu of a row sets its importance', async ({ page }) => {
    const id = await propose(page, 'Bittern reports are kept for a year.');
    await open(page, list('bittern'));
    const menu = row(page, id).getByTestId('more');
    await menu.locator('summary').click();
    await expect(menu.getByRole('button', { name: 'Copy link' })).toBeVisible();
    await menu.getByRole('button', { name: 'Importance 2' }).click();
    await expect(strip(page)).toContainText('Set to importance 2');
    await expect(row(page, id)).toContainText('Importance 2');
  });

  test('letters are letters in a field, and can be turned off', async ({ page }) => {
    const id = await propose(page, 'Egret exports are rotated weekly by the scheduler.');
    await open(page, list('egret'));
    await key(page, '/');
    await page.keyboard.type('ar');
    await expect(page.getByTestId('filter-q')).toHaveValue(/ar/);
    await expect(row(page, id)).toBeVisible();
    await page.getByTestId('account-menu').locator('summary').click();
    await page.getByRole('button', { name: 'Single-key shortcuts: change to off' }).click();
    await expect(page.getByRole('button', { name: 'Single-key shortcuts: change to on' })).toBeVisible();
    await row(page, id).focus();
    await key(page, 'r');
    await expect(row(page, id)).toBeVisible();
    await page.getByRole('button', { name: 'Single-key shortcuts: change to on' }).click();
  });

  test('several are selected and decided at once, as one step back', async ({ page }) => {
    const ids = [];
    for (const n of ['north', 'south', 'west']) ids.push(await propose(page, `Osprey mirror of region ${n} syncs from the primary.`));
    await open(page, list('osprey'));
    await key(page, 'j', 'x', 'Shift+J');
    await expect(page.getByTestId('bulk-count')).toHaveText('2 selected');
    await key(page, 'Escape');
    await expect(page.getByTestId('bulk-bar')).toBeHidden();
    await page.getByTestId('select-all').click();
    await expect(page.getByTestId('bulk-count')).toHaveText('3 selected');
    await key(page, 'r');
    await expect(strip(page)).toHaveText('3 rejected.');
    for (const id of ids) await expect(row(page, id)).toHaveCount(0);
    await page.getByTestId('undo').click();
    await expect(strip(page)).toHaveText('Undone: 3 facts are as before.');
    await expect(page.getByTestId('review-item').filter({ hasText: 'Osprey' }).and(page.locator(':focus'))).toHaveCount(1);
    for (const id of ids) await expect(row(page, id)).toBeVisible();
  });

  test('the list of keys opens and closes', async ({ page }) => {
    await open(page, '/review');
    await key(page, '?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await key(page, 'Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await key(page, 'g', 's');
    await expect(page).toHaveURL(/\/stats/);
  });
});

test.describe('editing', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('shows what the gate says, saves and approves', async ({ page }) => {
    const id = await propose(page, 'The curlew builds run on the spare cluster.');
    await open(page, list('curlew'));
    await row(page, id).getByTestId('edit').click();
    const text = page.getByTestId('edit-text');
    await expect(page.getByTestId('filter-verdict')).toHaveText('No personal data found');
    await text.fill('Curlew builds: write to dana@example.org first.');
    await expect(page.getByTestId('filter-verdict')).toContainText('must go');
    await page.getByTestId('save').click();
    await expect(page.getByTestId('not-saved')).toBeFocused();
    await expect(page.getByTestId('not-saved')).toContainText('1 thing must go: an email (“dana@example.org”).');
    await expect(page.getByTestId('marked').locator('mark')).toHaveText('dana@example.org');
    await expect(page.getByTestId('filter-verdict')).toBeEmpty();
    await expect(text).toHaveValue('Curlew builds: write to dana@example.org first.');
    await text.fill('The curlew builds run on the spare cluster at night.');
    await page.getByTestId('save-approve').click();
    await expect(strip(page)).toContainText('Saved and approved');
    await page.goto(`/review/${id}`);
    await expect(row(page, id)).toHaveAttribute('data-status', 'approved');
    await expect(page.getByTestId('review-item').getByText('at night')).toBeVisible();
  });
});

test.describe('live', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('a row that another operator decides says so where it stands', async ({ page, as }) => {
    const text = 'Bittern queues drain before each release.';
    const id = await propose(page, text);
    await open(page, list('bittern'));
    await expect(page.getByTestId('live-state')).toHaveText('Live · updated just now');
    const other = await as(server().other);
    await open(other, list('bittern'));
    await reject(other, text).click();
    const gone = page.getByTestId('review-item-gone');
    await expect(gone).toContainText(`Rejected by ${server().other.name} just now — “${text}”`);
    await expect(approve(page, text)).toHaveCount(0);
    await gone.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.locator(`[data-fact-id="${id}"]`)).toHaveCount(0);
  });

  test('a rejected one can be re-opened and approved from its note', async ({ page, as }) => {
    test.info().annotations.push({ type: 'conflict' });
    const text = 'Avocet snapshots are verified by a weekly restore.';
    const id = await propose(page, text);
    await deaf(page);
    await open(page, list('avocet'));
    const other = await as(server().other);
    await open(other, list('avocet'));
    await reject(other, text).click();
    await expect(strip(other)).toContainText('Rejected');
    await approve(page, text).click();
    await page.getByTestId('reopen-approve').click();
    await expect(strip(page)).toContainText('Approved');
    await page.goto(`/review/${id}`);
    await expect(row(page, id)).toHaveAttribute('data-status', 'approved');
  });
});

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, viewport: { width: 1440, height: 900 } });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('filters are in the URL, and an empty list says what filtered it', async ({ page }) => {
      const word = script ? 'tern' : 'skua';
      const id = await propose(page, `${word} workers restart after a failed health check.`);
      await open(page, '/review', { script });
      await page.getByTestId('filter-q').fill(`${word} workers`);
      await page.getByTestId('filter-q').press('Enter');
      await expect(page).toHaveURL(/q=(tern|skua)(\+|%20)workers/);
      await expect(row(page, id)).toBeVisible();
      await page.goto(`/review?q=${word}+workers&kind=glossary`);
      await expect(page.getByTestId('empty')).toContainText('No candidate matches');
      await expect(page.getByTestId('empty')).toContainText('kind Glossary');
      await page.getByTestId('empty').getByRole('link', { name: 'Clear filters' }).click();
      await expect(page).toHaveURL('/review');
    });

    test('an edit is a form, and so is the way back', async ({ page }) => {
      const word = script ? 'knot' : 'ruff';
      const id = await propose(page, `${word} jobs start at five in the morning.`);
      await open(page, `/review/${id}?edit=1`, { script });
      await page.getByTestId('edit-text').fill(`${word} jobs start at six in the morning.`);
      await page.getByTestId('save').click();
      await expect(strip(page)).toContainText('Saved');
      await page.goto(`/review/${id}`);
      await expect(page.locator('.statement')).toContainText('at six in the morning');
      await page.getByTestId('undo').click();
      await expect(strip(page)).toContainText(`Undone: “${word} jobs start at five in the morning.” is as it was before`);
      await page.goto(`/review/${id}`);
      await expect(page.locator('.statement')).toContainText('at five in the morning');
    });

    test('a view is saved, opened and deleted', async ({ page }) => {
      const name = `How-tos ${script}`;
      await open(page, '/review?kind=howto', { script });
      await page.getByText('Save view').click();
      const form = page.locator('.save-view');
      await form.getByLabel('Name').fill(name);
      await form.getByRole('button', { name: 'Save' }).click();
      const tab = page.getByTestId('view-tab').filter({ hasText: name });
      await expect(tab).toBeVisible();
      await page.goto('/review');
      await tab.click();
      await expect(page).toHaveURL('/review?kind=howto');
      await page.locator(`summary[aria-label="View ${name}: rename or delete"]`).click();
      await page.getByRole('button', { name: 'Delete view' }).click();
      await expect(tab).toHaveCount(0);
    });
  });
}

test.describe('boxes without script', () => {
  test.use({ javaScriptEnabled: false });

  test('send what is checked', async ({ page, context }) => {
    await signIn(context, server().editor);
    const ids = [await propose(page, 'Gannet volumes are encrypted at rest.'), await propose(page, 'Gannet keys rotate every quarter.')];
    await page.goto(list('gannet'));
    for (const id of ids) await row(page, id).getByTestId('select-row').check();
    await page.getByTestId('bulk-approve').click();
    await expect(strip(page)).toHaveText('2 approved.');
    await page.goto('/review?view=mine&when=today&sort=newest');
    for (const id of ids) await expect(row(page, id)).toHaveAttribute('data-status', 'approved');
    await row(page, ids[0]).getByTestId('reopen').click();
    await expect(strip(page)).toContainText('Re-opened');
  });
});
