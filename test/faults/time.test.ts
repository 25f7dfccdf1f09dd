/**
 * Weeks without a network, and clocks that jump: the real player core on a real disk against the real server. Only time
 * is simulated.
 */
// Suite: long
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { AssetFiles } from '../../player/agent/files/asset-files.ts';
import { FileDocuments } from '../../player/agent/files/files.ts';
import { SqliteJournal } from '../../player/agent/files/journal.store.ts';
import { connectSocket, httpGet, nodeCrypto } from '../../player/agent/node-ports.ts';
import { Player } from '../../player/core/player.ts';
import type { ConnectSocket } from '../../player/core/ports.ts';
import { FakeMachine, FakeTime, MemoryLog, settle } from '../../player/core/testing/fakes.ts';
import { plainJpeg } from '../../player/screen/testing/pictures.ts';
import { resolve } from '../../shared/program/resolve.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { upload } from '../uploads.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TURN_MS = 10 * MINUTE;
const START = Date.UTC(2026, 2, 10, 9);

/**
 * A player on a disk, a network that can be turned off, and a screen that shows the player's program and reports its
 * plays.
 */
class Store {
  readonly clock = new TestClock(START);
  readonly time = new FakeTime();
  readonly log = new MemoryLog();
  network = true;
  player: Player | undefined;
  /** Plays that the screen has shown completely, by their true start times. */
  readonly shown: number[] = [];
  /** Durations of the plays that the screen has not shown completely. */
  readonly cut: number[] = [];
  /** The current play. `mono`: its start by a monotonic clock. */
  #turn: { id: string; since: number; until: number; true_since: number; mono: number } | undefined;
  #disk: { documents: FileDocuments; assetStore: AssetFiles; journalStore: SqliteJournal } | undefined;
  readonly #folder: string;
  /** Origin of the server's address. */
  origin: string;

  constructor(folder: string, origin: string) {
    this.#folder = folder;
    this.origin = origin;
    this.time.wallOffset = START - this.time.mono();
  }

  #connect: ConnectSocket = (url, subprotocol, events) => {
    if (this.network) return connectSocket(url, subprotocol, events);
    queueMicrotask(() => events.closed(1006, ''));
    return { send: () => {}, close: () => {} };
  };

  async boot(): Promise<void> {
    const documents = new FileDocuments(join(this.#folder, 'state'));
    await documents.start();
    const assetStore = new AssetFiles(join(this.#folder, 'assets'));
    await assetStore.start();
    const journalStore = new SqliteJournal(join(this.#folder, 'journal.db'));
    journalStore.start();
    this.#disk = { documents, assetStore, journalStore };
    this.player = new Player({
      ...this.#disk,
      time: this.time,
      crypto: nodeCrypto,
      log: this.log,
      machine: new FakeMachine(),
      connect: this.#connect,
      get: httpGet,
      addresses: {
        given: true,
        pick: () => ({ origin: this.origin, server: null }),
        seen: () => [],
        onChange: () => () => {},
      },
      device: { name: 'Window', platform: 'test', version: '0' },
      quotaBytes: 1e9,
      awaitScreenMs: 0,
      clockStepped: () => {},
    });
    await this.player.start();
  }

  /** Simulates a power cut: nothing is closed except the database file, which the next run could not open otherwise. */
  crash(): void {
    const player = this.player;
    this.player = undefined;
    this.#turn = undefined;
    void player?.stop().catch(() => {});
    this.#disk?.journalStore.stop();
  }

  get playing() {
    const state = this.player?.state;
    return state?.phase === 'playing' && state.program?.assets.length && state.placement
      ? { program: state.program, placement: state.placement }
      : undefined;
  }

  /** Reports one more frame of the page, and then a reload of the page. The current play is cut off. */
  async reload(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn) this.cut.push(this.time.mono() - turn.mono);
    await this.player?.report({ type: 'alive', width: 1920, height: 1080, frames: 1 });
    await this.player?.pageLoaded();
  }

  /** Advances both clocks in steps. The screen checks its program at each step. */
  async pass(ms: number, step = MINUTE): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      this.clock.advance(step);
      await this.time.advance(step);
      await this.#screen();
    }
  }

  /** Gives real sockets time for their work, while little simulated time passes. */
  async until(what: string, is: () => unknown): Promise<void> {
    for (let step = 0; step < 600; step++) {
      if (await is()) return;
      this.clock.advance(100);
      await this.time.advance(100);
      await new Promise((next) => setTimeout(next, 5));
    }
    throw new Error(`${what}: it has not come to that; the log says ${this.log.lines.slice(-8).join(' | ')}`);
  }

  async #screen(): Promise<void> {
    const [player, playing] = [this.player, this.playing];
    if (!player || !playing) return;
    const now = player.now();
    const cue = resolve(playing.program, playing.placement.timezone, now).zones[0]?.cue;
    await player.report({ type: 'alive', width: 1920, height: 1080, frames: 1 });
    if (!cue || cue.since === this.#turn?.since) return;
    if (this.#turn) {
      // A play in which the clock jumped was not shown completely.
      const whole = Math.abs(cue.since - this.#turn.until) < 1_000;
      const seen = whole ? this.#turn.until - this.#turn.since : this.time.mono() - this.#turn.mono;
      await player.report({ type: 'ended', turn: this.#turn.id, ended_at: this.#turn.since + seen, completed: whole });
      if (whole) this.shown.push(this.#turn.true_since);
      else this.cut.push(seen);
    }
    const id = nodeCrypto.uuid();
    this.#turn = {
      id,
      since: cue.since,
      until: cue.until,
      true_since: this.clock.mono() - (now - cue.since),
      mono: this.time.mono() - (now - cue.since),
    };
    const { item_id, content_id, widget_id, name } = cue.item;
    await player.report({
      type: 'shown',
      turn: id,
      zone_id: 'full',
      item_id,
      playlist_id: cue.playlist_id,
      content_id,
      widget_id,
      content_name: name,
      started_at: cue.since,
      late_ms: 0,
      planned_end: cue.until,
    });
  }
}

const begin = async (
  t: Parameters<typeof startSite>[0],
): Promise<{ store: Store; site: Site; data: string; token: string; device: string }> => {
  const [folder, data] = [tempFolder(t), tempFolder(t)];
  const clock = new TestClock(START);
  const site = await startSite(t, { clock, data });
  const store = Object.assign(new Store(folder, site.origin), { clock });
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);
  const content = must(await upload(site, token, await plainJpeg([200, 0, 0], 32, 18), 'a.jpg'), 201);
  const { id: playlist } = await call('POST', '/api/playlists', { name: 'P' }, 201);
  await call('POST', `/api/playlists/${playlist}/items`, { content_id: content.id, duration_sec: TURN_MS / 1000 }, 201);
  await call('POST', `/api/playlists/${playlist}/publish`);
  await store.boot();
  t.after(() => store.crash());
  let pending: string | undefined;
  await store.until(
    'the player waits to be claimed',
    async () => (pending = (await call('GET', '/api/devices/pending'))[0]?.pending_id),
  );
  const device = (await call('POST', '/api/devices/pair', { pending_id: pending }, 201)).id as string;
  await call('POST', `/api/playlists/${playlist}/assign`, { device_id: device });
  await store.until('the program plays', () => store.playing);
  return { store, site, data, token, device };
};

/** Returns the complete plays in the report, the oldest first, by their start times in milliseconds. */
const reported = (site: Site, device: string): { started: number; ended: number; id: string; completed: number }[] =>
  site.app.db.raw
    .prepare(
      'SELECT play_id AS id, started_ms AS started, ended_ms AS ended, completed FROM plays WHERE device_id = ? ORDER BY started_ms',
    )
    .all(device) as {
    started: number;
    ended: number;
    id: string;
    completed: number;
  }[];

/**
 * Checks that each complete play is in the report exactly once, at its true time.
 * @param within tolerance in milliseconds. It must be larger if simulated minutes pass while the player is connected,
 * because they delay the messages by which the player compares clocks
 */
const everyPlayOnce = (store: Store, rows: ReturnType<typeof reported>, within = 2_000): void => {
  const whole = rows.filter(({ completed }) => completed === 1);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  const wanted = [...store.shown].sort((a, b) => a - b);
  assert.equal(whole.length, wanted.length, `${whole.length} reported, ${wanted.length} shown`);
  const worst = Math.max(...whole.map(({ started }, i) => Math.abs(started - (wanted[i] ?? 0))));
  assert.ok(worst < within, `a play is reported ${Math.round(worst)} ms away from when it was`);
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (before)
      assert.ok(
        Math.min(before.ended, row.ended) - row.started <= within / 2,
        `plays overlap: ${JSON.stringify([before, row])}`,
      );
  }
};

test('three weeks without network, with power cuts and a wrong machine clock: each play is reported once at its time', {
  timeout: 300_000,
}, async (t) => {
  const { store, site, device } = await begin(t);
  // Turns the network off, because simulated minutes would delay the clock comparison over a real socket.
  store.network = false;
  store.crash();
  await store.boot();
  await store.pass(7 * DAY, 5 * MINUTE);
  assert.ok(store.playing);
  // A running player does not notice the changed machine clock, because it uses a monotonic clock.
  store.time.wallOffset += 5 * HOUR;
  await store.pass(7 * DAY, 5 * MINUTE);
  // After a restart, the player has only the machine's clock. The times of plays by this clock are corrected when the
  // server is back.
  store.crash();
  store.time.wallOffset -= 300 * DAY;
  await store.boot();
  await store.pass(7 * DAY, 5 * MINUTE);
  assert.ok(store.playing, 'it plays on');
  assert.ok(store.shown.length > 3_000);
  store.network = true;
  await store.until(
    'all plays have arrived',
    () => reported(site, device).filter(({ completed }) => completed === 1).length >= store.shown.length,
  );
  everyPlayOnce(store, reported(site, device));
  t.diagnostic(`${store.shown.length} plays of 21 days delivered`);
});

test('screen follows a server clock that jumps by hours and back, and no play is lost or reported twice', {
  timeout: 60_000,
}, async (t) => {
  const { store, site, device } = await begin(t);
  await store.pass(HOUR);
  for (const jump of [7 * HOUR, -7 * HOUR]) {
    store.clock.jump(jump);
    await store.until('the player follows', () => Math.abs((store.player?.now() ?? 0) - store.clock.now()) < 500);
    // At the first jump the page is reloaded. At the second jump the page ends the play itself.
    if (jump > 0) await store.reload();
    // Plays from before the jump keep their times.
    await store.pass(HOUR);
  }
  await store.until(
    'all plays have arrived',
    () => reported(site, device).filter(({ completed }) => completed === 1).length >= store.shown.length,
  );
  const rows = reported(site, device);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  const whole = rows.filter(({ completed }) => completed === 1);
  assert.equal(whole.length, store.shown.length);
  assert.ok(whole.length >= 15);
  const ascending = (lengths: number[]) => lengths.map((ms) => Math.round(ms / 1_000)).sort((a, b) => a - b);
  const cut = rows.filter(({ completed }) => completed === 0).map(({ started, ended }) => ended - started);
  assert.deepEqual(ascending(cut), ascending(store.cut), 'a turn in which the clock jumps is as long as it was seen');
  await settle();
});

/** Wrong times, roughly as a dead clock battery causes them. */
const BEHIND = 20 * 365 * DAY;
const arrived = (store: Store, site: Site, device: string) =>
  reported(site, device).filter(({ completed }) => completed === 1).length >= store.shown.length;

for (const [what, wrong] of [
  ['years behind', -BEHIND],
  ['two years ahead', 2 * 365 * DAY],
] as const) {
  test(`while the server's clock is ${what} for hours, plays wait on the screen and arrive once at their true time`, {
    timeout: 120_000,
  }, async (t) => {
    const { store, site, device } = await begin(t);
    await store.pass(HOUR);
    await store.until('what was shown has arrived', () => arrived(store, site, device));
    const before = reported(site, device).length;
    store.clock.jump(wrong);
    await store.pass(2 * HOUR);
    assert.equal(reported(site, device).length, before, 'nothing is taken in by a clock that is wrong');
    assert.ok(Math.abs((store.player?.now() ?? 0) - store.clock.mono()) < MINUTE, 'nor does the screen follow it');
    store.clock.jump(-wrong);
    await store.pass(HOUR);
    await store.until('all plays have arrived', () => arrived(store, site, device));
    assert.ok(store.shown.length >= 20);
    everyPlayOnce(store, reported(site, device), 2 * MINUTE);
  });
}

test('plays from before, during and after a server years behind arrive once at their true time', {
  timeout: 120_000,
}, async (t) => {
  const { store, site: first, data, device } = await begin(t);
  await store.pass(HOUR);
  store.network = false;
  await first.app.stop();
  await store.pass(2 * HOUR);
  store.clock.jump(-BEHIND);
  const site = await startSite(t, { clock: store.clock, data });
  store.origin = site.origin;
  store.network = true;
  await store.until('the screen is back', () => site.app.upkeep.screens().online === 1);
  await store.pass(2 * HOUR);
  // A screen that restarts meanwhile knows the time only from its stored clock data.
  store.crash();
  await store.boot();
  await store.until('the screen is back', () => site.app.upkeep.screens().online === 1);
  await store.pass(2 * HOUR);
  assert.ok(site.app.clock.doubtful, 'the screen does not agree');
  assert.equal(reported(site, device).filter(({ started }) => started < START).length, 0);
  const before = reported(site, device).length;
  store.clock.jump(BEHIND);
  await store.pass(HOUR);
  assert.equal(site.app.clock.doubtful, false);
  await store.until('all plays have arrived', () => arrived(store, site, device));
  assert.ok(reported(site, device).length > before + 30);
  everyPlayOnce(store, reported(site, device), 2 * MINUTE);
});

test('clock of a store that was off over the weekend is untrusted until a screen confirms it', {
  timeout: 120_000,
}, async (t) => {
  const { store, site: first, data, device } = await begin(t);
  await store.pass(HOUR);
  await first.app.stop();
  store.crash();
  store.clock.advance(2 * DAY);
  // The clocks of the two computers differ slightly, and both kept running over the weekend.
  store.time.wallOffset += 2 * DAY + 7_000;
  const site = await startSite(t, { clock: store.clock, data });
  assert.ok(site.app.clock.doubtful);
  store.origin = site.origin;
  await store.boot();
  await store.until('the screen has been heard', () => {
    site.app.clock.check();
    return !site.app.clock.doubtful;
  });
  await store.pass(HOUR);
  await store.until('all plays have arrived', () => arrived(store, site, device));
  everyPlayOnce(store, reported(site, device), 2 * MINUTE);
});
