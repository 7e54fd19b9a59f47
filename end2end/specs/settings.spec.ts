// Settings: switches, effects, the dialog, and two operators who change the same number.
import { expect, server, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [409, 599] });

/** Sets one setting, whatever its current value. */
async function set(page: Page, key: string, value: string): Promise<void> {
  const rows = (await (await page.request.get('/calls/settings/list')).json()).rows as { key: string; version: number }[];
  const version = String(rows.find((row) => row.key === key)?.version ?? 0);
  const form = { 'changes[0][key]': key, 'changes[0][value]': value, 'changes[0][version]': version };
  expect((await page.request.post('/calls/settings/apply', { form })).ok()).toBe(true);
}

test.describe.configure({ mode: 'serial' });

test('beside each threshold stands what it judged', async ({ page, context }) => {
  await signIn(context, server().editor);
  const said = { user_id: 'usr_spread', surface: 'web', content: 'keeps a kite in the cellar' };
  for (let twice = 0; twice < 2; twice += 1) {
    await page.request.post(`${server().url}/v1/memories`, { headers: { authorization: `Bearer ${server().key}` }, data: said });
  }
  await open(page, '/manage/settings');
  const personal = page.locator('[data-key="merge.personal"]');
  await expect(personal.getByTestId('spread')).toBeVisible();
  await expect(personal.getByTestId('spread-said')).toHaveText(/^90 days: \d+ merged, \d+ stayed apart$/);
});

for (const script of [true, false]) {
  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('a switch is turned at once and turned back', async ({ page }) => {
      await set(page, 'recall.telegram', 'on');
      await open(page, '/manage/settings', { script });
      const card = page.locator('#recall');
      if (script) await card.getByRole('switch', { name: 'Telegram' }).click();
      else await card.getByRole('button', { name: 'Turn off: Telegram' }).click();
      await expect(page.getByTestId('said-recall')).toHaveText('Telegram turned off');
      if (script) await expect(card.getByRole('switch', { name: 'Telegram' })).not.toBeChecked();
      await card.getByTestId('undo-setting').click();
      await expect(page.getByTestId('said-recall')).toHaveText('Telegram turned on');
    });

    test('thresholds say what they would do before they are applied', async ({ page }) => {
      await set(page, 'recall.min_confidence', '0.40');
      await open(page, '/manage/settings', { script });
      await page.getByTestId('thr-confidence').getByRole('textbox').fill('0.41');
      if (script) await expect(page.getByTestId('thr-confidence').getByTestId('impact')).toContainText('At 0.41');
      await page.getByTestId('apply-thresholds').click();
      await expect(page.getByRole('heading', { name: 'Apply 1 change?' }).first()).toBeVisible();
      await expect(page.getByTestId('changes')).toContainText('At 0.41');
      await page.locator('.review-form').getByTestId('dialog-confirm').click();
      await expect(page.getByTestId('said-thresholds')).toHaveText('Recall confidence floor set to 0.41');
      await set(page, 'recall.min_confidence', '0.40');
    });

    test('the budget of a model says what it would do before it is applied', async ({ page }) => {
      await set(page, 'learn.daily_tokens', '0');
      await set(page, 'learn.over_budget', 'wait');
      await open(page, '/manage/settings', { script });
      const card = page.locator('#model-use');
      await card.getByRole('textbox', { name: 'Tokens a day' }).fill('200000');
      await card.getByRole('radio', { name: 'Use the rules' }).check();
      if (script) {
        await expect(page.getByTestId('use-tokens').getByTestId('impact')).toContainText('200,000 are left');
        await expect(page.getByTestId('use-over-budget').getByTestId('impact')).toContainText('built-in rules');
      }
      await page.getByTestId('apply-model-use').click();
      await expect(page.getByRole('heading', { name: 'Apply 2 changes?' }).first()).toBeVisible();
      await page.locator('.review-form').getByTestId('dialog-confirm').click();
      await expect(page.getByTestId('said-model-use')).toHaveText('2 values applied');
      await expect(card.getByRole('textbox', { name: 'Tokens a day' })).toHaveValue('200000');
      await expect(card.getByRole('radio', { name: 'Use the rules' })).toBeChecked();
      await set(page, 'learn.daily_tokens', '0');
      await set(page, 'learn.over_budget', 'wait');
    });

    test('how many messages a model reads together says what it would do before it is applied', async ({ page }) => {
      await set(page, 'learn.batch_exchanges', '4');
      await set(page, 'learn.batch_idle', '20');
      await open(page, '/manage/settings', { script });
      const card = page.locator('#model-use');
      await card.getByRole('textbox', { name: 'Messages read together' }).fill('1');
      await card.getByRole('textbox', { name: 'Wait for more, in seconds' }).fill('5');
      if (script) {
        await expect(page.getByTestId('use-batch').getByTestId('impact')).toContainText('each message by itself');
        await expect(page.getByTestId('use-idle').getByTestId('impact')).toContainText('5 seconds after the last one');
      }
      await page.getByTestId('apply-model-use').click();
      await expect(page.getByRole('heading', { name: 'Apply 2 changes?' }).first()).toBeVisible();
      await page.locator('.review-form').getByTestId('dialog-confirm').click();
      await expect(page.getByTestId('said-model-use')).toHaveText('2 values applied');
      await expect(card.getByRole('textbox', { name: 'Messages read together' })).toHaveValue('1');
      await set(page, 'learn.batch_exchanges', '4');
      await set(page, 'learn.batch_idle', '20');
    });

    test('anonymous recall is asked about first', async ({ page }) => {
      await set(page, 'recall.anonymous', 'off');
      await open(page, '/manage/settings', { script });
      const card = page.locator('#recall');
      if (script) await card.getByRole('switch', { name: 'Anonymous calls' }).click();
      else await card.getByRole('button', { name: 'Turn on: Anonymous calls' }).click();
      await expect(page.getByRole('heading', { name: 'Give team facts to anonymous callers?' }).first()).toBeVisible();
      await page.locator('.review-form').getByTestId('dialog-cancel').click();
      if (script) await expect(card.getByRole('switch', { name: 'Anonymous calls' })).not.toBeChecked();
      const rows = (await (await page.request.get('/calls/settings/list')).json()).rows as { key: string; value: string }[];
      expect(rows.find((row) => row.key === 'recall.anonymous')?.value).toBe('off');
    });
  });
}

test.describe('in the browser', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('slider and box are bound together, and nonsense is asked about', async ({ page }) => {
    await open(page, '/manage/settings');
    const row = page.getByTestId('thr-merge-global');
    await row.getByRole('textbox').fill('0.90');
    await expect(row.getByRole('slider')).toHaveValue('0.9');
    await row.getByRole('slider').press('ArrowRight');
    await expect(row.getByRole('textbox')).toHaveValue('0.91');
    await row.getByRole('textbox').fill('2');
    await expect(row.getByTestId('impact')).toHaveText('Enter a number from 0.50 to 0.99');
    await page.getByTestId('apply-thresholds').click();
    await expect(row.getByRole('textbox')).toBeFocused();
    await expect(page.locator('.review-form')).toBeHidden();
    await page.getByTestId('set-thresholds').getByRole('button', { name: 'Discard' }).click();
    await expect(row.getByTestId('impact')).toHaveText('');
  });

  test('what is typed outlives a switch, and an answer that does not come changes nothing', async ({ page }) => {
    await set(page, 'recall.telegram', 'on');
    await open(page, '/manage/settings');
    const [box, telegram] = [page.getByTestId('thr-merge-global').getByRole('textbox'), page.getByRole('switch', { name: 'Telegram' })];
    await box.fill('0.95');
    await page.route('**/calls/settings/apply', (route) => route.abort(), { times: 1 });
    await telegram.click();
    await expect(page.getByRole('alert')).toContainText('That did not reach the server. Nothing changed. Try again.');
    await expect(telegram).toBeChecked();
    await telegram.click();
    await expect(page.getByTestId('said-recall')).toHaveText('Telegram turned off');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(telegram).not.toBeChecked();
    await expect(telegram).toBeFocused();
    await expect(box).toHaveValue('0.95');
    await set(page, 'recall.telegram', 'on');
    await expect(telegram).toBeChecked();
  });

  test('a viewer reads values', async ({ page, context }) => {
    await context.clearCookies();
    await signIn(context, server().viewer);
    await open(page, '/manage/settings');
    await expect(page.locator('#recall')).toContainText('On');
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expect(page.getByRole('slider')).toHaveCount(0);
  });
});

test('a text tried at the gate is shown with what the rules object to', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/manage/gate');
  await expect(page.getByTestId('gate-stopped')).toContainText('stopped');
  await page.getByTestId('gate-text').fill('Mail dana@example.org for access.');
  await page.getByTestId('gate-submit').click();
  await expect(page.getByTestId('gate-verdict')).toHaveAttribute('data-reject', 'true');
  await expect(page.getByTestId('gate-reading').locator('mark').first()).toContainText('dana');
  await expect(page).toHaveURL('/manage/gate');
});
