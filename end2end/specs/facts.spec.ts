// The facts: the table with its filters in the URL, the row menu, the bulk bar, the page of a fact, and deleting.
import { expect, server, hydrated, open, propose, signIn, strip, test } from '../fixtures';
import type { Locator, Page } from '@playwright/test';

/** A separate fact for each test, with and without script. */
const FACTS = {
  with: {
    reject: 'Canary releases stay on one tenth of the traffic for an hour.',
    delete: 'The thumbnail service keeps originals for ninety days.',
    edit: 'Cron expressions of the scheduler are read in UTC.',
    split: ['The invoice exporter writes archives for all regions.', 'The invoice exporter writes the archives for all the regions.'],
    bulk: ['Trace sampling is set to five percent in staging.', 'Trace sampling is set by the collector and not by services.'],
  },
  without: {
    reject: 'Blue environments are torn down after the green one is healthy.',
    delete: 'The geocoder answers from a cache that is rebuilt weekly.',
    edit: 'Feature branches are deployed to a namespace of their own.',
    split: ['The asset pipeline strips metadata from all images.', 'The asset pipeline strips the metadata from all the images.'],
    bulk: ['Log shipping pauses while the cluster is upgraded.', 'Log shipping restarts from the last offset it has noted.'],
  },
};

function fact(page: Page, id: string): Locator {
  return page.locator(`[data-testid="fact-row"][data-fact-id="${id}"]`);
}

async function approved(page: Page, content: string): Promise<string> {
  const id = await propose(page, content);
  const answer = await page.request.post(`${server().url}/calls/decide`, { form: { action: 'approve', 'ids[]': `${id}:1` } });
  expect(answer.ok()).toBe(true);
  return id;
}

for (const script of [true, false]) {
  const texts = script ? FACTS.with : FACTS.without;

  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, expectedStatuses: [404, 409] });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('the search finds a fact and its row’s menu rejects it', async ({ page }) => {
      const id = await approved(page, texts.reject);
      await open(page, '/manage/facts', { script });
      await page.getByTestId('filter-q').fill(texts.reject.slice(0, 18));
      await page.getByTestId('filter-q').press('Enter');
      await expect(page).toHaveURL(/q=/);
      await expect(fact(page, id)).toBeVisible();
      await fact(page, id).getByTestId('fact-menu').locator('summary').click();
      await fact(page, id).getByTestId('reject').click();
      await expect(strip(page)).toContainText('Rejected');
      await expect(fact(page, id)).toHaveCount(0);
      await open(page, `/manage/facts?status=rejected&q=${id}`, { script });
      await expect(fact(page, id)).toHaveAttribute('data-status', 'rejected');
    });

    test('what was merged into a fact is split off again', async ({ page }) => {
      const [first, again] = texts.split;
      const id = await approved(page, first);
      const said = await page.request.post(`${server().url}/v1/facts`, {
        headers: { authorization: `Bearer ${server().key}` },
        data: { content: again, kind: 'fact', user_id: `usr_split_${script}` },
      });
      expect((await said.json()).id).toBe(id);
      await open(page, `/manage/facts/${id}`, { script });
      await expect(page.getByTestId('merged-words')).toHaveCount(1);
      await page.getByRole('button', { name: `Split off: ${again}` }).click();
      await expect(strip(page)).toContainText('Split off.');
      await expect(page).toHaveURL(`/manage/facts/${id}`);
      await expect(page.getByTestId('merged')).toHaveCount(0);
      await open(page, `/manage/facts?status=all&q=${encodeURIComponent(again)}`, { script });
      await expect(page.getByTestId('fact-row').filter({ hasText: again })).toHaveAttribute('data-status', 'pending');
    });

    test('deleting asks first, and a deleted fact has no page', async ({ page }) => {
      const id = await approved(page, texts.delete);
      await open(page, `/manage/facts/${id}`, { script });
      await page.getByTestId('delete').click();
      await expect(page.getByText('To keep it out, reject it.').last()).toBeVisible();
      if (script) await expect(page.getByTestId('dialog-cancel')).toBeFocused();
      await page.getByTestId('dialog-cancel').click();
      await open(page, `/manage/facts/${id}`, { script });
      await page.getByTestId('delete').click();
      await page.getByTestId('dialog-confirm').click();
      await expect(page).toHaveURL('/manage/facts');
      await page.goto(`/manage/facts/${id}`);
      await expect(page.getByText('There is no page here')).toBeVisible();
    });

    test('a fact is edited on its page', async ({ page }) => {
      const id = await approved(page, texts.edit);
      await open(page, `/manage/facts/${id}`, { script });
      await page.getByTestId('edit').click();
      await expect(page).toHaveURL(/edit=1/);
      if (script) await hydrated(page);
      await page.getByTestId('edit-text').fill(`${texts.edit.slice(0, -1)} since spring.`);
      await page.getByTestId('save').click();
      await expect(strip(page)).toContainText('Saved');
      await open(page, `/manage/facts/${id}`, { script });
      await expect(page.getByTestId('statement')).toContainText('since spring.');
    });

    if (script)
      test('what is typed outlives what others do meanwhile', async ({ page }) => {
        const id = await approved(page, 'Canary metrics are compared after ten minutes.');
        await open(page, `/manage/facts/${id}?edit=1`);
        await page.getByTestId('edit-text').fill('Canary metrics are compared after twenty minutes.');
        // Somebody decides about another fact, which triggers a reload of the page.
        await approved(page, 'Canary dashboards are kept for a quarter.');
        await page.waitForTimeout(500);
        await expect(page.getByTestId('edit-text')).toHaveValue('Canary metrics are compared after twenty minutes.');
        await page.getByTestId('save').click();
        await expect(page.getByTestId('statement')).toContainText('after twenty minutes.');
        await expect(page).toHaveURL(`/manage/facts/${id}`);
        await expect(strip(page)).toContainText('Saved');
      });

    if (script)
      test('a page follows what others decide', async ({ page }) => {
        const id = await approved(page, 'Canary alarms are sent to the release channel.');
        await open(page, `/manage/facts/${id}`);
        await expect(page.getByTestId('live-state')).toHaveText('Live · updated just now');
        await page.request.post(`${server().url}/calls/decide`, { form: { action: 'reject', 'ids[]': `${id}:2` } });
        await expect(page.getByTestId('fact-detail')).toHaveAttribute('data-status', 'rejected');
        await expect(page.getByTestId('approve')).toBeVisible();
      });

    test('several facts are re-opened at once', async ({ page }) => {
      const ids = [await approved(page, texts.bulk[0]), await approved(page, texts.bulk[1])];
      await open(page, `/manage/facts?q=${encodeURIComponent(texts.bulk[0].split(' ').slice(0, 2).join(' '))}`, { script });
      for (const id of ids) await fact(page, id).getByTestId('select-row').check();
      if (script) await expect(page.getByTestId('bulk-count')).toHaveText('2 selected');
      await page.getByTestId('bulk-reopen').click();
      await expect(strip(page)).toContainText('2 re-opened.');
      for (const id of ids) await expect(fact(page, id)).toHaveCount(0);
    });
  });
}

test.describe('in the browser', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('a head sorts, and the address says so', async ({ page }) => {
    await open(page, '/manage/facts?status=all');
    const recalls = page.getByRole('columnheader', { name: 'Recalls' });
    await recalls.getByRole('link').click();
    await expect(page).toHaveURL(/sort=recalls/);
    await expect(recalls).toHaveAttribute('aria-sort', 'descending');
    await recalls.getByRole('link').click();
    await expect(page).toHaveURL(/sort=-recalls/);
    await expect(recalls).toHaveAttribute('aria-sort', 'ascending');
  });

  test('pages are turned by link and by key, and the number of rows is kept', async ({ page }) => {
    await open(page, '/manage/facts?status=all');
    await expect(page.getByTestId('pager-range')).toHaveText(/^1–10 of \d+$/);
    await page.getByTestId('pager-next').click();
    await expect(page.getByTestId('pager-range')).toHaveText(/^11–20 of \d+$/);
    await hydrated(page);
    await page.keyboard.press('[');
    await expect(page.getByTestId('pager-range')).toHaveText(/^1–10 of \d+$/);
    await hydrated(page);
    await page.getByLabel('Rows').selectOption('25');
    await expect(page).toHaveURL(/per=25/);
  });

  test('a fact is deleted from its list, and the list stays as it was', async ({ page }) => {
    const id = await approved(page, 'Parcel labels are printed twice on Fridays.');
    await open(page, '/manage/facts?q=parcel+labels');
    await fact(page, id).getByTestId('fact-menu').locator('summary').click();
    await fact(page, id).getByTestId('delete').click();
    const question = page.getByRole('dialog', { name: 'Delete this fact?' });
    await expect(question).toContainText('Parcel labels are printed twice');
    await question.getByTestId('dialog-confirm').click();
    await expect(strip(page)).toContainText('Deleted');
    await expect(page).toHaveURL('/manage/facts?q=parcel+labels');
    await expect(fact(page, id)).toHaveCount(0);
  });

  test('everything that matches is chosen, asked about, and left as it is', async ({ page }) => {
    await open(page, '/manage/facts?status=all');
    const total = Number(/of (\d+)/.exec((await page.getByTestId('pager-range').textContent()) ?? '')?.[1]);
    await page.getByTestId('select-all').check();
    await expect(page.getByTestId('bulk-count')).toHaveText('10 selected');
    await page.getByTestId('bulk-all').click();
    await expect(page.getByTestId('bulk-count')).toHaveText(`All ${total} that match are selected`);
    await page.getByTestId('bulk-delete').click();
    const question = page.getByRole('dialog', { name: `Delete ${total} facts?` });
    await expect(question.getByTestId('dialog-cancel')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await page.getByRole('button', { name: 'Only this page' }).click();
    await expect(page.getByTestId('bulk-count')).toHaveText('10 selected');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('bulk-count')).toBeHidden();
  });
});

test('a viewer has nothing to choose', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/manage/facts?status=all');
  await expect(page.getByTestId('facts-table')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0);
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
});
