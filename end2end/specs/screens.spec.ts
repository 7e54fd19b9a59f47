// What a screen reader finds on each screen: names, roles and order, without data.
import { expect, server, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

test.use({ expectedStatuses: [403, 404] });

test.beforeEach(async ({ context }) => {
  await signIn(context, server().editor);
});

const main = (page: Page) => expect(page.getByRole('main'));

test('stats', async ({ page }) => {
  await open(page, '/stats');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Stats" [level=1]
      - navigation "Range":
        - link "7 days"
        - link "30 days"
        - link "90 days"
        - link "1 year"
      - term: Personal memories
      - definition: /\\d+/
      - term: Approved facts
      - term: Pending facts
      - term: Rejected facts
      - heading "Personal memories" [level=2]
      - 'link "Show as table: Personal memories"'
      - figure:
        - img /Personal memories/
      - heading "Team facts" [level=2]
      - figure:
        - img /Team facts/
      - heading "Personal, by kind" [level=2]
      - table "Personal, by kind"
      - heading "Team, by kind" [level=2]
      - table "Team, by kind"
      - heading "Extractor activity" [level=2]
      - heading "Merge rate" [level=2]
      - heading "Most recalled facts" [level=2]
      - heading "Calibration" [level=2]
      - link "Change in Settings"
      - term: Auto-promote at
      - term: Team merge similarity
  `);
});

test('facts', async ({ page }) => {
  await open(page, '/manage/facts?status=all');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Facts" [level=1]
      - navigation "State":
        - list:
          - listitem:
            - link /Approved \\d+/
          - listitem:
            - link /Rejected \\d+/
          - listitem:
            - link /All \\d+/
      - search:
        - searchbox "Search fact text or id"
        - group:
          - combobox "Sort"
      - table "All facts":
        - rowgroup:
          - row:
            - columnheader "Fact"
            - columnheader "Kind"
            - columnheader "Origin"
            - columnheader "Contributors"
            - columnheader "Confidence"
            - columnheader "Importance"
            - columnheader "Recalls"
            - columnheader "Confirmed"
            - columnheader "Actions"
      - navigation "Pages"
  `);
});

test('a fact', async ({ page }) => {
  await open(page, '/manage/facts?status=all');
  await page.getByTestId('fact-row').first().getByRole('link').first().click();
  await main(page).toMatchAriaSnapshot(`
    - main:
      - paragraph:
        - link "Facts"
      - heading /Fact gf_/ [level=1]
      - article:
        - paragraph
        - link "Edit"
        - button /Re-open|Approve/
        - term: Status
        - term: Kind
        - term: Importance
        - term: Confidence
        - term: Contributors
        - term: Origin
      - complementary "About this fact":
        - heading "Corroboration" [level=3]
        - heading "Confidence" [level=3]
        - heading "Nearest in the team store" [level=3]
        - heading "History" [level=3]
  `);
});

test('users, and a record', async ({ page }) => {
  const user_id = 'usr_screenreader';
  await page.request.post(`${server().url}/v1/memories`, {
    headers: { authorization: `Bearer ${server().key}` },
    data: { user_id, surface: 'web', kind: 'preference', content: 'Prefers short answers.' },
  });
  await open(page, '/manage/users');
  await page.getByLabel('User id').fill(user_id.slice(0, 12));
  await page.getByTestId('find-reason').fill('SUP-4471');
  await page.getByRole('button', { name: 'Find' }).click();
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Users" [level=1]
      - search:
        - textbox "User id"
        - textbox "Reason"
        - button "Find"
      - heading "1 found" [level=2]
      - table "Users that match":
        - rowgroup
        - rowgroup:
          - row:
            - cell "usr_screenreader"
  `);
  await page.request.post('/calls/users/open', { form: { user: user_id, reason: 'SUP-7' } });
  await open(page, `/manage/users/${user_id}`);
  await main(page).toMatchAriaSnapshot(`
    - main:
      - paragraph:
        - link "Users"
      - heading "usr_screenreader" [level=1]
      - navigation "Record":
        - link "Overview"
        - link "Personal memories 1"
        - link "Team contributions 0"
        - link /Access log \\d+/
      - paragraph: Opening this record was logged
      - term: Personal memories
      - term: Team contributions
      - term: Messages
      - heading "Personal memories" [level=2]
      - link "Show text…"
      - table "Personal memories":
        - rowgroup
        - rowgroup:
          - row:
            - cell "Preference"
            - cell "Hidden"
  `);
});

test('settings', async ({ page }) => {
  await open(page, '/manage/settings');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Settings" [level=1]
      - link "Change history"
      - region "Self-training":
        - heading "Self-training" [level=2]
        - status
        - switch "Personal extractor"
        - switch "Team-candidate extractor"
      - region "Model use":
        - textbox "Tokens a day"
        - radiogroup "When they are used up":
          - radio "Wait"
          - radio "Use the rules"
      - region "Team knowledge in recall":
        - switch "Web"
        - switch "Telegram"
        - switch "MCP"
        - switch "Anonymous calls"
      - region "Auto-promote":
        - radiogroup "Auto-promote":
          - radio "After separate contributors agree"
          - spinbutton "Contributors"
          - radio "Never"
      - region "Thresholds":
        - group "Team merge similarity":
          - slider
          - textbox "Team merge similarity"
        - group "Personal merge similarity"
  `);
});

test('the tools', async ({ page }) => {
  await open(page, '/manage/recall');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Recall inspector" [level=1]
      - textbox "Question"
      - combobox "Asked by"
      - combobox "On"
      - group: /More options/
      - button "Ask"
  `);
  await open(page, '/manage/gate');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Gate" [level=1]
      - textbox "Text to try"
      - button "Try it"
      - region "Known attacks":
        - heading "Known attacks" [level=2]
        - paragraph: /\\d+ of \\d+ stopped/
        - group: /Zero-width characters/
  `);
});

test('staff and the record of what they do', async ({ page }) => {
  await open(page, '/manage/operators');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Operators" [level=1]
      - heading /\\d+ operators/ [level=2]
      - table "Operators":
        - rowgroup:
          - row "Name Email Rights Actions"
      - heading "Add an operator" [level=2]
      - textbox "Email"
      - textbox "Name"
      - group "Rights":
        - radio /View only/ [checked]
        - radio /Reviewer/
        - radio /Manager/
        - radio /Editor/
      - button "Add operator"
  `);
  await open(page, '/manage/keys');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Keys" [level=1]
      - navigation "Which keys":
        - link /All \\d+/
        - link /Active \\d+/
        - link /Expiring within 14 days \\d+/
        - link /Unused for 30 days \\d+/
        - link /Revoked or expired \\d+/
      - heading /\\d+ keys?/ [level=2]
      - table "Keys":
        - rowgroup:
          - row "Name Scopes Speaks for Created Last used Expires State Actions"
      - heading "Add a key" [level=2]
      - textbox "Name"
      - group "Scopes":
        - checkbox /read/
        - checkbox /write/
        - checkbox /erase/
        - checkbox /export/
      - textbox "User id"
      - textbox "Surface"
      - textbox "Expires"
      - button "Add key"
  `);
  await open(page, '/account');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Account" [level=1]
      - heading "Change password" [level=2]
      - textbox "Current password"
      - textbox "New password"
      - button "Change password"
      - heading "Your latest entries" [level=2]
      - table "Your latest entries of the audit log"
  `);
  await open(page, '/audit');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Audit log" [level=1]
      - link "Check log integrity"
      - search:
        - group:
          - searchbox "Id, ticket or operator"
      - table "Audit log":
        - rowgroup:
          - row "Time, UTC Who What Target Detail"
      - navigation "Pages"
  `);
  await page.getByTestId('verify').click();
  await expect(page.getByTestId('chain')).toContainText('Log intact');
});

test('the keys', async ({ page }) => {
  await open(page, '/help/keys');
  await main(page).toMatchAriaSnapshot(`
    - main:
      - heading "Keyboard shortcuts" [level=1]
      - region "Keyboard shortcuts":
        - heading "Anywhere"
        - term: "?"
        - definition: This list
        - heading "Lists"
        - heading "Review"
        - heading "Editor"
  `);
});
