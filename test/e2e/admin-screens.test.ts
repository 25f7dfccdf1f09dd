/** The screens page of the admin window: find screens and change many at once; checked with the players. */
// Suite: window
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { devices } from '../../server/db/schema.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openShop, tick } from './hosts/admin-window.ts';
import { isColour, pixelsOf } from './hosts/pixels.ts';

const shop = async (t: TestContext, names: readonly string[], capabilities: string[] = ['screen']) => {
  const opened = await openShop(t);
  const { call, page } = opened;
  const players = [];
  for (const name of names) {
    const player = await opened.screen(name, { capabilities });
    player.client.socket.on('message', (data: Buffer) => {
      const said = JSON.parse(data.toString());
      if (said.type === 'program') player.client.say({ type: 'program.ready', id: said.id });
      if (said.type === 'command')
        player.client.say({
          type: 'command.result',
          id: said.id,
          status: said.command === 'reboot' ? 'unsupported' : 'done',
        });
    });
    players.push(player);
  }
  const devices = async () =>
    (await call('GET', '/api/devices')) as {
      id: string;
      name: string;
      playlist_id: string | null;
      layout_id: string | null;
      orientation: string;
    }[];
  const choose = async (...chosen: string[]) => {
    for (const name of chosen) await tick(page.getByRole('checkbox', { name: `Select ${name}` }));
  };
  return { ...opened, players, devices, choose };
};

test('several screens get a playlist, a group and a layout at once, and the change is undone', {
  timeout: 150_000,
}, async (t) => {
  const { call, devices, publish, page, go, choose } = await shop(t, ['Window left', 'Window right', 'Till']);
  const { id: playlist } = await publish('Offers');
  const { id: group } = await call('POST', '/api/groups', { name: 'Windows' }, 201);
  await go('/screens');
  await choose('Window left', 'Window right');
  const bar = page.getByRole('region', { name: '2 selected' });
  await assertAccessible(page);
  await bar.getByRole('button', { name: 'Playlist' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Window left and Window right').waitFor();
  await dialog.getByRole('button', { name: /Choose Playlist|Playlist/ }).click();
  await page.getByRole('option', { name: /Offers/ }).click();
  await dialog.getByRole('button', { name: 'For 2 screens' }).click();
  await page.getByText('2 screens play Offers now').waitFor();
  assert.deepEqual(
    (await devices()).map((d) => [d.name, d.playlist_id]),
    [
      ['Till', null],
      ['Window left', playlist],
      ['Window right', playlist],
    ],
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('it is taken back', 15_000, async () => (await devices()).every((d) => d.playlist_id === null));

  await bar.getByRole('button', { name: 'Group' }).click();
  await dialog.getByRole('button', { name: /Group/ }).click();
  await page.getByRole('option', { name: 'Windows' }).click();
  await dialog.getByRole('button', { name: 'For 2 screens' }).click();
  await page.getByText('2 screens are in Windows now').waitFor();
  assert.equal((await call('GET', `/api/groups/${group}/devices`)).length, 2);

  await bar.getByRole('button', { name: 'Orientation' }).click();
  await dialog.getByRole('button', { name: /Orientation/ }).click();
  await page.getByRole('option', { name: 'Portrait, turned right' }).click();
  await dialog.getByRole('button', { name: 'For 2 screens' }).click();
  await page.getByText('The orientation of 2 screens is changed').waitFor();
  assert.deepEqual(
    (await devices()).map((d) => d.orientation),
    ['0', '90', '90'],
  );
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
});

test('screen cards do not move when the parts above them load late', {
  timeout: 150_000,
}, async (t) => {
  const { page, go, call } = await shop(t, ['Window left', 'Window right']);
  await call('POST', '/api/groups', { name: 'Windows' }, 201);
  for (const late of ['playlists', 'groups', 'devices/pending'])
    await page.route(`**/api/${late}`, async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
  await page.addInitScript(() => {
    Object.assign(globalThis, { moved: 0 });
    // Adds up all layout shifts. The test makes no input, so no shift has to be left out as a result of an input.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(globalThis, {
          moved:
            (globalThis as unknown as { moved: number }).moved + (entry as PerformanceEntry & { value: number }).value,
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await go('/screens');
  await page.getByRole('region', { name: 'Three steps to your first screen' }).waitFor();
  await page.getByRole('link', { name: /Window right/ }).waitFor();
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  const moved = await page.evaluate(() => (globalThis as unknown as { moved: number }).moved);
  assert.ok(moved < 0.01, `the page moved by ${moved} (1 is the whole window)`);
});

test('several screens get opening hours, a screen gets other hours, and the overview shows which panel is off', {
  timeout: 150_000,
}, async (t) => {
  const { devices, page, go, choose, players } = await shop(t, ['Window left', 'Window right', 'Till']);
  const hours = async () =>
    ((await devices()) as unknown as { name: string; opening_hours: { start: string; end: string }[] }[]).map((d) =>
      [d.name, ...d.opening_hours.map((b) => `${b.start}–${b.end}`)].join(' '),
    );
  await go('/screens');
  await choose('Window left', 'Window right');
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Opening hours' }).click();
  const dialog = page.getByRole('dialog', { name: 'Opening hours of 2 screens' });
  await dialog.getByText('The display is on around the clock.').waitFor();
  await dialog.getByRole('button', { name: 'On only at certain times' }).click();
  await dialog.getByLabel('From', { exact: true }).fill('07:30');
  await dialog.getByLabel('To', { exact: true }).fill('00:00');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'For 2 screens' }).click();
  await page.getByText('2 screens have these opening hours now').waitFor();
  assert.deepEqual(await hours(), ['Till', 'Window left 07:30–24:00', 'Window right 07:30–24:00']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('it is taken back', 15_000, async () => (await hours()).join() === 'Till,Window left,Window right');

  await go(`/screens/${players[2]!.deviceId}`);
  await page.getByText('Always on').waitFor();
  await page.getByRole('button', { name: 'Change hours…' }).click();
  const own = page.getByRole('dialog', { name: 'Opening hours' });
  await own.getByRole('button', { name: 'On only at certain times' }).click();
  // Sets hours that ended long ago, so that the panel is off whenever this test runs.
  await own.getByLabel('Last day').fill('2020-01-31');
  await own.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/^Monday to Friday from .*, until .*2020$/).waitFor();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  assert.deepEqual(await hours(), ['Till', 'Window left', 'Window right'], 'nothing is saved before it is said');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. The screen changes at once.').waitFor();
  assert.deepEqual(await hours(), ['Till 09:00–18:00', 'Window left', 'Window right']);
  players[2]!.client.say({ type: 'heartbeat', screen_on: false, showing: [] });
  await page.getByText('Display off', { exact: true }).waitFor();
  await go('/screens');
  const card = page.getByRole('article').filter({ hasText: 'Till' });
  await card.getByText('Off: outside of opening hours').waitFor();
  await assertAccessible(page);
  await choose('Till', 'Window left');
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Opening hours' }).click();
  await dialog.getByText('These screens have different opening hours.').waitFor();
});

test('screen without screenshots is drawn from its reports: its zones, or its part of a video wall', {
  timeout: 150_000,
}, async (t) => {
  const { site, token, call, players, publish, assign, page, go } = await shop(t, ['Counter', 'Left', 'Right']);
  const [counter, left, right] = players;
  const [RED, BLUE] = [
    [200, 30, 40],
    [20, 60, 200],
  ] as const;
  const half = (r: number, g: number, b: number, width = 320) =>
    sharp({ create: { width, height: 180, channels: 3, background: { r, g, b } } }).png();
  const blueHalf = await half(...BLUE, 160).toBuffer();
  const picture = async (name: string, image: Sharp) =>
    must(await upload(site, token, await image.toBuffer(), name), 201).id as string;
  const [red, blue, both] = [
    await picture('red.png', half(...RED)),
    await picture('blue.png', half(...BLUE)),
    await picture('both.png', half(...RED).composite([{ input: blueHalf, gravity: 'east' }])),
  ];
  const halves = [0, 50].map((x_percent) => ({ x_percent, y_percent: 0, width_percent: 50, height_percent: 100 }));
  const layout = await call('POST', '/api/layouts', { name: 'Halves', zones: halves }, 201);
  const [west, east] = layout.zones.map((zone: { id: string }) => zone.id);
  const zoned = await publish('Halves', { content_id: blue, zone_id: west }, { content_id: red, zone_id: east });
  await call('PUT', `/api/devices/${counter!.deviceId}`, { layout_id: layout.id });
  await assign(zoned.id, counter!.deviceId);
  const whole = await publish('Whole', { content_id: both });
  const wall = await call(
    'POST',
    '/api/walls',
    { name: 'Entrance', grid_cols: 2, grid_rows: 1, screen_w_mm: 400, screen_h_mm: 450 },
    201,
  );
  const members = [left, right].map((panel, grid_col) => ({ device_id: panel!.deviceId, grid_col, grid_row: 0 }));
  await call('PUT', `/api/walls/${wall.id}/devices`, { devices: members });
  await call('PUT', `/api/walls/${wall.id}`, { playlist_id: whole.id });

  const turn = (content_id: string, item_id: number, zone_id: string | null = null) => ({
    zone_id,
    item_id,
    content_id,
    widget_id: null,
    since: Date.now(),
  });
  counter!.client.say({
    type: 'heartbeat',
    showing: [turn(blue, zoned.items[0]!, west), turn(red, zoned.items[1]!, east)],
  });
  for (const panel of [left, right]) panel!.client.say({ type: 'heartbeat', showing: [turn(both, whole.items[0]!)] });
  await go('/screens');
  const card = (name: string) => page.getByRole('link', { name: new RegExp(`^${name} `) }).locator('.screen-drawn');
  const shows = async (place: ReturnType<typeof card>, ...want: (readonly [number, number, number])[]) => {
    await place.waitFor();
    await until('the colours are there', 15_000, async () => {
      const box = await place.boundingBox();
      const pixels = await pixelsOf(page);
      return (
        box !== null &&
        want.every((colour, i) =>
          isColour(
            pixels,
            (box.x + (box.width * (i + 0.5)) / want.length) / pixels.width,
            (box.y + box.height / 2) / pixels.height,
            colour,
          ),
        )
      );
    });
  };
  await shows(card('Counter'), BLUE, RED);
  await shows(card('Left'), RED);
  await shows(card('Right'), BLUE);
  counter!.client.say({
    type: 'heartbeat',
    showing: [turn(blue, zoned.items[0]!, east), turn(red, zoned.items[1]!, west)],
  });
  await shows(card('Counter'), RED, BLUE);
  await assertAccessible(page);
  await go(`/screens/${counter!.deviceId}`);
  await page.getByText(/simulated, because the screen cannot send a screenshot/).waitFor();
  await shows(page.locator('.stage-card .screen-drawn'), RED, BLUE);
  await assertAccessible(page);
});

test('command goes to all selected screens, and each result is shown', { timeout: 150_000 }, async (t) => {
  const { page, go, choose, players } = await shop(t, ['Window left', 'Till']);
  await go('/screens');
  await choose('Window left');
  await page.getByRole('button', { name: 'Select all' }).click();
  const bar = page.getByRole('region', { name: '2 selected' });
  await bar.getByRole('button', { name: 'Commands' }).click();
  await page.getByRole('menuitem', { name: 'Display off' }).click();
  const ask = page.getByRole('alertdialog', { name: 'Switch 2 screens off?' });
  await ask.getByText('Till and Window left').or(ask.getByText('Window left and Till')).waitFor();
  await assertAccessible(page);
  await ask.getByRole('button', { name: 'Display off' }).click();
  await page.getByText('2 done').waitFor();
  for (const player of players) assert.equal((await player.client.next('command'))['command'], 'screen_off');
});

test('screens are found by problem and by group', { timeout: 150_000 }, async (t) => {
  const { call, players, page, go } = await shop(t, ['Window left', 'Till']);
  const { id: group } = await call('POST', '/api/groups', { name: 'Windows' }, 201);
  await call('POST', `/api/groups/${group}/devices`, { device_id: players[0]!.deviceId }, 201);
  players[1]!.client.socket.close();
  await go('/screens?state=problems');
  await page.getByRole('link', { name: /Till/ }).waitFor({ timeout: 45_000 });
  await page.getByRole('link', { name: /Window left/ }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: /Group/ }).click();
  await page.getByRole('option', { name: 'Windows' }).click();
  await page.getByRole('link', { name: /Window left/ }).waitFor();
  await page.getByRole('link', { name: /Till/ }).waitFor({ state: 'detached' });
  assert.match(page.url(), new RegExp(`group=${group}`));
  await assertAccessible(page);
  await page.getByRole('radio', { name: 'Offline' }).click();
  await page.getByText('No screens found').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('link', { name: /Till/ }).waitFor();
  // The filter is saved under a name, and applied again with two clicks. The filtered table is exported.
  await page.getByRole('radio', { name: 'Offline' }).click();
  await page.getByRole('link', { name: /Window left/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const views = page.getByRole('dialog', { name: 'Views' });
  await views.getByLabel('Name of the view').fill('Needs a look');
  await views.getByRole('button', { name: 'Save this view' }).click();
  const kept = views.getByRole('button', { name: 'Needs a look', exact: true });
  await kept.waitFor();
  await views.getByRole('button', { name: 'Rename the view Needs a look' }).click();
  await views.getByLabel('New name').fill('Gone');
  await views.getByRole('button', { name: 'Save changes' }).click();
  const renamed = views.getByRole('button', { name: 'Gone', exact: true });
  await renamed.waitFor();
  await assertAccessible(page);
  const file = page.waitForEvent('download');
  await views.getByRole('button', { name: 'Download as CSV' }).click();
  assert.equal((await file).suggestedFilename(), 'screens.csv');
  await views.getByRole('button', { name: 'Close' }).last().click();
  const seen = page.url();
  await go('/screens');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await renamed.click();
  await page.waitForURL(seen);
});

/** Inserts screens directly into the database, as claimed screens without a player. */
const addScreens = (site: Awaited<ReturnType<typeof openShop>>['site'], workspace: string, count: number) => {
  const { db } = site.app;
  db.write(() => {
    for (let i = 1; i <= count; i++)
      db.orm
        .insert(devices)
        .values({
          id: `screen-${i}`,
          workspace_id: workspace,
          name: `Screen ${i}`,
          secret_hash: `none ${i}`,
          timezone: 'Europe/Berlin',
          created_at: 1,
          updated_at: 1,
        })
        .run();
  });
};

test('list of 600 screens fetches only visible rows, arrow keys reach every row, and a pattern renames all', {
  timeout: 150_000,
}, async (t) => {
  const { site, workspace, page, go, call } = await openShop(t);
  addScreens(site, workspace, 600);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/devices') asked.push(search);
  });
  await go('/screens?view=table&sort=name');
  const table = page.getByRole('grid', { name: 'Screens' });
  await table.getByRole('row', { name: /Screen 1 / }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(asked, ['?sort=name&limit=100&offset=0'], 'a page, not six hundred');

  // The Tab key stops at the table once. Arrow keys move from cell to cell, also to a row that was not loaded before.
  await table.getByRole('link', { name: 'Screen 1', exact: true }).focus();
  assert.equal(await table.locator('[tabindex="0"]').count(), 1);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'Screen 2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'Name');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+End');
  await until('the last row has the focus', 10_000, async () => {
    const row = await page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index'));
    return row === '599';
  });
  await table.getByRole('link', { name: 'Screen 600', exact: true }).waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await assertAccessible(page);

  // The chosen columns are stored in the address of the page.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source' }).click();
  await page.keyboard.press('Escape');
  await table.getByRole('columnheader', { name: 'Source' }).waitFor();
  assert.match(decodeURIComponent(page.url()), /columns=name\.state\.playlist\.plan\./);

  // Selects all matches, including rows that were never loaded.
  await page.getByRole('searchbox').fill('screen 5');
  await table.getByRole('row', { name: /Screen 5 / }).waitFor();
  await tick(page.getByRole('checkbox', { name: 'Select Screen 5', exact: true }));
  await page.getByRole('button', { name: 'Select all' }).click();
  const bar = page.getByRole('region', { name: '111 selected' });
  await bar.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename 111 screens' });
  await dialog.getByLabel('Name', { exact: true }).fill('Window');
  await dialog.getByText('All screens would have the same name.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('Window {nnn}');
  await dialog.getByText('Window 002', { exact: true }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Rename 111 screens' }).click();
  await page.getByText('111 screens have new names').waitFor();
  const called = async (name: string) => (await call('GET', `/api/devices?q=${name}&limit=500`)).length;
  assert.deepEqual([await called('window'), await called('screen 5')], [111, 0]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('they have their names again', 15_000, async () => (await called('screen 5')) === 111);
});

test('screen shows its name on request, and its page in the admin window lists its abilities and its history', {
  timeout: 150_000,
}, async (t) => {
  const { players, publish, assign, page, go, choose } = await shop(t, ['Window left', 'Till'], ['screen', 'identify']);
  await assign((await publish('Offers')).id, players[0]!.deviceId);
  await go('/screens');
  await page.getByText('Own playlist: Offers').waitFor();
  await choose('Window left', 'Till');
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Commands' }).click();
  await page.getByRole('menuitem', { name: 'Identify' }).click();
  await page.getByText('2 screens show their names for 20 seconds').waitFor();
  for (const player of players) assert.equal((await player.client.next('identify'))['seconds'], 20);

  await go(`/screens/${players[0]!.deviceId}`);
  await page.getByRole('button', { name: 'Identify' }).click();
  await page.getByText('Window left shows its name for 20 seconds').waitFor();
  await players[0]!.client.next('identify');
  assert.equal(
    await page.getByRole('button', { name: 'Restart' }).isDisabled(),
    true,
    'this player cannot restart its computer',
  );
  await page.getByText('This screen does not support this.').first().waitFor();
  await page.getByText(/assigned .*Window left.* the playlist/).waitFor();
  await page.getByText('No plays reported yet.').waitFor();
  // The filled part of a usage bar differs from the measured share by less than 0.05 percentage points.
  const disk = { storage_free_mb: 94_900, storage_total_mb: 100_000 };
  players[0]!.client.say({ type: 'heartbeat', telemetry: disk, screen_on: true });
  const meter = page.getByRole('progressbar', { name: 'Storage' });
  await meter.waitFor();
  const drawn = await meter.evaluate((bar) => {
    const [fill] = bar.children;
    return fill!.getBoundingClientRect().width / bar.getBoundingClientRect().width;
  });
  assert.ok(Math.abs(drawn - 0.051) < 0.0005, `5.1 % is drawn as ${(100 * drawn).toFixed(2)} %`);
  assert.equal(await meter.getAttribute('aria-valuenow'), '5.1');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Display off' }).click();
  await page.getByText('Window left: Display off is done').waitFor();
  assert.equal((await players[0]!.client.next('command'))['command'], 'screen_off');
  await page.getByRole('main').getByRole('button', { name: 'Message now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Window left' }).waitFor();
});
