// The review queue: approving and rejecting by mouse and by form, and what happens if two operators decide at once.
import { approve, deaf, expect, server, open, propose, recalled, reject, row, signIn, strip, test } from '../fixtures';

/** A separate fact for each test, with and without script. */
const FACTS = {
  with: {
    approved: 'Screenshots of failed runs are uploaded to the artefact bucket.',
    rejected: 'Nightly dashboards are rebuilt from the warehouse export.',
    lost: 'Barcode labels leave the warehouse printer at 300 dpi.',
    same: 'Database backups older than 35 days move to cold storage.',
    page: 'Load tests run against the shadow cluster only.',
    recalled: 'The invoice exporter writes CSV files with semicolons.',
  },
  without: {
    approved: 'Feature flags are read once at boot of the worker pool.',
    rejected: 'The mobile client stores map tiles in an encrypted cache.',
    lost: 'Container images are signed in the last pipeline stage.',
    same: 'Search indexes are refreshed by the importer every hour.',
    page: 'TLS certificates of the gateway renew through ACME.',
    recalled: 'The staging broker drops messages after four days.',
  },
};

for (const script of [true, false]) {
  const facts = script ? FACTS.with : FACTS.without;

  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, expectedStatuses: [409, 599] });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('approving takes the row out and says what was approved', async ({ page }) => {
      const id = await propose(page, facts.approved);
      await open(page, '/review?per=100&sort=newest', { script });
      await approve(page, facts.approved).click();
      await expect(strip(page)).toHaveText(`Approved “${facts.approved}”`);
      await expect(row(page, id)).toHaveCount(0);
      await page.goto(`/review/${id}`);
      await expect(row(page, id)).toHaveAttribute('data-status', 'approved');
      await expect(row(page, id)).toContainText(`Approved by ${server().editor.name}`);
    });

    test('rejecting takes the row out and says what was rejected', async ({ page }) => {
      const id = await propose(page, facts.rejected);
      await open(page, '/review?per=100&sort=newest', { script });
      await reject(page, facts.rejected).click();
      await expect(strip(page)).toHaveText(`Rejected “${facts.rejected}”`);
      await expect(row(page, id)).toHaveCount(0);
      await page.goto(`/review/${id}`);
      await expect(row(page, id)).toHaveAttribute('data-status', 'rejected');
    });

    test('a candidate can be decided on its own page', async ({ page }) => {
      const id = await propose(page, facts.page);
      await open(page, '/review?per=100&sort=newest', { script });
      await row(page, id).locator('.row-text').click();
      await expect(page).toHaveURL(`/review/${id}`);
      await expect(page).toHaveTitle(`Review: ${id} · Keepsake`);
      await page.getByTestId('approve').click();
      await expect(strip(page)).toHaveText(`Approved “${facts.page}”`);
      await expect(row(page, id)).toHaveAttribute('data-status', 'approved');
      await expect(page.getByTestId('approve')).toHaveCount(0);
    });

    test('a decision against another operator’s is not applied and says so', async ({ page, as }) => {
      const id = await propose(page, facts.lost);
      await deaf(page);
      await open(page, '/review?per=100&sort=newest', { script });
      const other = await as(server().other, { script });
      await open(other, '/review?per=100&sort=newest', { script });
      await reject(other, facts.lost).click();
      await expect(strip(other)).toContainText('Rejected');
      await approve(page, facts.lost).click();
      const conflict = page.getByTestId('conflict');
      await expect(conflict).toContainText('Already rejected by Tomás Lind');
      await expect(conflict).toContainText('Your approval was not applied.');
      await page.goto(`/review/${id}`);
      await expect(row(page, id)).toContainText('Rejected by Tomás Lind');
    });

    test('the same decision as another operator’s is no error', async ({ page, as }) => {
      const id = await propose(page, facts.same);
      await deaf(page);
      await open(page, '/review?per=100&sort=newest', { script });
      const other = await as(server().other, { script });
      await open(other, '/review?per=100&sort=newest', { script });
      await approve(other, facts.same).click();
      await expect(strip(other)).toContainText('Approved');
      await approve(page, facts.same).click();
      await expect(strip(page)).toHaveText('Already approved by Tomás Lind.');
      await expect(page.getByTestId('conflict')).toHaveCount(0);
      await expect(row(page, id)).toHaveCount(0);
    });

    test('a fact is recalled after its approval and not before', async ({ page }) => {
      await propose(page, facts.recalled);
      expect(await recalled(page, facts.recalled)).not.toContain(facts.recalled);
      await open(page, '/review?per=100&sort=newest', { script });
      await approve(page, facts.recalled).click();
      await expect(strip(page)).toContainText('Approved');
      expect(await recalled(page, facts.recalled)).toContain(facts.recalled);
    });
  });
}

test.describe('in the browser', () => {
  test.use({ expectedStatuses: [409, 599] });

  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('the focus goes to the next row after a decision, and the number falls', async ({ page }) => {
    const [first, second] = ['Build caches are cleared when the lock file changes.', 'Metrics are scraped every fifteen seconds by the collector.'];
    const [one, two] = [await propose(page, first), await propose(page, second)];
    await open(page, '/review?per=100&sort=newest');
    await expect(row(page, one)).toBeVisible();
    const ids = await page.getByTestId('review-item').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-fact-id')));
    const next = ids[ids.indexOf(two) + 1];
    await approve(page, second).click();
    await expect(row(page, next ?? '')).toBeFocused();
    await expect(row(page, two)).toHaveCount(0);
  });

  test('a lost decision stays in its row until it is put aside', async ({ page, as }) => {
    const text = 'Terraform state lives in a bucket with versioning.';
    const id = await propose(page, text);
    await deaf(page);
    await open(page, '/review?per=100&sort=newest');
    const other = await as(server().other);
    await open(other, '/review?per=100&sort=newest');
    await reject(other, text).click();
    await expect(strip(other)).toContainText('Rejected');
    await approve(page, text).click();
    await expect(row(page, id).getByRole('alert')).toContainText('Already rejected by Tomás Lind');
    await expect(approve(page, text)).toHaveCount(0);
    await expect(row(page, id)).toBeFocused();
    await page.getByRole('button', { name: 'Keep rejected' }).click();
    await expect(row(page, id)).toHaveCount(0);
  });

  test('a decision that does not reach the server changes nothing and says so', async ({ page }) => {
    const text = 'Log lines are kept for thirty days in the archive.';
    const id = await propose(page, text);
    await open(page, '/review?per=100&sort=newest');
    await page.route('**/calls/decide*', (route) => route.abort(), { times: 1 });
    await approve(page, text).click();
    await expect(row(page, id).getByRole('alert')).toHaveText('That did not reach the server. Nothing changed. Try again.');
    await approve(page, text).click();
    await expect(row(page, id)).toHaveCount(0);
  });
});

test.describe('a candidate that changed since it was looked at', () => {
  test.use({ expectedStatuses: [409] });

  test('is refused by its version', async ({ page, context }) => {
    await signIn(context, server().editor);
    const text = 'Webhooks are retried with exponential backoff for a day.';
    const id = await propose(page, text);
    await open(page, '/review?per=100&sort=newest');
    await page.route('**/calls/decide*', (route) => route.continue({ postData: new URLSearchParams({ 'ids[0]': `${id}:7`, action: 'approve' }).toString() }), { times: 1 });
    await approve(page, text).click();
    await expect(row(page, id).getByRole('alert')).toHaveText('This changed since you lookedLook again, then decide.');
    await expect(row(page, id)).toBeFocused();
    await expect(row(page, id)).toHaveAttribute('data-status', 'pending');
    await approve(page, text).click();
    await expect(row(page, id)).toHaveCount(0);
  });
});
