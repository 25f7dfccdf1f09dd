/**
 * A campaign through a whole chain, checked by the pixels of the screens: the admin window of headquarters, two stores
 * with browser pages as screens, a preview, a slot that a store fills, a lost connection before the start, the plays of
 * both stores, and a revert.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright';
import { CutLine } from '../chain/cut-line.ts';
import { enrol, openHq, openStore, type Server } from '../chain/rig.ts';
import { must } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { isColour, pixelsOf } from './hosts/pixels.ts';

const SHOTS = join(import.meta.dirname, '..', '..', 'test-artefacts', 'chain-journey');
const WAIT_MS = 40_000;
/**
 * Time limit from the start time of a campaign to the pixels of the page: one program change and one screenshot of
 * the page.
 */
const LATE_MS = 3_000;
const DAY_MS = 86_400_000;
type Colour = readonly [number, number, number];
const RED: Colour = [200, 30, 40];
const GREEN: Colour = [20, 170, 70];
const BLUE: Colour = [30, 60, 200];
const YELLOW: Colour = [240, 220, 20];
const CYAN: Colour = [20, 180, 200];

/** Returns a local time in the format of schedules. The clock of the test is in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const pictureOf = async ({ site, owner }: Server, name: string, [r, g, b]: Colour): Promise<string> =>
  must(await upload(site, owner.token, await jpegOf(`rgb(${r}, ${g}, ${b})`, 640, 360), name), 201).id;

/** Creates a published playlist of pictures, one second each. */
const playlistOf = async (server: Server, name: string, ...pictures: string[]): Promise<string> => {
  const { id } = must(await server.call('POST', '/api/playlists', { name }), 201);
  for (const content_id of pictures)
    must(await server.call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec: 1 }), 201);
  must(await server.call('POST', `/api/playlists/${id}/publish`));
  return id;
};

/** A browser page as a screen of the store, with a playlist of the store. */
const openScreen = async (t: TestContext, store: Server, name: string, own: string): Promise<Page> => {
  const browser = await launchOn(t, undefined);
  const screen = await browser.newPage({ viewport: { width: 640, height: 360 } });
  await screen.goto(`${store.site.origin}/player`);
  const code = await screen.locator('.code').getAttribute('aria-label', { timeout: WAIT_MS });
  const { id } = must(await store.call('POST', '/api/devices/pair', { code, name }), 201);
  must(await store.call('PUT', `/api/devices/${id}`, { timezone: 'UTC' }));
  must(await store.call('POST', `/api/playlists/${own}/assign`, { device_id: id }));
  return screen;
};

const shows = async (screen: Page, colour: Colour): Promise<boolean> =>
  isColour(await pixelsOf(screen), 0.5, 0.5, colour);
const sees = (screen: Page, name: string, colour: Colour, ms = WAIT_MS) =>
  until(`${name} on the screen`, ms, () => shows(screen, colour));
/** Checks that the screen shows these colours in turn and nothing else. */
const seesOnly = async (screen: Page, what: string, ...colours: Colour[]): Promise<void> => {
  const seen = new Set<Colour>();
  await until(`${what} in turn`, WAIT_MS, async () => {
    const pixels = await pixelsOf(screen);
    const found = colours.find((colour) => isColour(pixels, 0.5, 0.5, colour));
    assert.ok(found, `${what}: something else is shown`);
    seen.add(found);
    return seen.size === colours.length;
  });
};

test('campaign starts on time also in a store without connection, and headquarters gets all plays afterwards', {
  timeout: 280_000,
}, async (t) => {
  mkdirSync(SHOTS, { recursive: true });
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const line = await CutLine.open(hq.httpsPort);
  t.after(() => line.close());
  await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol({ ...hq, httpsPort: line.port }, dock, { name: 'Dock', region: 'South' });
  const [till, door] = await Promise.all(
    [mill, dock].map(async (store) => {
      const own = await playlistOf(store, 'Own', await pictureOf(store, 'Own.jpg', GREEN));
      return openScreen(t, store, store === mill ? 'Till' : 'Door', own);
    }),
  );
  await Promise.all([sees(till!, 'the own picture', GREEN), sees(door!, 'the own picture', GREEN)]);
  const hurry = () => {
    for (const { site } of [mill, dock]) site.app.chain.hurry();
  };
  hurry();

  // A draft campaign with a slot (a position that each store fills). The admin window of headquarters asks the stores
  // for a preview.
  const [red, blue, cyan] = [
    await pictureOf(hq, 'Advent.jpg', RED),
    await pictureOf(hq, 'Instead.jpg', BLUE),
    await pictureOf(hq, 'Other.jpg', CYAN),
  ];
  const advent = await playlistOf(hq, 'Advent', red);
  const slot = { name: 'Offer of the store', max_items: 2, max_seconds: 20, kinds: ['image'], after: 1 };
  const { id } = must(
    await hq.call('POST', '/api/campaigns', {
      ...{ name: 'Advent', note: '', rank: 'must', playlist_id: advent, layout_id: null, whole_screen: true },
      ...{ start_time: local(Date.now() + DAY_MS), end_time: local(Date.now() + 9 * DAY_MS) },
      ...{ recurrence: null, recurrence_end: null, begins: 'whole' },
      ...{ where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [{ ...slot, content_id: blue }] },
    }),
    201,
  );
  await until('headquarters knows both screens', WAIT_MS, async () => {
    const { line: lines, screens_total } = await hq.get('/api/stores/counts');
    return lines.up === 2 && screens_total === 2;
  });
  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  await go(`/campaigns/${id}`);
  await page.getByRole('button', { name: 'Ask the stores' }).click();
  await page.getByText('2 screens in 2 stores change.').waitFor();
  await assertAccessible(page);
  await page.screenshot({ path: join(SHOTS, '1 dry run.png') });

  // The campaign starts in 20 s. Both stores have all files of the campaign before.
  const start = Math.ceil(Date.now() / 1000) * 1000 + 20_000;
  must(await hq.call('PUT', `/api/campaigns/${id}`, { start_time: local(start) }));
  await page.getByText('The campaign has changed since the stores answered.').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start', exact: true }).click();
  const ready = async (phase: string, count: number) => {
    hurry();
    return (await hq.get(`/api/campaigns/${id}`)).phases[phase] === count;
  };
  await until('both have it on their screens', WAIT_MS, () => ready('on_screens', 2), 250);
  await page.getByRole('row', { name: /Mill.*On the screens/ }).waitFor();
  await page.screenshot({ path: join(SHOTS, '2 ready.png') });
  const place = (await hq.get(`/api/campaigns/${id}`)).slots[0].id;
  const offer = await playlistOf(mill, 'Offer', await pictureOf(mill, 'Bread.jpg', YELLOW));
  must(await mill.call('PUT', `/api/chain/slots/${place}`, { playlist_id: offer }));
  line.isCut = true;
  line.break();
  assert.ok(Date.now() < start, 'all that was before the start');
  assert.deepEqual([await shows(till!, GREEN), await shows(door!, GREEN)], [true, true]);

  // The campaign starts at its start time, by the clocks of the stores.
  await until('the start', WAIT_MS, () => Date.now() >= start - 1_000, 20);
  const begun = await Promise.all(
    [till!, door!].map(async (screen) => {
      await until('headquarters’ campaign', WAIT_MS, async () => !(await shows(screen, GREEN)), 30);
      return Date.now() - start;
    }),
  );
  t.diagnostic(`${begun.map((ms) => `${ms} ms`).join(' and ')} after the start, as pictures of the pages were made`);
  assert.ok(
    begun.every((ms) => ms > -1_000 && ms < LATE_MS),
    `${begun}`,
  );
  await Promise.all([
    seesOnly(till!, 'the campaign and the store’s own offer', RED, YELLOW),
    seesOnly(door!, 'the campaign and what stands there instead', RED, BLUE),
  ]);
  await till!.screenshot({ path: join(SHOTS, '3 screen.png') });

  // After the connection is back, the plays of the disconnected store arrive: as many plays as were shown.
  const shown = ({ site }: Server, name = '%') =>
    site.app.db.raw.prepare('SELECT count(*) FROM plays WHERE content_name LIKE ?').pluck().get(name) as number;
  await until(
    'screens have told their stores',
    WAIT_MS,
    () => shown(mill, 'Bread.jpg') > 0 && shown(dock, 'Instead.jpg') > 0,
  );
  line.isCut = false;
  // The stores go on playing. Headquarters has every play up to now, and never more plays than the stores.
  const owed = [shown(mill), shown(dock)];
  const isTold = async () => {
    hurry();
    const rows: { name: string; plays: number }[] = await hq.get('/api/stores/plays/sums?by=store');
    const there = ['Mill', 'Dock'].map((name) => rows.find((row) => row.name === name)?.plays ?? 0);
    assert.ok(there[0]! <= shown(mill) && there[1]! <= shown(dock), `${there} of ${shown(mill)},${shown(dock)}`);
    return there.every((plays, i) => plays >= owed[i]!);
  };
  await until('the plays of both stores', WAIT_MS, isTold, 250);
  await until('it is seen to be shown', WAIT_MS, () => ready('showing', 2), 250);
  await go('/plays');
  for (const name of [/Advent\.jpg/, /Bread\.jpg/, /Instead\.jpg/]) await page.getByRole('row', { name }).waitFor();
  await page.screenshot({ path: join(SHOTS, '4 plays.png') });

  // Starts another edition of the campaign, reverts to the first edition, and stops the campaign.
  const other = await playlistOf(hq, 'Other', cyan);
  must(await hq.call('PUT', `/api/campaigns/${id}`, { playlist_id: other, slots: [] }));
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await Promise.all([sees(till!, 'the other edition', CYAN), sees(door!, 'the other edition', CYAN)]);
  await go(`/campaigns/${id}?part=editions`);
  await page
    .getByRole('row', { name: /Edition 1/ })
    .getByRole('button', { name: 'Roll back' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back to edition 1' }).click();
  await Promise.all([sees(till!, 'the first edition', RED), sees(door!, 'the first edition', RED)]);
  await seesOnly(till!, 'the first edition with the store’s offer', RED, YELLOW);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
  await Promise.all([sees(till!, 'the own picture', GREEN), sees(door!, 'the own picture', GREEN)]);

  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [390, 2560]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
      for (const [name, path] of [
        ['campaigns', '/campaigns'],
        ['campaign', `/campaigns/${id}`],
      ] as const) {
        await go(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(SHOTS, `${name} ${width} ${scheme}.png`) });
      }
    }
  }
});
