/**
 * Takes screenshots of pages of a running server whose sample data comes from `shop.ts`: light in English and dark
 * in German, on a phone and on a desktop. (test/e2e/pictures.test.ts writes pictures of all pages to
 * test-artefacts.) node admin-ui/dev/look.ts http://localhost:8811 OUT /screens '/content?q=bread' …
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';

const [origin = 'http://localhost:8811', out = 'shots', ...paths] = process.argv.slice(2);
const login = await fetch(`${origin}/api/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: 'ines@brunnen.example', password: 'eine lange Leiter' }),
});
const { token } = (await login.json()) as { token: string };

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['VITRINE_BROWSER'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'de'],
] as const) {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      hasTouch: width < 500,
      reducedMotion: 'reduce',
    });
    await context.addInitScript((kept) => Object.assign(localStorage, kept), {
      'vitrine.theme': theme,
      'vitrine.language': language,
      'vitrine.session': token,
    });
    for (const path of paths) {
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && console.log(path, message.text()));
      page.on('pageerror', (error) => console.log(path, error.message));
      await page.goto(`${origin}/#${path}`);
      await page.waitForTimeout(1800);
      const name = path.replace(/^\//, '').replaceAll(/\W+/g, '-');
      await page.screenshot({ path: join(out, `${name}.${theme}.${language}.${width}.png`) });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
