// What a decision leads to and why it was made, menus and layers, and where undo is offered.
import { approve, expect, hydrated, open, propose, reject, row, server, signIn, strip, test } from '../fixtures';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [409, 422] });

const list = (word: string) => `/review?q=${word}`;

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

/** An approved fact and a pending one that contradicts it. */
async function conflict(page: Page, word: string): Promise<[string, string, string, string]> {
  const [first, second] = [`${word} previews listen on ports 7300 to 7399.`, `${word} previews listen on ports 7400 to 7499.`];
  const approved = await propose(page, first);
  await page.request.post('/calls/decide', { form: { 'ids[]': `${approved}:1`, action: 'approve' } });
  return [approved, first, await propose(page, second), second];
}

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });
    const word = (a: string, b: string) => (script ? a : b);

    test('what is approved and not recalled names the conflict and the way out', async ({ page }) => {
      const [approved, first, id, second] = await conflict(page, word('Gannet', 'Beacon'));
      await open(page, `/review/${id}`, { script });
      await expect(page.getByTestId('outlook')).toContainText('Approving it is not enough');
      await open(page, list(word('gannet', 'beacon')), { script });
      await approve(page, second).click();
      await expect(strip(page)).toContainText(`Approved “${second}”, not recalled: it conflicts with “${first}”.`);
      await strip(page).getByRole('link', { name: 'Resolve' }).click();
      await expect(page).toHaveURL(`/manage/facts/${id}/duel/${approved}`);
      await page.getByTestId('keep-b').click();
      await expect(strip(page)).toContainText('Kept the second fact, rejected the first');
    });

    test('a rejection says why', async ({ page }) => {
      const name = word('Shearwater', 'Petrel');
      const text = `${name} caches are emptied at noon.`;
      const id = await propose(page, text);
      await open(page, list(name), { script });
      await reject(page, text).click();
      await expect(strip(page)).toContainText(`Rejected “${text}”`);
      await page.getByTestId('why').locator('summary').click();
      await page.getByTestId('reason-not_durable').click();
      await expect(strip(page)).toHaveText(`Reason noted, not durable: “${text}”`);
      await page.getByTestId('why').locator('summary').click();
      await page.getByTestId('reason-note').fill('It moves with every release.');
      await page.getByTestId('reason-save').click();
      await expect(strip(page)).toContainText('Reason noted, other:');
      await open(page, `/manage/facts/${id}`, { script });
      await expect(page.getByTestId('rejected-for')).toHaveText('“It moves with every release.”');
      await expect(page.getByText('Reason given · Other: “It moves with every release.”')).toBeVisible();
      await open(page, '/manage/facts?status=rejected&reason=other', { script });
      await expect(page.getByTestId('fact-row').filter({ hasText: text })).toHaveCount(1);
    });

    test('an edit that comes close to an approved fact asks first', async ({ page }) => {
      const name = word('Fulmar', 'Skimmer');
      const approved = await propose(page, `${name} exports of the billing service finish before dawn in the north region.`);
      await page.request.post('/calls/decide', { form: { 'ids[]': `${approved}:1`, action: 'approve' } });
      const id = await propose(page, `The kitchen printer of ${name} needs paper in landscape format.`);
      await open(page, `/review/${id}?edit=1`, { script });
      await page.getByTestId('edit-text').fill(`${name} exports of the catalog service finish before dawn in the north region.`);
      await page.getByTestId('save').click();
      await expect(page.getByTestId('not-saved')).toContainText('close to an approved fact');
      await expect(page.getByTestId('not-saved').getByRole('link', { name: 'Open that fact' })).toHaveAttribute('href', `/manage/facts/${approved}`);
      await expect(page.getByTestId('edit-text')).toHaveValue(`${name} exports of the catalog service finish before dawn in the north region.`);
      await page.getByTestId('save').click();
      await expect(strip(page)).toContainText(`Saved “${name} exports of the catalog service finish before dawn in the north region.”`);
    });

    test('what was decided today says how, with a way back', async ({ page }) => {
      const text = `${word('Plover', 'Dunlin')} mirrors are read only.`;
      const id = await propose(page, text);
      await page.request.post('/calls/decide', { form: { 'ids[]': `${id}:1`, action: 'reject' } });
      await open(page, `/review?view=mine&when=today&per=100&sort=newest&q=${word('plover', 'dunlin')}`, { script });
      await expect(row(page, id)).toContainText('Rejected');
      await row(page, id).getByTestId('reopen').click();
      await expect(strip(page)).toContainText('Re-opened');
      await page.getByTestId('back-to-queue').click();
      await expect(page).toHaveURL('/review');
    });
  });
}

test.describe('in the browser', () => {
  test('Z takes back a decision about facts only where facts are', async ({ page }) => {
    const id = await propose(page, 'Turnstone reports are sent on Mondays.');
    await open(page, list('turnstone'));
    await approve(page, 'Turnstone reports are sent on Mondays.').click();
    await expect(strip(page)).toContainText('Approved');
    await open(page, '/manage/settings');
    await expect(page.getByTestId('undo')).toHaveAccessibleName('Undo in Review: approved “Turnstone reports are sent on Mondays.”');
    await page.keyboard.press('z');
    await open(page, '/manage/facts?q=turnstone');
    await expect(page.locator(`[data-fact-id="${id}"]`)).toHaveAttribute('data-status', 'approved');
    await open(page, `/manage/facts/${id}/delete`);
    await expect(page.getByTestId('undo')).toHaveCount(0);
    await open(page, list('turnstone'));
    await page.keyboard.press('z');
    await expect(strip(page)).toContainText('Undone: “Turnstone reports are sent on Mondays.” is pending again');
    await expect(row(page, id)).toBeFocused();
  });

  test('Esc closes one layer at a time, and the bar stays in view', async ({ page }) => {
    for (let n = 1; n <= 27; n += 1) await propose(page, `Guillemot shelf ${n} holds box ${n * 11} of the archive.`);
    await open(page, '/review?q=guillemot&per=100');
    await page.getByTestId('select-all').click();
    const top = async () => (await page.getByTestId('review-item').first().boundingBox())?.y;
    const before = await top();
    await page.getByTestId('bulk-reject').click();
    await expect(page.getByTestId('bulk-sure')).toContainText('Reject 27 facts?');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(await top()).toBe(before);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('bulk-sure')).toHaveCount(0);
    await expect(page.getByTestId('bulk-reject')).toBeFocused();
    await expect(page.getByTestId('bulk-count')).toHaveText('27 selected');
    await page.getByTestId('bulk-importance').locator('summary').click();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('bulk-importance')).not.toHaveAttribute('open');
    await expect(page.getByTestId('bulk-count')).toHaveText('27 selected');
    await page.getByTestId('review-item').last().scrollIntoViewIfNeeded();
    await expect(page.getByTestId('bulk-reject')).toBeInViewport();
    await page.getByTestId('bulk-clear').focus();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('bulk-bar')).toBeHidden();
  });

  test('a filter takes several choices; one menu is open at a time', async ({ page }) => {
    await open(page, '/manage/facts?status=all');
    const [kind, origin] = [page.getByTestId('filter-kind'), page.getByTestId('filter-origin')];
    await kind.locator('summary').click();
    await kind.getByLabel('How-to').check();
    await kind.getByLabel('Glossary').check();
    await expect(page).toHaveURL('/manage/facts?status=all');
    await page.keyboard.press('Escape');
    await expect(kind).not.toHaveAttribute('open');
    await kind.locator('summary').click();
    await expect(kind.getByLabel('How-to')).not.toBeChecked();
    await origin.locator('summary').click();
    await expect(kind).not.toHaveAttribute('open');
    await page.getByRole('heading', { name: 'Facts' }).click();
    await expect(origin).not.toHaveAttribute('open');
    await kind.locator('summary').click();
    await kind.getByLabel('How-to').check();
    await kind.getByLabel('Glossary').check();
    await kind.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/kind=howto&kind=glossary/);
    await hydrated(page);
    await expect(kind.locator('summary')).toContainText('How-to, Glossary');
  });

  test('pages of the queue are turned both ways', async ({ page }) => {
    for (const n of ['north', 'south', 'east', 'west', 'upper', 'lower', 'inner', 'outer', 'old', 'new', 'left']) await propose(page, `Razorbill gate ${n} opens for couriers.`);
    await open(page, '/review?q=razorbill&per=10');
    await expect(page.getByTestId('pager-range')).toHaveText('1–10 of 11');
    await page.getByTestId('pager-next').click();
    await expect(page.getByTestId('pager-range')).toHaveText('11–11 of 11');
    await hydrated(page);
    await page.keyboard.press('[');
    await expect(page.getByTestId('pager-range')).toHaveText('1–10 of 11');
  });
});
