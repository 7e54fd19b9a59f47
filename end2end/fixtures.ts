// Common to all specs: signing in, proposing a fact, and failing on page errors.
import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { server, type Person } from './server';

export { expect, server };

interface Options {
  /** Statuses for which the console line "Failed to load resource" is expected; 599 for a request without a response. */
  expectedStatuses: number[];
}

export const test = base.extend<Options & { watch: (context: BrowserContext) => void; as: (person: Person, options?: { script?: boolean }) => Promise<Page> }>({
  expectedStatuses: [[], { option: true }],
  baseURL: async ({}, use) => use(server().url),

  /** Collects errors that the browser reports, and fails the test if there are any. */
  watch: async ({ expectedStatuses }, use) => {
    const complaints: string[] = [];
    await use((context) => {
      context.on('weberror', (error) => complaints.push(`page error: ${error.error()}`));
      context.on('console', (message) => {
        if (message.type() !== 'error') return;
        const status = Number(/status of (\d+)/.exec(message.text())?.[1] ?? (message.text().includes('net::ERR_FAILED') ? 599 : 0));
        // A candidate of another test may be erased while it is shown.
        if (status === 404 && message.location().url.includes('/calls/review/candidate')) return;
        if (!expectedStatuses.includes(status)) complaints.push(`console: ${message.text()} (${message.location().url})`);
      });
      context.on('response', (response) => {
        const location = response.headers()['location'];
        if (location?.includes('__err') || location?.includes('@')) complaints.push(`typed text or an error in Location: ${location}`);
      });
    });
    expect(complaints).toEqual([]);
  },

  context: async ({ context, watch }, use) => {
    watch(context);
    await use(context);
  },

  /** A page of a signed-in operator, in a separate browser context. */
  as: async ({ browser, contextOptions, watch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (person, { script = true } = {}) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: server().url, javaScriptEnabled: script });
      contexts.push(context);
      watch(context);
      await signIn(context, person);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

/** Signs in with the same call as the form. */
export async function signIn(context: BrowserContext, { email, password }: Person): Promise<void> {
  const answer = await context.request.post(`${server().url}/calls/sign_in`, { form: { email, password, next: '' } });
  expect(answer.ok()).toBe(true);
}

/** Opens a page and waits until it is hydrated. Without script, and on the sign-in page, there is nothing to wait for. */
export async function open(page: Page, path: string, { script = true } = {}): Promise<void> {
  await page.goto(path);
  if (script && new URL(page.url()).pathname !== '/login') await hydrated(page);
}

export async function hydrated(page: Page): Promise<void> {
  await expect(page.locator('html[data-hydrated="true"]')).toBeAttached();
}

/** Proposes a fact as an assistant would, and returns its id. No other test decides on it. Every test is a user of its own, as one user may bring 100 a day. */
export async function propose(page: Page, content: string): Promise<string> {
  const answer = await page.request.post(`${server().url}/v1/facts`, {
    headers: { authorization: `Bearer ${server().key}` },
    data: { content, kind: 'fact', origin: 'assistant', user_id: `usr_end2end_${test.info().testId}` },
  });
  const { outcome, id, rules } = await answer.json();
  expect({ outcome, rules }).toEqual({ outcome: 'pending', rules: undefined });
  return id;
}

/** The id of the key that the tests call with. */
export async function keyId(page: Page): Promise<string> {
  const html = await (await page.request.get('/manage/keys')).text();
  const [, id] = /data-key-id="(key_\w+)"/.exec(html) ?? [];
  if (!id) throw new Error('no key is listed');
  return id;
}

/** Texts of the team facts that a prompt would get. */
export async function recalled(page: Page, query: string): Promise<string[]> {
  const answer = await page.request.post(`${server().url}/v1/recall`, {
    headers: { authorization: `Bearer ${server().key}` },
    data: { user_id: 'usr_end2end', surface: 'web', query },
  });
  expect(answer.ok()).toBe(true);
  return (await answer.json()).global.map((item: { content: string }) => item.content);
}

/** Blocks the live channel of a page, so that it does not see what others do. */
export async function deaf(page: Page): Promise<void> {
  await page.route('**/events', (route) => route.abort());
}

export function row(page: Page, id: string): Locator {
  return page.locator(`[data-testid="review-item"][data-fact-id="${id}"]`);
}

export function approve(page: Page, content: string): Locator {
  return page.getByRole('button', { name: `Approve: ${content}`, exact: true });
}

export function reject(page: Page, content: string): Locator {
  return page.getByRole('button', { name: `Reject: ${content}`, exact: true });
}

export function strip(page: Page): Locator {
  return page.getByTestId('last-action');
}
