// Keys: made and shown once, the first call, rotating, revoking; with and without script.
import AxeBuilder from '@axe-core/playwright';
import { expect, open, server, signIn, test } from '../fixtures';
import type { Locator, Page } from '@playwright/test';

const row = (page: Page, name: string): Locator => page.getByTestId('key-row').filter({ hasText: name });

/** Adds a key with the scope read on the page of keys, and returns its secret. */
async function add(page: Page, name: string, { script = true } = {}): Promise<string> {
  await open(page, '/manage/keys', { script });
  await page.getByLabel('Name').fill(name);
  await page.getByRole('checkbox', { name: /^read/ }).check();
  await page.getByRole('button', { name: 'Add key' }).click();
  await expect(page.getByTestId('secret')).toHaveText(/^ks_\w{40}$/);
  return (await page.getByTestId('secret').textContent()) ?? '';
}

/** Status of a recall with this key. */
async function recall(page: Page, key: string): Promise<number> {
  const data = { surface: 'web', query: 'tea' };
  const answer = await page.request.post(`${server().url}/v1/recall`, { headers: { authorization: `Bearer ${key}` }, data });
  return answer.status();
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test.describe(how, () => {
    test.use({ expectedStatuses: [401, 409, 422] });

    test(`a key is made, shown once, and its first call is told, ${how}`, async ({ as }) => {
      const page = await as(server().editor, { script });
      const name = `first call ${how}`;
      const secret = await add(page, name, { script });
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      for (const snippet of ['snippet-curl', 'snippet-mcp', 'snippet-python']) {
        await expect(page.getByTestId(snippet)).toContainText(secret);
      }
      await expect(page.getByTestId('snippet-mcp')).toContainText(`${server().url}/mcp`);
      await expect(page.getByTestId('first-call')).toContainText('Waiting for the first call…');
      expect(await recall(page, secret)).toBe(200);
      if (script) {
        await expect(page.getByTestId('first-call')).toHaveText(/^Connected: first call \d+ s ago, POST \/v1\/recall$/);
        await expect(page.getByTestId('secret')).toHaveText(secret);
        await expect(page.getByTestId('announcer')).toContainText('Connected');
      } else {
        await expect(async () => {
          await page.goto(page.url());
          await expect(page.getByTestId('first-call')).toContainText('Connected', { timeout: 500 });
        }).toPass();
      }
      await page.goto('/manage/keys');
      await expect(row(page, name)).toHaveAttribute('data-state', 'active');
      expect(await page.content()).not.toContain(secret);
      // The answer to a form is not kept: a browser asks whether to send it again, or shows the page without the key.
      await page.goBack().catch(() => null);
      expect(await page.content()).not.toContain(secret);
    });

    test(`a form that is refused keeps what was typed, ${how}`, async ({ as }) => {
      const page = await as(server().editor, { script });
      await open(page, '/manage/keys', { script });
      await page.getByLabel('Name').fill('kept');
      await page.getByRole('checkbox', { name: /^write/ }).check();
      await page.getByLabel('Surface').fill('telegram');
      await page.getByLabel('Expires').fill('2020-01-01');
      await page.getByRole('button', { name: 'Add key' }).click();
      await expect(page.getByTestId('error-summary')).toContainText('Expires must not be in the past.');
      await expect(page.getByTestId('error-summary')).toBeFocused();
      await expect(page.getByLabel('Name')).toHaveValue('kept');
      await expect(page.getByLabel('Surface')).toHaveValue('telegram');
      await expect(page.getByRole('checkbox', { name: /^write/ })).toBeChecked();
      await expect(page.getByLabel('Expires')).toHaveAttribute('aria-invalid', 'true');
      await page.getByLabel('Expires').fill('30');
      await page.getByRole('button', { name: 'Add key' }).click();
      await expect(page.getByTestId('secret')).toBeVisible();
    });

    test(`a key is rotated with an overlap and revoked, ${how}`, async ({ as }) => {
      const page = await as(server().editor, { script });
      const name = `rotated ${how}`;
      const first = await add(page, name, { script });
      await page.goto('/manage/keys');
      if (script) await expect(page.locator('html[data-hydrated="true"]')).toBeAttached();
      await row(page, name).getByRole('link', { name: `Rotate: ${name}` }).click();
      const question = page.getByTestId('dialog').first();
      await expect(question).toContainText(`Rotate ${name}?`);
      await question.getByRole('radio', { name: 'Works for 1 hour' }).check();
      await question.getByTestId('dialog-confirm').click();
      const second = (await page.getByTestId('secret').textContent()) ?? '';
      expect(second).not.toBe(first);
      await expect(page.getByTestId('made')).toContainText('The old key works until');
      expect([await recall(page, first), await recall(page, second)]).toEqual([200, 200]);

      await page.goto('/manage/keys');
      if (script) await expect(page.locator('html[data-hydrated="true"]')).toBeAttached();
      const old = row(page, name).and(page.locator('[data-state=replaced]'));
      await old.getByRole('link', { name: `Revoke: ${name}` }).click();
      await expect(page.getByTestId('dialog').first()).toContainText('Every request with this key is refused at once');
      await expect(page.getByTestId('dialog-cancel').first()).toBeFocused();
      await page.getByTestId('dialog-confirm').first().click();
      await expect(page.getByTestId('last-action')).toContainText('Key revoked.');
      await expect(page.getByTestId('key-state')).toHaveText('Revoked');
      expect([await recall(page, first), await recall(page, second)]).toEqual([401, 200]);
      await page.goto('/manage/keys?state=revoked');
      await expect(row(page, name)).toHaveCount(1);
    });
  });
}

test.describe('one form sent twice', () => {
  test.use({ expectedStatuses: [409] });

  test('a reload shows no key a second time', async ({ page, context }) => {
    await signIn(context, server().editor);
    const secret = await add(page, 'reloaded');
    await page.reload();
    await expect(page.getByTestId('shown-once').or(page.getByTestId('key-details')).first()).toBeVisible();
    expect(await page.content()).not.toContain(secret);
    expect(await recall(page, secret)).toBe(200);
    await page.goto('/manage/keys');
    await expect(row(page, 'reloaded')).toHaveCount(1);
  });
});

test('a viewer sees the keys and no way to change them', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/manage/keys');
  await expect(page.getByTestId('key-row').first()).toBeVisible();
  await expect(page.getByTestId('readonly-bar')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add key' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^(Rotate|Revoke):/ })).toHaveCount(0);
});

test('G and K lead to the keys, and the question closes with Escape', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/stats');
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page).toHaveURL('/manage/keys');
  await expect(page.locator('html[data-hydrated="true"]')).toBeAttached();
  await page.getByTestId('revoke').first().click();
  await expect(page.getByRole('dialog', { name: /^Revoke / })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: /^Revoke / })).toHaveCount(0);
});

for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
  test(`a made key passes axe in the ${theme} theme at ${width}, and fits`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await signIn(context, server().editor);
    await add(page, `axe ${theme}`);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
