// The colours and fonts of the design as the browser computes them, in both themes.
import { expect, server, open, signIn, test } from '../fixtures';
import type { Page } from '@playwright/test';

const COLOURS: Record<string, [light: string, dark: string]> = {
  canvas: ['#f6f6f8', '#0d0e12'],
  surface: ['#ffffff', '#14151a'],
  subtle: ['#fafafb', '#181a20'],
  sunken: ['#efeff3', '#1e2027'],
  raised: ['#ffffff', '#1c1e25'],
  'seg-on': ['#ffffff', '#30333e'],
  hover: ['#f5f5f8', '#1a1c22'],
  selected: ['#f3f4fe', '#181b30'],
  line: ['#e8e8ed', '#23252c'],
  'line-strong': ['#d6d7df', '#353842'],
  control: ['#868895', '#737685'],
  text: ['#15161c', '#edeef2'],
  'text-2': ['#474955', '#b6b8c4'],
  'text-3': ['#636572', '#9093a1'],
  accent: ['#4350d6', '#5a67e8'],
  'accent-press': ['#3641b8', '#4d59d6'],
  'accent-text': ['#3a46c4', '#a3acff'],
  'accent-soft': ['#eef0fd', '#1b1e39'],
  'accent-line': ['#cdd2f8', '#343a78'],
  ok: ['#16703f', '#5fcb8e'],
  'ok-soft': ['#e6f5ec', '#10291c'],
  'ok-line': ['#b9e0c9', '#1f4c35'],
  warn: ['#8a5200', '#e5b45a'],
  'warn-soft': ['#fff6e5', '#2a2110'],
  'warn-line': ['#f0d9ac', '#4d3b18'],
  danger: ['#b3212c', '#ff8a8f'],
  'danger-soft': ['#fdf0f0', '#311618'],
  'danger-line': ['#f2c9cb', '#5a282c'],
  'danger-solid': ['#c12733', '#c93540'],
  c1: ['#4350d6', '#8f9aff'],
  c2: ['#0b7f80', '#45c4bf'],
  c3: ['#ad6a06', '#e3ae4c'],
  c4: ['#ad3d77', '#e787b8'],
  c0: ['#8b8d9a', '#777a88'],
};

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

const computed = (page: Page, names: string[]) =>
  page.evaluate((names) => {
    const probe = document.createElement('i');
    document.body.append(probe);
    const found = names.map((name) => {
      probe.setAttribute('class', '');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`body > i:last-child { color: var(--${name}); }`);
      document.adoptedStyleSheets = [sheet];
      return [name, getComputedStyle(probe).color];
    });
    document.adoptedStyleSheets = [];
    probe.remove();
    return Object.fromEntries(found);
  }, names);

for (const [place, theme] of [[0, 'light'], [1, 'dark']] as const) {
  test(`every colour of the ${theme} theme is the design’s`, async ({ page, context }) => {
    await signIn(context, server().editor);
    await page.emulateMedia({ colorScheme: theme });
    await open(page, '/review');
    const wanted = Object.fromEntries(Object.entries(COLOURS).map(([name, both]) => [name, rgb(both[place])]));
    expect(await computed(page, Object.keys(COLOURS))).toEqual(wanted);
  });
}

test('titles and rows have the design’s type', async ({ page, context }) => {
  await signIn(context, server().editor);
  await open(page, '/review');
  const type = (selector: string) =>
    page.locator(selector).first().evaluate((element) => {
      const { fontSize, lineHeight, fontWeight, fontFamily } = getComputedStyle(element);
      return [fontSize, Math.round(parseFloat(lineHeight)), fontWeight, fontFamily.split(',')[0].replaceAll('"', '')];
    });
  expect(await type('h1')).toEqual(['18px', 23, '600', 'Inter']);
  expect(await type('.row-text')).toEqual(['14px', 21, '400', 'Inter']);
  expect(await type('.meta')).toEqual(['12px', 17, '400', 'Inter']);
  expect(await type('.inspector h2')).toEqual(['15px', 20, '600', 'Inter']);
});

test('motion stops for those who ask for that', async ({ page, context }) => {
  await signIn(context, server().editor);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '/review');
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || transitionDuration.split(',').some((time) => parseFloat(time) > 0.001);
  }).length);
  expect(moving).toBe(0);
});

test('with forced colours the chosen row and the states keep an edge', async ({ page, context }) => {
  await signIn(context, server().editor);
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, '/review');
  await page.getByTestId('select-row').first().check();
  const outlined = await page.locator('.row.chosen').first().evaluate((row) => getComputedStyle(row).outlineStyle);
  expect(outlined).not.toBe('none');
});

test('eight tabs at once are all live and all work', async ({ context }) => {
  test.slow();
  await signIn(context, server().editor);
  const pages = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
  for (const page of pages) await open(page, '/review');
  for (const page of pages) {
    await page.getByTestId('filter-q').fill('');
    await page.reload();
    await expect(page.getByTestId('live-state')).toHaveText('Live · updated just now');
  }
});
