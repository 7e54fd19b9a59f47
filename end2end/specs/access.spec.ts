// Who may do what, and what no response may contain.
import { readFileSync } from 'node:fs';
import { expect, server, open, propose, row, signIn, test } from '../fixtures';

const SAMPLE = new URL('../../sample/exchanges.jsonl', import.meta.url);

test('a viewer sees the queue and no way to decide', async ({ page, context }) => {
  await signIn(context, server().viewer);
  await open(page, '/review');
  await expect(page.getByTestId('readonly-bar')).toHaveText('You have view access. To change anything, ask for facts:review or users:edit.');
  await expect(page.getByTestId('review-item').first()).toBeVisible();
  await expect(page.getByText('View only')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0);
  await page.getByTestId('review-item').first().getByRole('link').first().click();
  await expect(page.getByText('Corroboration')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0);
});

test('a viewer’s decision is refused', async ({ page, context }) => {
  await signIn(context, server().viewer);
  const id = await propose(page, 'Smoke tests follow each deployment of the portal.');
  for (const verb of ['approve', 'reject']) {
    const answer = await page.request.post('/calls/decide', { form: { 'ids[]': `${id}:1`, action: verb } });
    expect(answer.status()).toBe(403);
    expect((await answer.json()).code).toBe('view_only');
  }
  await open(page, `/review/${id}`);
  await expect(row(page, id)).toHaveAttribute('data-status', 'pending');
});

test('a decision from another site is refused', async ({ page, context }) => {
  await signIn(context, server().editor);
  const id = await propose(page, 'Schema migrations are reviewed by two maintainers.');
  for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    for (const accept of ['text/html', 'application/json']) {
      const answer = await page.request.post('/calls/decide', { form: { 'ids[]': `${id}:1`, action: 'approve' }, headers: { accept, ...foreign }, maxRedirects: 0 });
      expect(answer.status()).toBe(403);
    }
  }
  await open(page, `/review/${id}`);
  await expect(row(page, id)).toHaveAttribute('data-status', 'pending');
});

test('nothing of the console opens without signing in', async ({ request }) => {
  for (const path of ['/review', '/review/gf_1', '/nowhere']) {
    const answer = await request.get(path, { maxRedirects: 0, headers: { accept: 'text/html' } });
    expect([answer.status(), answer.headers()['location']]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
  }
  for (const path of ['/calls/review/queue', '/calls/review/candidate?id=gf_1']) {
    expect((await request.get(path)).status()).toBe(401);
  }
});

test('no answer of the queue carries a contributor', async ({ page, context }) => {
  const lines = readFileSync(SAMPLE, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const secrets = new Set<string>(lines.flatMap(({ user_id, thread }) => [user_id, thread]).filter(Boolean));
  expect(secrets.size).toBeGreaterThan(10);
  await signIn(context, server().editor);
  const bodies: string[] = [];
  await open(page, '/review');
  const ids = await page.getByTestId('review-item').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-fact-id')));
  for (const path of ['/review', '/calls/review/queue', ...ids.flatMap((id) => [`/review/${id}`, `/calls/review/candidate?id=${id}`])]) {
    const answer = await page.request.get(path);
    // A candidate of another test may be erased meanwhile.
    expect([200, 404]).toContain(answer.status());
    bodies.push(await answer.text());
  }
  for (const secret of [...secrets, 'usr_end2end']) {
    expect(bodies.filter((body) => body.includes(secret))).toEqual([]);
  }
});

test('a form that fails puts neither what was typed nor the error into the address', async ({ request }) => {
  const answer = await request.post('/calls/sign_in', {
    form: { email: 'typed-by-somebody@example.org', password: 'typed as well', next: '/review' },
    headers: { accept: 'text/html', referer: `${server().url}/login?next=%2Freview` },
    maxRedirects: 0,
  });
  expect([answer.status(), answer.headers()['location']]).toEqual([303, '/login?next=%2Freview']);
});

test('a page may run nothing that the server did not send', async ({ page, context }) => {
  await signIn(context, server().editor);
  const answer = await page.goto('/review');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
  expect(await page.locator('[style]').count()).toBe(0);
});
