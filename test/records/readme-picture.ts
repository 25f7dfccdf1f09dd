/**
 * Makes the pictures of the README, light and dark (`build/pictures`): the admin window of a small bakery, and one of
 * its screens. The server, the admin window and the screen are real; the other players only answer. Run it with `npm
 * run build && node test/records/readme-picture.ts`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import sharp from 'sharp';
import { Agent } from '../../player/agent/agent.ts';
import { launchBrowser } from '../../player/screen/testing/browser.ts';
import { screenAgent } from '../e2e/hosts/agent.ts';
import { startSite } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { type PairedPlayer, pairPlayer } from '../player-client.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'build', 'pictures');

const [font] = globSync('dist/admin/assets/inter-latin-wght-normal-*.woff2', { cwd: ROOT });
if (!font) throw new Error('The window is not built: run npm run build first.');
const FONT = `@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${readFileSync(join(ROOT, font)).toString('base64')}); }
  * { box-sizing: border-box; } body { margin: 0; width: 1280px; height: 720px; overflow: hidden; position: relative; font-family: Inter; }
  svg { position: absolute; inset: 0; } h1 { position: absolute; margin: 0; font-weight: 800; letter-spacing: -0.045em; line-height: 0.98; } p { position: absolute; margin: 0; }`;

const AUTUMN = `<body style="background:linear-gradient(140deg,#f08a3c,#d9432f 45%,#7a2a56 80%,#3b1746);color:#fff">
  <svg viewBox="0 0 1280 720"><circle cx="980" cy="200" r="154" fill="#ffd79a"/>
  <path d="M0 580C150 520 300 500 480 545S820 560 980 470 1200 500 1280 540V720H0Z" fill="#3a1547"/>
  <path d="M0 640C200 590 380 600 560 640S900 640 1060 600 1220 620 1280 640V720H0Z" fill="#260c30"/></svg>
  <p style="left:88px;top:126px;font-size:38px">Until Saturday</p><h1 style="left:84px;top:184px;font-size:168px">Autumn<br>sale</h1>
  <h1 style="right:100px;bottom:92px;font-size:150px;color:#ffd79a">–30 %</h1>`;
const COFFEE = `<body style="background:#efe3d0;color:#37211a"><svg viewBox="0 0 1280 720"><circle cx="930" cy="360" r="286" fill="#4a2a20"/><circle cx="930" cy="360" r="246" fill="#8a5638"/>
  <path d="M930 240c70 40 60 90 0 120s-70 80 0 120" fill="none" stroke="#efe3d0" stroke-width="30" stroke-linecap="round"/></svg>
  <p style="left:96px;top:180px;font-size:36px;font-weight:600">Coffee of the week</p><h1 style="left:92px;top:238px;font-size:124px">Guji,<br>Ethiopia</h1><p style="left:96px;top:516px;font-size:42px">Jasmine, peach · 3.20</p>`;
const MENU = `<body style="background:#16241f;color:#f3efe4"><h1 style="left:96px;top:76px;font-size:76px">Today for lunch</h1>${[
  ['Pumpkin soup, bread', '6.50'],
  ['Lentil salad, feta', '8.90'],
  ['Quiche with leek', '7.40'],
  ['Cheese rolls', '3.20'],
  ['Apple cake', '3.80'],
]
  .map(
    ([dish, price], at) =>
      `<p style="left:96px;right:96px;top:${206 + at * 88}px;font-size:42px;padding-bottom:22px;border-bottom:2px solid #34463f;display:flex;justify-content:space-between"><span>${dish}</span><b style="color:#f0b548">${price}</b></p>`,
  )
  .join('')}`;
const WELCOME = `<body style="background:linear-gradient(150deg,#2450d8,#132a86);color:#fff"><svg viewBox="0 0 1280 720"><circle cx="1080" cy="120" r="330" fill="#fff" opacity=".08"/><circle cx="180" cy="660" r="300" fill="#fff" opacity=".08"/></svg>
  <h1 style="left:0;right:0;text-align:center;top:250px;font-size:156px">Welcome</h1><p style="left:0;right:0;text-align:center;top:440px;font-size:44px">Open until 18:30</p>`;
const LOAF = `<body style="background:linear-gradient(130deg,#f6c263,#e8993a);color:#4a2410"><svg viewBox="0 0 1280 720"><ellipse cx="890" cy="400" rx="290" ry="180" fill="#8d4f22"/><ellipse cx="890" cy="376" rx="290" ry="168" fill="#c07a3a"/>
  <path d="M740 300l60 120M840 270l60 150M940 270l60 150M1030 300l40 110" stroke="#f6dfb6" stroke-width="22" stroke-linecap="round"/></svg>
  <p style="left:96px;top:140px;font-size:36px;font-weight:600">Now in our oven</p><h1 style="left:92px;top:196px;font-size:136px">Walnut<br>loaf</h1>`;
const JOBS = `<body style="background:#0f5c4d;color:#fff"><svg viewBox="0 0 1280 720"><path d="M760 720C760 470 960 300 1280 280V720Z" fill="#178a72"/><path d="M940 720C950 560 1080 460 1280 450V720Z" fill="#ffd21f"/></svg>
  <h1 style="left:92px;top:150px;font-size:132px">Join us</h1><p style="left:96px;top:316px;font-size:46px;line-height:1.4">Early birds wanted:<br>bakers and sales</p>`;

const SCREENS = [
  ['Café', 'Coffee of the week', COFFEE],
  ['Counter', 'Lunch menu', MENU],
  ['Entrance', 'Welcome', WELCOME],
  ['Shelf', 'Walnut loaf', LOAF],
  ['Shop window', 'Autumn sale', AUTUMN],
  ['Terrace', 'Join us', JOBS],
] as const;
/** Name of the real screen, which is drawn beside the admin window. */
const REAL = 'Shop window';

const ends: (() => unknown)[] = [];
const ending = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
const browser = await launchBrowser();
ending.after(() => browser.close());
const drawn = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 });
const draw = async (html: string): Promise<Buffer> => {
  await drawn.setContent(`<!doctype html><style>${FONT}</style>${html}`);
  await drawn.evaluate(() => document.fonts.ready);
  return drawn.screenshot();
};

const site = await startSite(ending);
const account = { email: 'anna@bakery.example', password: 'correct horse', name: 'Anna Müller' };
const { token, current_workspace_id } = must(await site.call('POST', '/api/auth/register', { body: account }), 201);
const call = mustCallAs(site, token);
await call('PUT', `/api/workspaces/${current_workspace_id}`, { organization_name: 'Bakery Müller' });

/** Makes a simulated player answer with a photograph, and report what the player shows. */
const answering = ({ client }: PairedPlayer, photo: Buffer, contentId: string): void => {
  const beat = () =>
    client.say({
      type: 'heartbeat',
      telemetry: { uptime_seconds: 864_000 },
      showing: [{ zone_id: null, item_id: null, content_id: contentId, widget_id: null, since: Date.now() }],
    });
  client.socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; id: string };
    if (message.type === 'program') client.say({ type: 'program.ready', id: message.id });
    if (message.type === 'screenshot')
      client.say({
        type: 'screenshot.result',
        id: message.id,
        mime: 'image/jpeg',
        data: photo.toString('base64'),
      });
  });
  beat();
  const timer = setInterval(beat, 5_000);
  ending.after(() => clearInterval(timer));
};

let screen: Buffer | undefined;
for (const [name, title, html] of SCREENS) {
  const poster = await draw(html);
  const content = must(await upload(site, token, poster, `${title}.png`), 201);
  const playlist = await call('POST', '/api/playlists', { name: title }, 201);
  await call('POST', `/api/playlists/${playlist.id}/items`, { content_id: content.id, duration_sec: 600 }, 201);
  await call('POST', `/api/playlists/${playlist.id}/publish`);
  const player = await pairPlayer(ending, site, token, name, { capabilities: ['screenshot', 'screen'] as never });
  answering(player, await sharp(poster).resize({ width: 960 }).jpeg({ quality: 85 }).toBuffer(), content.id);
  await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: player.deviceId });
  if (name !== REAL) continue;
  const agent = new Agent(screenAgent(ending, site.origin, 'Real'));
  ending.after(() => agent.stop());
  const address = await agent.start();
  const pending_id = await until('the player has come', 30_000, async () => {
    const pending: { pending_id: string; name: string }[] = await call('GET', '/api/devices/pending');
    return pending.find((one) => one.name === 'Real')?.pending_id;
  });
  const device = await call('POST', '/api/devices/pair', { pending_id }, 201);
  await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: device.id });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 });
  await page.goto(address);
  await page.locator('.slot.front img').waitFor({ timeout: 30_000 });
  await page.waitForTimeout(1_000);
  screen = await page.screenshot();
  await page.close();
  await agent.stop();
  await call('DELETE', `/api/devices/${device.id}`);
}
if (!screen) throw new Error(`there is no screen called ${REAL}`);

/** Background of the picture, and shadow and edge of the admin window on it. */
const SHEETS = {
  light: {
    file: 'vitrine.png',
    background: 'linear-gradient(120deg, #e6ebf8, #f3f1ee 55%, #fbeee2)',
    shadow: '0 30px 80px #1c244033, 0 0 0 1px #1c24401f',
  },
  dark: {
    file: 'vitrine-dark.png',
    background: 'linear-gradient(120deg, #10141f, #171519 55%, #1d1714)',
    shadow: '0 30px 80px #000000b0, 0 0 0 1px #ffffff1f',
  },
} as const;

const photographWindow = async (theme: keyof typeof SHEETS): Promise<Buffer> => {
  const context = await browser.newContext({
    viewport: { width: 1300, height: 884 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  await context.addInitScript((kept) => Object.assign(localStorage, kept), {
    'vitrine.theme': theme,
    'vitrine.language': 'en',
    'vitrine.session': token,
  });
  const view = await context.newPage();
  await view.goto(`${site.origin}/#/screens`);
  await view.getByRole('link', { name: 'Terrace' }).waitFor();
  await view.waitForFunction(
    (count) =>
      [...document.querySelectorAll<HTMLImageElement>('#pane img')].filter(
        (image) => image.complete && image.naturalWidth > 0,
      ).length >= count,
    SCREENS.length,
    { timeout: 120_000 },
  );
  await view.waitForTimeout(2_000);
  const picture = await view.screenshot();
  await context.close();
  return picture;
};

const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
for (const theme of ['light', 'dark'] as const) {
  const { file, background, shadow } = SHEETS[theme];
  const sheet = await browser.newPage({ viewport: { width: 1600, height: 800 } });
  await sheet.setContent(`<!doctype html><style>
  body { margin: 0; height: 800px; position: relative; overflow: hidden; background: ${background}; }
  .window { position: absolute; left: 44px; top: 42px; width: 1036px; border-radius: 14px; box-shadow: ${shadow}; }
  .panel { position: absolute; right: 36px; bottom: 150px; width: 600px; padding: 11px; background: #14161b; border-radius: 12px; box-shadow: 0 34px 70px #1c244066, 0 0 0 1px #ffffff14; }
  .panel img { display: block; width: 100%; border-radius: 2px; }
  .neck { position: absolute; right: 314px; bottom: 88px; width: 44px; height: 62px; background: #23272f; }
  .foot { position: absolute; right: 236px; bottom: 78px; width: 200px; height: 12px; border-radius: 6px; background: #2b303a; }
</style><img class="window" src="${dataUrl(await photographWindow(theme))}"><div class="neck"></div><div class="foot"></div><div class="panel"><img src="${dataUrl(screen)}"></div>`);
  await sheet.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const picture = await sharp(await sheet.screenshot())
    .png({ compressionLevel: 9 })
    .toBuffer();
  writeFileSync(join(FOLDER, file), picture);
}
for (const end of ends.reverse()) await end();
