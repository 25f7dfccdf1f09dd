/**
 * Takes pictures of every page of a running server that `shop.ts` has filled: light and dark, English and German, phone
 * to desk.
 *
 *   node admin-ui/dev/look.ts http://localhost:8811 OUT [name of one page] [width,width]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Page } from 'playwright';

const [origin = 'http://localhost:8811', out = 'shots', only, widths = '1440,390'] = process.argv.slice(2);
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/** Members of devices, playlists and contents that are asked for here. */
type Row = { id: string; name: string; filename: string; item_count: number; token: string };

const session = await fetch(`${origin}/api/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: 'ines@brunnen.example', password: 'eine lange Leiter' }),
}).then((r) => r.json() as Promise<Row & Row[]>);
const get = (path: string) =>
  fetch(`${origin}/api${path}`, { headers: { Authorization: `Bearer ${session.token}` } }).then(
    (r) => r.json() as Promise<Row & Row[]>,
  );
const rows = (path: string): Promise<Row[]> => get(path);
const [devices, playlists, contents] = await Promise.all([rows('/devices'), rows('/playlists'), rows('/content')]);
const [layouts, groups, walls] = await Promise.all([rows('/layouts'), rows('/groups'), rows('/walls')]);
const screen = devices.find((d: Row) => d.name === 'Window left');
const playlist = playlists.find((p: Row) => p.name === 'Till');
const content = contents.find((c: Row) => c.filename === 'Autumn window.jpg');
const video = contents.find((c: Row) => c.filename.endsWith('.mp4'));

type Shot = { name: string; path: string; signedOut?: boolean; act?: (page: Page) => Promise<void> };
const shots: Shot[] = [
  { name: 'sign-in', path: '/sign-in?verified=1', signedOut: true },
  {
    name: 'sign-in-wrong',
    path: '/sign-in',
    signedOut: true,
    act: async (page) => {
      await page.locator('input[name=email]').fill('ines@brunnen.example');
      await page.locator('input[name=password]').fill('falsch');
      await page.locator('button[type=submit]').click();
      await page.waitForTimeout(800);
    },
  },
  { name: 'screens', path: '/screens' },
  {
    name: 'connect',
    path: '/screens',
    act: (page) =>
      page
        .getByRole('button', { name: /Connect a screen|Bildschirm verbinden/ })
        .first()
        .click(),
  },
  { name: 'screen', path: `/screens/${screen?.id}` },
  { name: 'content', path: '/content' },
  { name: 'content-none', path: '/content?q=zzz' },
  { name: 'content-one', path: `/content?show=${content?.id}` },
  { name: 'content-video', path: `/content?show=${video?.id}` },
  { name: 'playlists', path: '/playlists' },
  { name: 'playlist', path: `/playlists/${playlist?.id}` },
  {
    name: 'publish',
    path: `/playlists/${playlist?.id}`,
    act: (page) => page.getByRole('button', { name: /^(Publish|Veröffentlichen)$/ }).click(),
  },
  { name: 'playlist-empty', path: `/playlists/${playlists.find((p: Row) => p.item_count === 0)?.id}` },
  { name: 'schedule', path: '/schedule' },
  {
    name: 'schedule-new',
    path: '/schedule',
    act: (page) =>
      page
        .getByRole('button', { name: /Plan something|Etwas planen/ })
        .first()
        .click(),
  },
  { name: 'layouts', path: '/layouts' },
  { name: 'layout', path: `/layouts/${layouts.find((l) => l.name === 'Window with ticker')?.id}` },
  { name: 'groups', path: '/groups' },
  { name: 'group', path: `/groups/${groups[0]?.id}` },
  { name: 'walls', path: '/walls' },
  { name: 'wall', path: `/walls/${walls[0]?.id}` },
  { name: 'account', path: '/account' },
  { name: 'reports', path: '/reports?range=days30' },
  { name: 'uptime', path: '/reports?range=today&view=uptime' },
  { name: 'activity', path: '/activity' },
  { name: 'people', path: '/settings/people' },
  { name: 'workspaces', path: '/settings/workspaces' },
  { name: 'tokens', path: '/settings/tokens' },
  { name: 'server', path: '/settings/server' },
  { name: 'about', path: '/settings/about' },
  { name: 'invite', path: '/invite/none', signedOut: true },
  { name: 'palette', path: '/screens', act: (page) => page.keyboard.press('Control+k') },
  { name: 'claim', path: '/screens?claim=K7P2QX' },
  { name: 'not-found', path: '/nowhere' },
];

const browser = await chromium.launch({
  executablePath: process.env['VITRINE_BROWSER'] ?? '/usr/bin/chromium',
  args: flags,
});
for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'de'],
  ['light', 'de'],
] as const) {
  for (const width of widths.split(',').map(Number)) {
    // German needs its own look where words are long and room is short.
    if (theme === 'light' && language === 'de' && width > 500) continue;
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 844 : 900 },
      hasTouch: width < 500,
      reducedMotion: 'reduce',
    });
    for (const shot of shots) {
      if (only && !only.split(',').includes(shot.name)) continue;
      const page = await context.newPage();
      page.on('console', (m) => m.type() === 'error' && console.log(`${shot.name} ${m.text()}`));
      page.on('pageerror', (e) => console.log(`${shot.name} ${e.message}`));
      await page.addInitScript(
        ([t, l, s]) => {
          localStorage.setItem('vitrine.theme', t!);
          localStorage.setItem('vitrine.language', l!);
          if (s) localStorage.setItem('vitrine.session', s);
          else localStorage.removeItem('vitrine.session');
        },
        [theme, language, shot.signedOut ? '' : session.token],
      );
      await page.goto(`${origin}/#${shot.path}`);
      await page.waitForTimeout(1300);
      await shot.act?.(page).catch((e: Error) => console.log(shot.name, e.message.split('\n')[0]));
      await page.waitForTimeout(500);
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze();
      for (const v of violations)
        console.log(
          `${shot.name}.${theme}.${language}.${width} ${v.id}: ${v.nodes
            .map((n) => n.target.join(' '))
            .slice(0, 3)
            .join(' | ')} ${v.nodes[0]?.any[0]?.message ?? ''}`,
        );
      mkdirSync(out, { recursive: true });
      await page.screenshot({ path: join(out, `${shot.name}.${theme}.${language}.${width}.png`) });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
