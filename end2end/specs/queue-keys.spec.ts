// The keys of the queue: which row they are about after each step, and what they do.
import { expect, open, propose, row, server, signIn, strip, test } from '../fixtures';
import type { Page } from '@playwright/test';

const list = (word: string) => `/review?q=${word}&per=100`;

/** The row that the keys are about. */
const current = (page: Page) => page.locator('[data-testid="review-item"][aria-current="true"]');

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

test('the first J goes to the second row, and K back', async ({ page }) => {
  const ids = [];
  for (const day of ['Mondays', 'Tuesdays', 'Fridays']) ids.push(await propose(page, `Sandpiper queues are drained on ${day}.`));
  await open(page, list('sandpiper'));
  await expect(current(page)).toHaveAttribute('data-fact-id', ids[0]);
  await page.keyboard.press('j');
  await expect(row(page, ids[1])).toBeFocused();
  await page.keyboard.press('j');
  await expect(row(page, ids[2])).toBeFocused();
  await page.keyboard.press('j');
  await expect(row(page, ids[2])).toBeFocused();
  await page.keyboard.press('k');
  await expect(row(page, ids[1])).toBeFocused();
  await page.mouse.click(700, 20);
  await page.keyboard.press('k');
  await expect(row(page, ids[0])).toBeFocused();
});

test('after a bulk that left a flagged row, the keys are about that row', async ({ page }) => {
  const first = await propose(page, 'Dunlin port numbers are 7100 to 7199.');
  await open(page, list('dunlin'));
  await page.keyboard.press('a');
  await expect(strip(page)).toContainText('Approved');
  const flagged = await propose(page, 'Dunlin port numbers are 7200 to 7299.');
  const plain = await propose(page, 'Dunlin mirrors are synced at noon.');
  const rest = await propose(page, 'Dunlin archives are compressed with zstd.');
  expect(new Set([first, flagged, plain, rest]).size).toBe(4);
  await open(page, list('dunlin'));
  await expect(row(page, flagged).locator('.flag')).toBeVisible();
  for (const id of [flagged, plain]) await row(page, id).getByTestId('select-row').check();
  await page.getByTestId('bulk-approve').click();
  await expect(strip(page)).toContainText('1 approved. 1 contradicts another fact and was left for you.');
  await expect(row(page, plain)).toHaveCount(0);
  await expect(row(page, flagged)).toBeFocused();
  await expect(page.getByTestId('bulk-bar')).toBeHidden();
  await expect(row(page, flagged).getByTestId('select-row')).not.toBeChecked();
  await page.keyboard.press('j');
  await expect(row(page, rest)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('a');
  await expect(row(page, flagged)).toHaveCount(0);
});

test('after a bulk the keys go on with the row after the selection', async ({ page }) => {
  const ids = [];
  for (const n of ['north', 'south', 'east', 'west']) ids.push(await propose(page, `Plover cabinets in the ${n} hall are numbered.`));
  await open(page, list('plover'));
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('r');
  await expect(strip(page)).toContainText('2 rejected.');
  await expect(row(page, ids[3])).toBeFocused();
  await expect(row(page, ids[1])).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(row(page, ids[3])).toHaveCount(0);
  await expect(row(page, ids[0])).toBeFocused();
});

test('a digit after R weighs the next row; a reason is asked for with W, in sight', async ({ page }) => {
  const [first, second] = [await propose(page, 'Gadwall tables are split by month.'), await propose(page, 'Gadwall archives are kept in the north.')];
  await open(page, list('gadwall'));
  await page.keyboard.press('r');
  await expect(row(page, first)).toHaveCount(0);
  await page.keyboard.press('5');
  await expect(row(page, second)).toContainText('Importance 5');
  await expect(row(page, first)).toHaveCount(0);
  await expect(page.getByTestId('why-chips')).toHaveCount(0);
  await open(page, `/manage/facts/${first}`);
  await expect(page.getByTestId('fact-detail')).toHaveAttribute('data-status', 'rejected');
  await expect(page.getByTestId('rejected-for')).toHaveCount(0);
});

test('R, W and a digit say why, and the keys are about the list again', async ({ page }) => {
  const [, second] = [await propose(page, 'Curlew tables are split by week.'), await propose(page, 'Curlew indexes are kept in the cellar.')];
  await open(page, list('curlew'));
  await page.keyboard.press('r');
  // At once: the answer to the rejection may still be on its way.
  await page.keyboard.press('w');
  await expect(page.getByTestId('why-chips')).toBeVisible();
  await expect(page.getByTestId('reason-names_person')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('reason-not_durable')).toBeFocused();
  await page.keyboard.press('3');
  await expect(strip(page)).toHaveText('Reason noted, wrong: “Curlew tables are split by week.”');
  await expect(page.getByTestId('why-chips')).toBeHidden();
  await expect(row(page, second)).toBeFocused();
  await page.keyboard.press('4');
  await expect(row(page, second)).toContainText('Importance 4');
});

test('another key closes the question for a reason', async ({ page }) => {
  const ids = [];
  for (const n of ['red', 'blue', 'green']) ids.push(await propose(page, `Redshank crates in the ${n} bay are sealed.`));
  await open(page, list('redshank'));
  await page.keyboard.press('r');
  await expect(strip(page)).toContainText('Rejected');
  await page.keyboard.press('w');
  await expect(page.getByTestId('why-chips')).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByTestId('why-chips')).toBeHidden();
  await expect(row(page, ids[2])).toBeFocused();
  await page.keyboard.press('2');
  await expect(row(page, ids[2])).toContainText('Importance 2');
});
