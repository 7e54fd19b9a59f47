// Screenshots of every screen and state, in both themes, at desktop and phone width: shots/NAME-WIDTH-THEME.png.
import { approve, deaf, expect, server, open, propose, reject, signIn, strip, test } from './fixtures';
import { reading, spare } from './server';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [401, 403, 404, 409, 422, 500, 599] });

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    const height = width === 390 ? 844 : 960;

    test.describe(`${width} ${theme}`, () => {
      test.use({ viewport: { width, height }, colorScheme: theme });

      const shoot = async (page: Page, name: string, fullPage = false) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: `shots/${name}-${width}-${theme}.png`, fullPage });
      };

      test('sign-in', async ({ page }) => {
        await open(page, '/login');
        await page.getByLabel('Password', { exact: true }).fill('thirteen dots');
        await page.getByLabel('Email').fill('priya.raman@example.org');
        await shoot(page, 'login');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await expect(page.getByTestId('error-summary')).toBeVisible();
        await shoot(page, 'login-wrong');
        await page.goto('/login?next=%2Freview&ended=1');
        await shoot(page, 'login-ended');
      });

      test('the queue and a candidate', async ({ page, context }) => {
        await signIn(context, server().editor);
        await open(page, '/review');
        await shoot(page, 'review');
        if (width === 1440) {
          await page.keyboard.press('?');
          await expect(page.getByRole('dialog')).toBeVisible();
          await shoot(page, 'keys');
          await page.keyboard.press('Escape');
        }
        await page.getByTestId('review-item').first().locator('.row-text').click();
        await expect(page.getByText('Corroboration')).toBeVisible();
        await shoot(page, 'candidate');
        await page.goto('/nowhere');
        await shoot(page, 'missing');
      });

      test('decided, and lost to another operator', async ({ page, context, as }) => {
        await signIn(context, server().editor);
        const [mine, lost] = [`Deploys pause on the last working day of quarter ${width}${theme}.`, `The importer of region ${width}${theme} runs at noon.`];
        await propose(page, mine);
        await propose(page, lost);
        const other = await as(server().other);
        await deaf(page);
        await open(page, '/review');
        await open(other, '/review');
        await reject(other, lost).click();
        await expect(strip(other)).toContainText('Rejected');
        await approve(page, mine).click();
        await expect(strip(page)).toContainText('Approved');
        await approve(page, lost).click();
        await expect(page.getByTestId('conflict')).toBeVisible();
        await page.getByTestId('conflict').scrollIntoViewIfNeeded();
        await shoot(page, 'conflict');
      });

      test('what others propose and decide', async ({ page, context, as }) => {
        await signIn(context, server().editor);
        const said = (what: string) => `${what} of depot ${width}${theme}`;
        const gone = `${said('Deliveries')} are weighed before they are opened.`;
        const id = await propose(page, gone);
        await propose(page, `${said('Pallets')} stay dry.`);
        await open(page, `/review?q=depot+${width}${theme}`);
        await expect(page.getByTestId('live-state')).toHaveText('Live · updated just now');
        const other = await as(server().other);
        await open(other, `/review?q=depot+${width}${theme}`);
        await reject(other, gone).click();
        await expect(page.locator(`[data-testid="review-item-gone"][data-fact-id="${id}"]`)).toBeVisible();
        await propose(page, `${said('Forklifts')} are charged at night.`);
        await expect(page.getByTestId('new-arrivals')).toBeVisible();
        await shoot(page, 'elsewhere');
      });

      test('a conflict, a reason, a question and a refused edit', async ({ page, context }) => {
        test.slow();
        await signIn(context, server().editor);
        const [first, second] = [`Preview ${width}${theme} uses ports 7300 to 7399.`, `Preview ${width}${theme} uses ports 7400 to 7499.`];
        const one = await propose(page, first);
        await page.request.post('/calls/decide', { form: { 'ids[]': `${one}:1`, action: 'approve' } });
        const two = await propose(page, second);
        await open(page, `/review?q=preview+${width}${theme}`);
        await approve(page, second).click();
        await expect(strip(page)).toContainText('not recalled');
        await shoot(page, 'approved-not-recalled');
        await open(page, `/review/${two}?edit=1`);
        await page.getByTestId('edit-text').fill('Write to dana@example.org about previews.');
        await page.getByTestId('save').click();
        await expect(page.getByTestId('marked')).toBeVisible();
        await shoot(page, 'edit-refused');
        const third = `Rejected previews ${width}${theme} are kept for a week.`;
        await propose(page, third);
        await open(page, `/review?q=rejected+previews`);
        await reject(page, third).click();
        await page.getByTestId('why').locator('summary').click();
        await shoot(page, 'why-rejected');
        await open(page, '/review?view=mine&when=today');
        await shoot(page, 'decided-today');
        await open(page, '/manage/facts?status=rejected');
        if (width > 760) await page.getByTestId('filter-reason').locator('summary').click();
        await shoot(page, 'facts-rejected');
      });

      test('memory blocks', async ({ page, context }) => {
        await signIn(context, server().editor);
        const user = `usr_blocks${width}${theme}`;
        const headers = { authorization: `Bearer ${server().key}` };
        const memories = `/v1/memory_stores/default/memories?user_id=${user}`;
        for (const [path, content, pinned] of [
          ['/persona.md', '# Anna\n- tea without sugar\n'.repeat(160), true],
          ['/projects/plan.md', '# Plan\n- tidy the desk\n', false],
          ['/projects/old.md', 'done', false],
        ] as const) {
          await page.request.post(memories, { headers, data: { path, content, pinned, kind: 'notes' } });
        }
        const tool = (command: Record<string, string>) => page.request.post('/v1/memory-tool', { headers, data: { user_id: user, ...command } });
        await tool({ command: 'str_replace', path: '/memories/projects/plan.md', old_str: 'the desk', new_str: 'the shelf' });
        await tool({ command: 'create', path: '/memories/cut.md', file_text: 'Plan\n[rest unchanged]\n' });
        await tool({ command: 'delete', path: '/memories/projects/old.md' });
        await page.request.post('/calls/users/open', { form: { user, reason: 'SUP-4471' } });
        await open(page, `/manage/users/${user}/blocks`);
        await shoot(page, 'blocks');
        await page.getByTestId('delete-block').click();
        await shoot(page, 'block-delete-question');
        await page.getByTestId('dialog-cancel').click();
        await page.getByTestId('open-block').last().click();
        await expect(page.getByTestId('block')).toBeVisible();
        await shoot(page, 'block-masked');
        await page.getByTestId('reveal').click();
        await page.getByTestId('dialog-confirm').click();
        await expect(page.getByTestId('block-diff').locator('ins')).toBeVisible();
        await shoot(page, 'block-shown');
      });

      test('view only', async ({ page, context }) => {
        await signIn(context, server().viewer);
        await open(page, '/review');
        await shoot(page, 'readonly');
      });

      test('the other screens', async ({ page, context }) => {
        test.slow();
        await signIn(context, server().editor);
        await open(page, '/manage/users');
        await page.getByLabel('User id').fill('usr_');
        await page.getByTestId('find-reason').fill('SUP-4471');
        await page.getByRole('button', { name: 'Find' }).click();
        const found = page.getByTestId('user-result').first();
        await expect(found).toBeVisible();
        await shoot(page, 'users');
        await page.getByTestId('pager-next').click();
        await expect(page.getByTestId('pager-range')).toContainText('11–');
        await shoot(page, 'users-page-2');
        const user = await found.getAttribute('data-user-id');
        await page.request.post('/calls/users/open', { form: { user: user ?? '', reason: 'SUP-4471' } });
        const screens = {
          stats: '/stats',
          facts: '/manage/facts?status=all',
          user: `/manage/users/${user}`,
          erasures: '/manage/erasures',
          stored: '/help/stored',
          settings: '/manage/settings',
          recall: '/manage/recall',
          gate: '/manage/gate',
          operators: '/manage/operators',
          account: '/account',
          audit: '/audit',
          keys: '/help/keys',
          'api-keys': '/manage/keys',
          webhooks: '/manage/webhooks',
          start: '/start',
          'settings-history': '/manage/settings/history',
        };
        for (const [name, path] of Object.entries(screens)) {
          await open(page, path);
          await shoot(page, name);
        }
        await open(page, '/manage/keys');
        await page.getByLabel('Name').fill(`web chat ${width} ${theme}`);
        await page.getByRole('checkbox', { name: 'read' }).check();
        await page.getByRole('button', { name: 'Add key' }).click();
        await expect(page.getByTestId('secret')).toBeVisible();
        await shoot(page, 'key-made', true);
        await open(page, '/manage/facts');
        await page.getByTestId('fact-row').first().getByRole('link').first().click();
        await expect(page.getByTestId('fact-detail')).toBeVisible();
        await shoot(page, 'fact');
      });

      test('questions, drafts and a selection', async ({ page, context }) => {
        await signIn(context, server().editor);
        await open(page, '/review');
        for (const place of [0, 1]) await page.getByTestId('select-row').nth(place).check();
        await expect(page.getByTestId('bulk-count')).toHaveText('2 selected');
        await shoot(page, 'review-selected');
        await page.keyboard.press('Control+k');
        await page.getByTestId('dialog').getByRole('searchbox').fill('team');
        await expect(page.getByTestId('dialog').getByRole('link', { name: /Team merge similarity/ })).toBeVisible();
        await shoot(page, 'find');
        await page.keyboard.press('Escape');
        await open(page, '/manage/facts?status=all');
        await page.getByTestId('select-row').nth(1).check();
        await page.getByTestId('select-row').nth(2).check();
        await shoot(page, 'facts-selected');
        await page.getByTestId('bulk-delete').click();
        await expect(page.getByTestId('dialog-cancel')).toBeFocused();
        await shoot(page, 'facts-delete');
        await open(page, '/manage/settings#thresholds');
        await page.getByTestId('thr-merge-global').getByRole('textbox').fill('0.95');
        await page.getByTestId('thr-confidence').getByRole('textbox').fill('2');
        await expect(page.getByTestId('thr-confidence').getByTestId('impact')).toHaveText('Enter a number from 0.00 to 1.00');
        await shoot(page, 'settings-drafts');
        for (const setting of ['thr-merge-global', 'thr-merge-personal']) await page.getByTestId(setting).getByTestId('alike').locator('summary').click();
        await shoot(page, 'settings-examples');
        await page.getByTestId('thr-confidence').getByRole('textbox').fill('0.60');
        await expect(page.getByTestId('thr-confidence').getByTestId('impact')).toContainText('At 0.60');
        await page.getByTestId('apply-thresholds').click();
        await expect(page.getByTestId('changes')).toBeVisible();
        await shoot(page, 'settings-apply');
        await open(page, '/manage/operators');
        await page.getByRole('link', { name: /^Disable/ }).last().click();
        await expect(page.getByTestId('dialog-confirm')).toBeVisible();
        await shoot(page, 'operators-disable');
      });

      test('an erasure', async ({ page, context }) => {
        await signIn(context, server().editor);
        const headers = { authorization: `Bearer ${server().key}` };
        const user = `usr_7f3a91${width}${theme}`;
        for (const content of ['keeps bees on the balcony', 'plays chess by post'])
          await page.request.post('/v1/memories', { headers, data: { user_id: user, surface: 'web', content } });
        for (const [who, content] of [
          [user, `Backups of region ${width}${theme} move to cold storage after 35 days.`],
          [user, `Release trains of region ${width}${theme} leave on the first Tuesday.`],
          ['usr_somebody_else', `Release trains of region ${width}${theme} leave on the first Tuesday.`],
        ])
          await page.request.post('/v1/facts', { headers, data: { user_id: who, kind: 'fact', content } });
        await page.request.post('/calls/users/open', { form: { user, reason: 'SUP-4471' } });
        await open(page, `/manage/users/${user}/erase`);
        await page.getByTestId('confirm-id').fill('usr_mistyped');
        await page.getByTestId('erase-submit').click();
        await expect(page.getByTestId('error-summary')).toBeVisible();
        await shoot(page, 'erase-mistyped', true);
        await page.getByTestId('more-tables').locator('summary').click();
        await shoot(page, 'erase-all-tables', true);
        await page.getByTestId('more-tables').locator('summary').click();
        await page.getByTestId('confirm-id').fill(user);
        await shoot(page, 'erase', true);
        // The erasure would finish before the screenshot, unless a reader delays it.
        const read = reading(server().data, 4);
        await page.waitForTimeout(500);
        await page.getByTestId('erase-submit').click();
        await expect(page.getByTestId('erase-progress')).toBeVisible();
        await shoot(page, 'progress');
        await read;
        await expect(async () => {
          await page.reload();
          await expect(page.getByTestId('receipt-status')).toHaveAttribute('data-status', 'verified', { timeout: 1_000 });
        }).toPass();
        await shoot(page, 'receipt', true);
        await page.emulateMedia({ media: 'print' });
        await shoot(page, 'receipt-print', true);
        await page.emulateMedia({ media: 'screen' });
        await open(page, '/manage/users');
        for (const [id, name] of [[user, 'users-erased'], ['usr_never_seen', 'users-unknown']]) {
          await page.getByLabel('User id').fill(id);
          await page.getByTestId('find-reason').fill('SUP-4471');
          await page.getByRole('button', { name: 'Find' }).click();
          await expect(page.getByTestId('empty').last()).toBeVisible();
          await shoot(page, name);
        }
        await open(page, '/manage/erasures');
        await page.getByTestId('sought-user').fill(user);
        await page.getByTestId('sought-reason').fill('SUP-4471');
        await page.getByTestId('sought-submit').click();
        await expect(page.getByTestId('look-up').getByTestId('erasure-row').first()).toBeVisible();
        await shoot(page, 'erasures-looked-up');
        await open(page, '/audit?group=erasures&group=users&when=today');
        await shoot(page, 'audit-filtered');
        await page.getByTestId('filter-when').locator('summary').click();
        await shoot(page, 'audit-menu');
        await open(page, '/audit?target=gf_nothing');
        await shoot(page, 'audit-empty');
      });

      test('editing and loading', async ({ page, context }) => {
        await signIn(context, server().editor);
        await open(page, '/review');
        const edit = page.getByTestId('review-item').first().getByTestId('edit');
        if (await edit.isVisible()) {
          await edit.click();
          await expect(page.getByTestId('filter-verdict')).toContainText('No personal data found');
          await shoot(page, 'editor');
        }
        await open(page, '/stats');
        // An answer without a page, after a while: the browser stays on the page with its current state.
        await page.route('**/review', async (route) => {
          await page.waitForTimeout(600);
          await route.fulfill({ status: 204 });
        });
        await page.getByTestId('nav-review').click({ noWaitAfter: true });
        await expect(page.getByTestId('skeleton')).toBeVisible();
        await shoot(page, 'loading');
      });

      test('failed', async ({ page, context }) => {
        const [shared, own] = [process.env.KEEPSAKE_SERVER, await spare()];
        process.env.KEEPSAKE_SERVER = JSON.stringify(own);
        await signIn(context, own.editor);
        await own.without('views', async () => {
          await page.goto(`${own.url}/review`);
          await expect(page.getByTestId('panel-error')).toBeVisible();
          await shoot(page, 'failed');
        });
        process.env.KEEPSAKE_SERVER = shared;
        await own.stop();
      });
    });
  }
}
