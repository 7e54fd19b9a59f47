// Every screen, with content: accessibility, narrow windows, and the size of what is pressed.
import AxeBuilder from '@axe-core/playwright';
import { expect, keyId, open, server, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

/** Timeout for opening and checking two dozen screens. */
const MANY_SCREENS_MS = 240_000;

/** Keeps a pinned block for the user at the same path, and returns its id. */
async function block(page: Page, user: string): Promise<string> {
  const memories = `${server().url}/v1/memory_stores/default/memories?user_id=${user}`;
  const headers = { authorization: `Bearer ${server().key}` };
  // Each of these tests tries: the first one adds it, the others are told that it is there.
  await page.request.post(memories, { headers, data: { path: '/projects/plan.md', content: '# Plan\n- tidy the desk', pinned: true, kind: 'plan' } });
  const { items } = await (await page.request.get(memories, { headers })).json();
  return items[0].id;
}

test.describe('every screen', () => {
  test.describe.configure({ mode: 'parallel' });
  test.use({ expectedStatuses: [404] });

  /** Every screen, each with content. */
  const screens = async (page: Page) => {
    // Proposed by each of these tests: the first one creates it, the others confirm it.
    const said = await page.request.post(`${server().url}/v1/facts`, {
      headers: { authorization: `Bearer ${server().key}` },
      data: { content: 'Kestrel builds are signed on the release host.', kind: 'fact', origin: 'agent', user_id: 'usr_end2end' },
    });
    const { id } = await said.json();
    const user = 'usr_screens';
    const saved = await page.request.post(`${server().url}/v1/memories`, {
      headers: { authorization: `Bearer ${server().key}` },
      data: { user_id: user, surface: 'web', content: 'Likes tea without sugar.', kind: 'preference', tags: ['drinks'] },
    });
    const memory = (await saved.json()).id;
    await page.request.post(`${server().url}/v1/notes`, {
      headers: { authorization: `Bearer ${server().key}` },
      data: { user_id: user, surface: 'telegram', content: 'Summarise long output.' },
    });
    await page.request.post(`${server().url}/v1/history`, {
      headers: { authorization: `Bearer ${server().key}` },
      data: { user_id: user, surface: 'telegram', turns: [{ role: 'user', content: 'hello' }, { role: 'tool', content: 'ok' }] },
    });
    await page.request.post('/calls/users/open', { form: { user, reason: 'SUP-100' } });
    return [
      '/review',
      `/review/${id}`,
      `/review/${id}?edit=1`,
      '/stats?table=growth-team',
      '/start',
      '/find?q=key',
      '/manage/facts?status=all',
      '/manage/facts?q=nothing-says-this',
      `/manage/facts/${id}`,
      `/manage/facts/${id}/delete`,
      '/manage/users',
      `/manage/users/${user}`,
      `/manage/users/${user}/memories`,
      `/manage/users/${user}/memories/${memory}`,
      `/manage/users/${user}/chat`,
      `/manage/users/${user}/blocks`,
      `/manage/users/${user}/blocks/${await block(page, user)}`,
      `/manage/users/${user}/contributions`,
      `/manage/users/${user}/access`,
      `/manage/users/${user}/erasures`,
      `/manage/users/${user}/erase`,
      '/manage/erasures',
      '/help/stored',
      '/manage/settings',
      '/manage/settings/history',
      '/manage/recall',
      '/manage/gate',
      '/manage/operators',
      '/manage/keys',
      '/manage/keys?state=unused',
      `/manage/keys/${await keyId(page)}`,
      '/manage/webhooks',
      '/account',
      '/audit',
      '/help/keys',
      '/nowhere',
    ];
  };

  // Colours depend on the theme and measures on the width: two runs see each theme and each width.
  for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
    test(`passes axe in the ${theme} theme at ${width}`, async ({ page, context }) => {
      test.setTimeout(MANY_SCREENS_MS);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      const check = async (path: string) => {
        await open(page, path);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, ...nodes.map((node) => node.html)])).toEqual([]);
      };
      await check('/login');
      await signIn(context, server().editor);
      for (const path of await screens(page)) await check(path);
    });
  }

  test('fits into 320 px without sideways scrolling', async ({ page, context }) => {
    test.setTimeout(MANY_SCREENS_MS);
    const fits = async (path: string) => {
      for (const width of [320, 761, 1181]) {
        await page.setViewportSize({ width, height: 700 });
        await open(page, path);
        expect([path, width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width, width]);
      }
    };
    await fits('/login');
    await signIn(context, server().editor);
    for (const path of await screens(page)) await fits(path);
  });

  test('has targets of at least 24 px', async ({ page, context }) => {
    test.setTimeout(MANY_SCREENS_MS);
    await signIn(context, server().editor);
    for (const [width, least] of [[1440, 24], [390, 36]] as const) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of await screens(page)) {
        await open(page, path);
        const small = await page.locator('button:visible, summary:visible').evaluateAll(
          (buttons, least) => buttons.filter((button) => button.getBoundingClientRect().height < least || button.getBoundingClientRect().width < least).map((button) => button.outerHTML),
          least,
        );
        expect([path, ...small]).toEqual([path]);
      }
    }
  });
});
