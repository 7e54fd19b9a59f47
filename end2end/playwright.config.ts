// How the browser tests run: one Keepsake, started as `make run` starts it, and one browser.
//   npx playwright test --project console    the tests
//   npx playwright test --project shots      pictures of every screen, into shots/
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const root = process.getuid?.() === 0;
const named = process.env.KEEPSAKE_CHROMIUM ?? (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined);

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './server.ts',
  timeout: 30_000,
  expect: { timeout: 10_000 },
  forbidOnly: !!process.env.CI,
  fullyParallel: false,
  workers: 2,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: named,
      args: [
        ...(root ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'console', testMatch: 'specs/*.spec.ts' },
    { name: 'shots', testMatch: 'shots.ts' },
  ],
});
