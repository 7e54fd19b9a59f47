// States that need a separate server: nothing learned yet, many changes at once, and changes while a page is open.
import { spare, type Spare } from '../server';
import { approve, expect, server, hydrated, open, propose, row, signIn, strip, test } from '../fixtures';
import type { Locator, Page } from '@playwright/test';

test.use({ expectedStatuses: [403, 404, 409, 422, 500, 599] });
test.describe.configure({ mode: 'serial' });

const shared = process.env.KEEPSAKE_SERVER;
let own: Spare | undefined;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  own = await spare();
  process.env.KEEPSAKE_SERVER = JSON.stringify(own);
});

test.afterAll(async () => {
  process.env.KEEPSAKE_SERVER = shared;
  await own?.stop();
});

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

/** Proposes a fact for a user, as an assistant would. */
async function says(page: Page, user: string, content: string): Promise<{ outcome: string; id: string }> {
  const answer = await page.request.post(`${server().url}/v1/facts`, {
    headers: { authorization: `Bearer ${server().key}` },
    data: { content, kind: 'fact', origin: 'assistant', user_id: user },
  });
  return answer.json();
}

async function set(page: Page, key: string, value: string): Promise<void> {
  const rows = (await (await page.request.get('/calls/settings/list')).json()).rows as { key: string; version: number }[];
  const version = String(rows.find((row) => row.key === key)?.version ?? 0);
  const form = { 'changes[0][key]': key, 'changes[0][value]': value, 'changes[0][version]': version };
  expect((await page.request.post('/calls/settings/apply', { form })).ok()).toBe(true);
}

for (const script of [true, false]) {
  test.describe(`a new system, ${script ? 'with' : 'without'} script`, () => {
    test.use({ javaScriptEnabled: script });

    test('says what will appear where', async ({ page }) => {
      await open(page, '/stats', { script });
      await expect(page.getByText('Nothing yet. Numbers appear after the first conversation.')).toHaveCount(5);
      await open(page, '/review', { script });
      await expect(page.getByTestId('empty')).toContainText('Nothing is waiting');
      await open(page, '/manage/facts', { script });
      await expect(page.getByTestId('empty')).toContainText('No approved facts yet');
      await open(page, '/manage/facts?status=rejected', { script });
      await expect(page.getByTestId('empty')).toContainText('No rejected facts');
      await open(page, '/manage/users', { script });
      await page.getByLabel('User id').fill('usr_nobody');
      await page.getByTestId('find-reason').fill('SUP-4471');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByTestId('empty')).toContainText('No user matches “usr_nobody”.');
      await open(page, '/audit?q=gf_nothing', { script });
      await expect(page.getByTestId('empty')).toContainText('No entry matches');
      await open(page, '/manage/settings/history', { script });
      await expect(page.getByTestId('empty')).toBeVisible();
    });
  });
}

test('the queue says when nothing can come', async ({ page }) => {
  await set(page, 'learn.global', 'off');
  await open(page, '/review');
  await expect(page.getByTestId('empty')).toContainText('The team-candidate extractor is off');
  await page.getByRole('link', { name: 'Open Settings' }).click();
  await expect(page).toHaveURL(/\/manage\/settings/);
  await set(page, 'learn.global', 'on');
});

test('what comes while one looks waits above the list', async ({ page }) => {
  const first = await propose(page, 'Finch runners restart after each nightly build.');
  await open(page, '/review');
  await expect(row(page, first)).toBeVisible();
  const second = await propose(page, 'Wren gateways refuse uploads above twenty megabytes.');
  await page.getByTestId('new-arrivals').click();
  await expect(row(page, second)).toBeVisible();
  await expect(page.getByTestId('new-arrivals')).toHaveCount(0);
});

test('what promotes itself says so where it stands', async ({ page }) => {
  await set(page, 'promote.contributors', '2');
  const text = 'Feature flags are read once at boot.';
  const { id } = await says(page, 'usr_one', text);
  await open(page, '/review');
  await expect(row(page, id)).toBeVisible();
  // The same words at the same time would be one voice.
  expect((await says(page, 'usr_two', 'At boot, feature flags are read once.')).outcome).toBe('promoted');
  const gone = page.locator(`[data-fact-id="${id}"]`);
  await expect(gone).toHaveAttribute('data-testid', 'review-item-gone');
  await expect(gone).toContainText('Promoted automatically');
  await gone.getByRole('button', { name: 'Dismiss' }).click();
  await expect(gone).toHaveCount(0);
});

for (const script of [true, false]) {
  test.describe(`merging, ${script ? 'with' : 'without'} script`, () => {
    test.use({ javaScriptEnabled: script });

    test('asks first, and counts the people there', async ({ page }) => {
      const word = script ? 'Lapwing' : 'Dunlin';
      const kept = await says(page, 'usr_three', `${word} snapshots are taken every 4 hours by the keeper.`);
      const { id, outcome } = await says(page, 'usr_four', `${word} snapshots are taken every 6 hours by the keeper.`);
      expect(outcome).toBe('pending');
      await open(page, `/review/${id}`, { script });
      await page.getByTestId('merge-into').first().click();
      await expect(page.getByTestId('merge')).toContainText('You can undo the merge for a day');
      await page.getByTestId('dialog-confirm').click();
      await expect(page).toHaveURL(/\/review$/);
      await expect(strip(page)).toContainText('Merged.');
      await page.goto(`/review/${id}`);
      await expect(page.getByTestId('panel-error')).toBeVisible();
      await page.goto(`/manage/facts/${kept.id}`);
      await expect(page.getByTestId('contributors')).toContainText('2 or more');
    });

    test('is taken back', async ({ page }) => {
      const word = script ? 'Siskin' : 'Serin';
      const kept = await says(page, 'usr_seven', `${word} caches are emptied every 4 hours by the sweeper.`);
      const { id } = await says(page, 'usr_eight', `${word} caches are emptied every 6 hours by the sweeper.`);
      await open(page, `/review/${id}?merge=${kept.id}`, { script });
      await page.getByTestId('dialog-confirm').click();
      await expect(strip(page)).toContainText('Merged.');
      await page.getByTestId('undo').click();
      await expect(strip(page)).toContainText('Merge undone.');
      await page.goto(`/review/${id}`);
      await expect(page.getByTestId('panel-error')).toHaveCount(0);
      await page.goto(`/manage/facts/${kept.id}`);
      await expect(page.locator('main')).toContainText('Another fact was merged in');
    });
  });
}

test('a merge by somebody else says where the row went', async ({ page, as }) => {
  const kept = await says(page, 'usr_five', 'Plover mirrors are checked every four hours by the watcher.');
  const { id } = await says(page, 'usr_six', 'Plover mirrors are checked every six hours by the watcher.');
  await open(page, `/review?q=plover`);
  await expect(row(page, id)).toBeVisible();
  const other = await as(server().other);
  await open(other, `/review/${id}?merge=${kept.id}`);
  await other.getByTestId('dialog-confirm').click();
  const gone = page.locator(`[data-fact-id="${id}"]`);
  await expect(gone).toContainText(`Merged into ${kept.id}`);
  await gone.getByRole('link', { name: 'Open it' }).click();
  await expect(page).toHaveURL(`/manage/facts/${kept.id}`);
});

test('both texts are kept when another operator was faster', async ({ page, as }) => {
  const id = await propose(page, 'Teal caches hold answers for an hour.');
  for (const path of ['/review?q=teal', `/review/${id}?edit=1`, `/manage/facts/${id}?edit=1`]) {
    await open(page, path);
    if (!path.includes('edit')) await row(page, id).getByTestId('edit').click();
    const mine = `Teal caches hold answers for two hours, ${path.length} at most.`;
    await page.getByTestId('edit-text').fill(mine);
    const other = await as(server().other);
    await open(other, `/review/${id}?edit=1`);
    await other.getByTestId('edit-text').fill(`Teal caches hold answers for one day, ${path.length} at most.`);
    await other.getByTestId('save').click();
    await expect(strip(other)).toContainText('Saved');
    await expect(page.getByTestId('conflict')).toContainText('one day');
    await expect(page.getByTestId('edit-text')).toHaveValue(mine);
    await page.getByTestId('keep-mine').click();
    await expect(page.getByTestId('conflict')).toHaveCount(0);
    await page.getByTestId('save').click();
    await expect(strip(page)).toContainText('Saved');
    await expect(page.getByText('two hours').first()).toBeVisible();
    await other.close();
  }
});

test('a number that somebody else changed is not overwritten', async ({ page, as }) => {
  await set(page, 'promote.contributors', '2');
  await open(page, '/manage/settings');
  await page.getByTestId('n-value').fill('4');
  const other = await as(server().other);
  await set(other, 'promote.contributors', '3');
  const card = page.getByTestId('set-autopromote');
  await expect(card.getByTestId('conflict')).toContainText(`${server().other.name} changed this from 2 to 3 while you were editing`);
  await expect(page.getByTestId('apply-n')).toBeHidden();
  await card.getByTestId('keep-mine').click();
  await page.getByTestId('apply-n').click();
  await page.getByTestId('dialog-confirm').click();
  await expect(page.getByTestId('said-auto-promote')).toHaveText('Auto-promote set to 4');
  await set(other, 'promote.contributors', '2');
  await expect(page.getByTestId('n-value')).toHaveValue('2');
  await expect(page.getByTestId('said-auto-promote')).toContainText(`${server().other.name} set this to 2 just now`);
});

test('more than a page is asked about once, and contradictions are left', async ({ page }) => {
  test.slow();
  for (let n = 1; n <= 27; n += 1) await propose(page, `Rail car ${n} of the north line carries spare part ${n * 7} for signals.`);
  await open(page, '/review?q=rail+car&per=25');
  await page.getByTestId('select-all').click();
  await page.getByTestId('bulk-all').click();
  const chosen = Number(/\d+/.exec((await page.getByTestId('bulk-count').textContent()) ?? '')?.[0]);
  expect(chosen).toBeGreaterThan(25);
  await page.getByTestId('bulk-reject').click();
  await expect(page.getByTestId('bulk-bar')).toContainText(`Reject ${chosen} facts? They are kept for audit and not recalled.`);
  await propose(page, 'Rail car 99 of the north line carries spare part 999 for signals.');
  await page.getByTestId('bulk-confirm').click();
  await expect(page.getByTestId('refused')).toContainText(`${chosen + 1} match now, you chose ${chosen}. Nothing was changed.`);
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByTestId('select-all').click();
  await page.getByTestId('bulk-all').click();
  await page.getByTestId('bulk-reject').click();
  await page.getByTestId('bulk-confirm').click();
  await expect(strip(page)).toContainText(`${chosen + 1} rejected.`);
  await expect(page.getByTestId('empty')).toContainText('No candidate matches');
});

test('a list that does not load says so and can be asked again', async ({ page }) => {
  await own?.without('views', async () => {
    await open(page, '/review?q=finch');
    await expect(page.getByTestId('panel-error')).toContainText('The queue did not load');
    await expect(page.getByTestId('panel-error')).toContainText(/Reference \w+/);
  });
  await page.getByTestId('retry').click();
  await hydrated(page);
  await expect(page).toHaveURL('/review?q=finch');
  await expect(page.getByTestId('filter-q')).toHaveValue('finch');
});

test('a card that does not load says so and leaves the others', async ({ page }) => {
  await own?.without('daily_counters', async () => {
    await open(page, '/stats');
    await expect(page.getByText('The merge rate did not load')).toBeVisible();
    await expect(page.getByTestId('calibration')).toBeVisible();
  });
  await page.getByTestId('retry').first().click();
  await expect(page.getByText('The merge rate did not load')).toHaveCount(0);
});

test('while a list is on its way its place is held', async ({ page }) => {
  await open(page, '/stats');
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/manage/facts', async (route) => {
    await held;
    await route.continue();
  });
  // While the next page loads, only the current page can record what it shows.
  const shown: object[] = [];
  await page.exposeFunction('shown', (state: object) => shown.push(state));
  await page.evaluate(() => {
    const main = document.querySelector('main')!;
    const visible = (test: string) => (document.querySelector(`[data-testid=${test}]`) as HTMLElement | null)?.checkVisibility() ?? false;
    const tell = () => (window as unknown as { shown: (state: object) => void }).shown({ busy: main.ariaBusy, bones: visible('skeleton'), strip: visible('stat-strip') });
    new MutationObserver(tell).observe(main, { attributes: true, childList: true });
  });
  await page.getByTestId('nav-manage').click({ noWaitAfter: true });
  await expect.poll(() => shown.at(-1)).toEqual({ busy: 'true', bones: true, strip: false });
  go();
  await expect(page.getByRole('navigation', { name: 'State' })).toBeVisible();
  await expect(page.getByTestId('skeleton')).toHaveCount(0);
});

/** Takes every right of the operator in this row. */
async function viewOnly(page: Page, line: Locator) {
  await line.getByRole('link', { name: /Change rights/ }).click();
  await page.getByTestId('dialog').getByRole('radio', { name: /^View only/ }).check();
  await page.getByTestId('dialog-confirm').click();
}

test('who loses the right to edit sees it at the next decision', async ({ page, as }) => {
  const text = 'Siskin reports are mailed on Mondays.';
  await propose(page, text);
  const other = await as(server().other);
  await open(other, '/review?q=siskin');
  await page.goto('/manage/operators');
  await hydrated(page);
  const line = page.getByRole('row').filter({ hasText: server().other.email });
  await viewOnly(page, line);
  await expect(strip(page)).toContainText('Rights changed.');
  await approve(other, text).click();
  await expect(other.getByText('You can view this. Changing it needs facts:review.').or(other.getByText('Your access changed.')).first()).toBeVisible();
  await expect(other.getByTestId('readonly-bar')).toBeVisible();
});

test('the last editor stays', async ({ page }) => {
  await open(page, '/manage/operators');
  const line = page.getByRole('row').filter({ hasText: server().editor.email });
  await viewOnly(page, line);
  await expect(page.getByRole('main')).toContainText(/last (operator|editor|one)/i);
  await page.reload();
  await expect(line).toContainText('Editor');
});
