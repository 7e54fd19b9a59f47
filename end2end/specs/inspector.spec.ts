// The recall inspector, and the question on every fact: would this be recalled?
import { expect, open, propose, server, signIn, strip, test } from '../fixtures';
import type { Page } from '@playwright/test';

const sentence = (page: Page) => page.getByTestId('recall-sentence');

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question').fill(question);
  await page.getByTestId('inspect-submit').click();
}

async function approved(page: Page, text: string, script: boolean): Promise<string> {
  const id = await propose(page, text);
  await open(page, `/review/${id}`, { script });
  await page.getByTestId('approve').click();
  await expect(strip(page)).toContainText('Approved');
  return id;
}

for (const script of [true, false]) {
  const word = script ? 'Kittiwake' : 'Fulmar';

  test.describe(script ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled: script, expectedStatuses: [403, 404, 422] });

    test.beforeEach(async ({ context }) => {
      await signIn(context, server().editor);
    });

    test('it asks as any signed-in user, and says in a sentence what comes', async ({ page }) => {
      const text = `${word} snapshots are copied to the second region at dawn.`;
      const id = await approved(page, text, script);
      await open(page, '/manage/recall', { script });
      await expect(page.getByLabel('Asked by')).toHaveValue('any');
      await ask(page, `When are ${word} snapshots copied?`);
      await expect(sentence(page)).toContainText(/^On Web, any signed-in user gets \d+ team facts?/);
      await expect(page.locator(`[data-testid="recall-hit"][data-id="${id}"]`)).toContainText(text);
      await expect(page.getByTestId('inspect-personal')).toHaveCount(0);
      await expect(page).toHaveURL('/manage/recall');
      await page.getByLabel('Asked by').selectOption('nobody');
      await page.getByTestId('inspect-submit').click();
      await expect(sentence(page)).toHaveText('On Web, someone who is not signed in gets nothing for this question. Team facts are off for people who are not signed in.');
    });

    test('a fact leads to the inspector by its id alone, and gets an answer of its own', async ({ page }) => {
      const text = `${word} reports are printed on recycled paper.`;
      const id = await propose(page, text);
      await open(page, `/manage/facts/${id}`, { script });
      await expect(page.getByTestId('would-recall')).toContainText('No: it is pending.');
      await page.getByTestId('try-question').click();
      await expect(page).toHaveURL(`/manage/recall?fact=${id}`);
      await expect(page.getByTestId('recall-about')).toContainText(text);
      await ask(page, `On which paper are ${word} reports printed?`);
      await expect(page.getByTestId('try-result')).toContainText('No: on Web, any signed-in user does not get it: pending.');
      await expect(page.getByTestId('recall-about')).toContainText(text);
      await open(page, `/review/${id}`, { script });
      await expect(page.getByTestId('would-recall')).toContainText('No: it is pending.');
      await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        page.getByTestId('approve').click(),
      ]);
      await open(page, `/manage/facts/${id}`, { script });
      await expect(page.getByTestId('would-recall')).toContainText('for any signed-in user');
      await expect(page.getByTestId('would-recall')).toContainText('Yes, on Web, Telegram, MCP and other surfaces');
      await page.getByTestId('try-question').click();
      await ask(page, `On which paper are ${word} reports printed?`);
      await expect(page.getByTestId('try-result')).toContainText(/^Yes: on Web, any signed-in user gets it for this question, as number 1 of \d+\.$/);
    });

    test('everything that is wrong with a question is said at once, each at its field', async ({ page }) => {
      await open(page, '/manage/recall', { script });
      await page.getByLabel('Asked by').selectOption('user');
      await page.getByTestId('more-options').locator('summary').click();
      await page.getByTestId('inspect-surface').fill('');
      await page.getByTestId('inspect-k').fill('many');
      await page.getByTestId('inspect-budget').fill('a few');
      await page.getByTestId('inspect-submit').click();
      const summary = page.getByTestId('error-summary');
      await expect(summary).toContainText('There are 6 problems');
      await expect(summary.getByRole('link')).toHaveCount(6);
      for (const field of ['question', 'surface', 'k', 'budget', 'user', 'reason']) {
        await expect(page.locator(`#${field}`)).toHaveAttribute('aria-invalid', 'true');
        await expect(page.locator(`#${field}-error`)).toBeVisible();
      }
      await expect(page.getByTestId('inspect-k')).toHaveValue('many');
      await expect(page.getByLabel('Asked by')).toHaveValue('user');
    });
  });
}

test.describe('for one user', () => {
  test.beforeEach(async ({ context }) => {
    await signIn(context, server().editor);
  });

  test('an id and a reason are asked for only then', async ({ page }) => {
    await page.request.post(`${server().url}/v1/memories`, {
      headers: { authorization: `Bearer ${server().key}` },
      data: { user_id: 'usr_inspected', surface: 'web', content: 'Keeps the spare key in the blue vase.', kind: 'fact' },
    });
    await open(page, '/manage/recall');
    await expect(page.getByLabel('User id')).toBeHidden();
    await page.getByLabel('Asked by').selectOption('user');
    await page.getByLabel('User id').fill('usr_inspected');
    await page.getByLabel('Why do you need this?').fill('SUP-4471');
    await ask(page, 'Where is the spare key?');
    await expect(sentence(page)).toContainText(/^On Web, this user gets 1 memory/);
    await expect(page.getByTestId('inspect-personal')).toContainText('blue vase');
    await page.getByTestId('given').locator('summary').click();
    await expect(page.getByTestId('given')).toContainText('blue vase');
  });
});

test('a viewer asks about team facts only', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/manage/recall');
  await expect(page.getByLabel('Asked by').locator('option')).toHaveText(['Any signed-in user', 'Someone who is not signed in']);
  await expect(page.locator('#user')).toHaveCount(0);
});
