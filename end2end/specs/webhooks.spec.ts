// Webhooks: adding one with and without script, its secret, deliveries, sending again, removing.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { expect, server, open, signIn, test } from '../fixtures';

interface Got {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A receiver on this machine. */
async function receiver(): Promise<{ url: string; tests: () => Got[]; close: () => void }> {
  const got: Got[] = [];
  const http: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // What other tests do at the same time is sent here too.
  const tests = () => got.filter(({ body }) => body.includes('webhook.test'));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`, tests, close: () => http.close() };
}

for (const script of [true, false]) {
  test(`a webhook is added, tested and removed ${script ? 'with' : 'without'} script`, async ({ as }) => {
    const to = await receiver();
    const page = await as(server().editor, { script });
    await open(page, '/manage/webhooks', { script });
    await page.getByLabel('Address').fill(to.url);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const secret = (await page.getByTestId('webhook-secret').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);

    await open(page, '/manage/webhooks', { script });
    await expect(page.getByText(secret)).toHaveCount(0);
    const row = page.getByTestId('webhook-row').filter({ hasText: to.url });
    await expect(row.getByTestId('webhook-state')).toHaveText('Working');
    await row.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByTestId('deliveries')).toContainText('webhook.test');
    await expect.poll(() => to.tests().length).toBe(1);
    const { headers, body } = to.tests()[0];
    const signed = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    signed.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);

    await page.reload();
    const delivery = page.getByTestId('delivery-row').filter({ hasText: 'webhook.test' }).first();
    await expect(delivery).toContainText('204');
    await delivery.getByRole('button', { name: /^Send webhook.test again/ }).click();
    await expect.poll(() => to.tests().length).toBe(2);
    expect(to.tests()[1].headers['webhook-id']).toBe(headers['webhook-id']);

    await row.getByRole('link', { name: `Remove ${to.url}` }).click();
    await page.getByTestId('dialog-confirm').click();
    await expect(row).toHaveCount(0);
    to.close();
  });
}

test.describe('what is refused', () => {
  test.use({ expectedStatuses: [422] });

  test('an address without TLS is refused at its field', async ({ page, context }) => {
    await signIn(context, server().editor);
    await open(page, '/manage/webhooks');
    await page.getByLabel('Address').fill('http://example.org/hook');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByTestId('error-summary')).toContainText('https://');
    await expect(page.getByLabel('Address')).toHaveValue('http://example.org/hook');
  });
});

test('a viewer sees the webhooks and cannot change them', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/manage/webhooks');
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  await expect(page.getByTestId('add-webhook')).toHaveCount(0);
  expect((await page.request.post('/calls/webhooks/test', { form: { webhook: 'x' }, headers: { accept: 'application/json' } })).status()).toBe(403);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the pages of webhooks and of the API have no barriers in the ${colorScheme} theme`, async ({ page, context }) => {
    // The page of the API is long: reading all of it takes axe many seconds, so it is read at one width.
    test.setTimeout(150_000);
    await page.emulateMedia({ colorScheme });
    await signIn(context, server().editor);
    for (const path of ['/manage/webhooks', '/docs']) {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(path);
        if (path !== '/docs' || width === 1280) {
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
        }
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });
}

test('a call of the API has its own address', async ({ page }) => {
  await page.goto('/docs#recall');
  const article = page.locator('article#recall');
  await expect(article).toBeInViewport();
  await expect(article).toContainText('POST');
  await expect(article).toContainText('curl -s');
});
