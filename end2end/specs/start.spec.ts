// First steps: an empty installation leads to its first recalled fact, and the sample comes and goes.
import { expect, open, server, signIn, test } from '../fixtures';
import { spare, type Spare } from '../server';

const shared = process.env.KEEPSAKE_SERVER;
let own: Spare | undefined;

test.beforeEach(async ({ context }) => {
  test.setTimeout(120_000);
  own = await spare();
  process.env.KEEPSAKE_SERVER = JSON.stringify(own);
  await signIn(context, own.editor);
});

test.afterEach(async () => {
  process.env.KEEPSAKE_SERVER = shared;
  await own?.stop();
});

/** The address of the own server: the fixture's was chosen before it ran. */
const at = (path: string) => `${server().url}${path}`;

test('each step ticks itself once it has happened', async ({ page, request }) => {
  await open(page, at('/'));
  await expect(page).toHaveURL(at('/start'));
  const done = (step: string) => expect(page.getByTestId(step)).toHaveAttribute('data-done', 'true');
  // The server of the test has a key.
  await done('step-key');
  for (const step of ['step-message', 'step-approve', 'step-recall']) await expect(page.getByTestId(step)).toHaveAttribute('data-done', 'false');
  await expect(page.getByTestId('step-message')).toContainText(at('/v1/exchanges'));

  const headers = { authorization: `Bearer ${server().key}` };
  // What the page offers to paste.
  const said = await page.getByTestId('step-message').locator('pre').innerText();
  const body = JSON.parse(/-d '(.*)'$/.exec(said)![1]);
  expect((await request.post(at('/v1/exchanges'), { headers, data: body })).status()).toBe(202);
  await done('step-message');
  await expect(page.getByTestId('step-approve')).toContainText('1 waits for you.');

  await page.getByRole('link', { name: 'Open the review queue' }).click();
  await page.getByTestId('approve').first().click();
  await expect(page.getByTestId('last-action')).toContainText('Approved');
  await open(page, at('/start'));
  await done('step-approve');
  const asked = await page.getByTestId('step-recall').locator('pre').innerText();
  const recalled = await request.post(at('/v1/recall'), { headers, data: JSON.parse(/-d '(.*)'$/.exec(asked)![1]) });
  expect((await recalled.json()).global).toHaveLength(1);
  await done('step-recall');
  await expect(page.getByText('All done')).toBeVisible();
  // An installation in use takes no sample.
  await expect(page.getByTestId('load-sample')).toHaveCount(0);
});

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });

    test('the sample is loaded and removed', async ({ page }) => {
      await open(page, at('/start'), { script });
      await page.getByTestId('load-sample').click();
      await expect(page.getByTestId('last-action')).toContainText('messages of sample data');
      await expect(async () => {
        await page.reload();
        await expect(page.getByTestId('sample')).toContainText('invented users');
        await expect(page.getByTestId('sample')).not.toContainText('to be learned');
      }).toPass({ timeout: 60_000 });
      await open(page, at('/review'), { script });
      await expect(page.getByTestId('approve').first()).toBeVisible();
      await open(page, at('/start'), { script });
      await page.getByTestId('remove-sample').click();
      await expect(page.getByTestId('last-action')).toContainText('Erasing the sample data');
      await expect(async () => {
        await open(page, at('/review'), { script });
        await expect(page.getByTestId('approve')).toHaveCount(0);
      }).toPass({ timeout: 60_000 });
      // Each of its users has a receipt.
      await open(page, at('/manage/erasures'), { script });
      await expect(page.getByText('Verified').first()).toBeVisible();
    });
  });
}
