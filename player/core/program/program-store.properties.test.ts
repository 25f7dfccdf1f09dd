import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Placement } from '../../../shared/program/program.ts';
import { runCount } from '../../../test/run-count.ts';
import { AssetCache } from '../files/asset-cache.ts';
import {
  FakeCrypto,
  FakeServer,
  FakeTime,
  item,
  MemoryAssets,
  MemoryDocuments,
  MemoryLog,
  placement,
  programOf,
  settle,
} from '../testing/fakes.ts';
import { ProgramStore } from './program-store.ts';
import { ProgramFiles } from './stored-program.ts';

const ITEMS = [1, 2];
const PLACES: readonly Placement[] = [
  placement,
  { ...placement, orientation: '90' },
  {
    ...placement,
    timezone: 'Asia/Tokyo',
    hours: [{ days: [1], start: '08:00', end: '20:00', start_date: null, end_date: null }],
  },
  {
    ...placement,
    wall: {
      wall_id: 'w',
      canvas: { width: 2, height: 1 },
      tile: { x: 1, y: 0, width: 1, height: 1 },
      rotation: 0,
      audio: false,
    },
  },
];

type Step =
  | { readonly what: 'push'; readonly program: number; readonly place: number }
  | { readonly what: 'mute'; readonly item_id: number; readonly muted: boolean }
  | { readonly what: 'pass'; readonly ms: number }
  /** `ms`: duration of a file download or of a disk write; `full`: the disk refuses writes. */
  | { readonly what: 'line'; readonly ms: number }
  | { readonly what: 'disk'; readonly ms: number; readonly full: boolean }
  | { readonly what: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('push' as const), program: fc.nat(2), place: fc.nat(PLACES.length - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('mute' as const),
      item_id: fc.constantFrom(...ITEMS),
      muted: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 20, 400, 5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('line' as const), ms: fc.constantFrom(0, 10, 1_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('disk' as const), ms: fc.constantFrom(0, 30, 700), full: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('restart' as const) }) },
);

class World {
  readonly time = new FakeTime();
  readonly documents = new MemoryDocuments();
  readonly log = new MemoryLog();
  readonly server = new FakeServer(this.time);
  readonly assetStore = new MemoryAssets();
  readonly programs = ['a', 'b', 'c'].map((name) => {
    const assets = [this.server.addAsset(name), this.server.addAsset(`${name}${name}`)];
    const { id, bytes } = programOf(
      assets,
      assets.map((asset, i) => item(asset, { item_id: ITEMS[i] ?? 0 })),
    );
    this.server.files.set(`/p/${id}`, bytes);
    return id;
  });
  line = 0;
  disk = { ms: 0, full: false };
  /** The last received message of each kind. */
  told: { readonly program: number; readonly place: number } | undefined;
  mutes = new Map<number, boolean>();
  store = this.#make();

  constructor() {
    const write = this.documents.write.bind(this.documents);
    this.documents.write = async (name, text) => {
      const { ms, full } = this.disk;
      await this.#wait(ms);
      if (full) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      await write(name, text);
    };
  }

  async do(step: Step): Promise<void> {
    if (step.what === 'push') this.push(step);
    else if (step.what === 'mute') this.mute(step);
    else if (step.what === 'pass') await this.time.advance(step.ms);
    else if (step.what === 'line') this.line = step.ms;
    else if (step.what === 'disk') this.disk = step;
    else await this.restart();
    await settle();
  }

  push(told: { readonly program: number; readonly place: number }): void {
    this.told = told;
    this.mutes.clear();
    const id = this.programs[told.program] ?? '';
    this.store.push({ type: 'program', id, url: `/p/${id}`, placement: PLACES[told.place] ?? placement });
  }

  mute({ item_id, muted }: { item_id: number; muted: boolean }): void {
    if (!this.told) return;
    this.mutes.set(item_id, muted);
    this.store.mute({ item_id, muted });
  }

  /**
   * Restarts the player as after a power cut: running writes are lost. The server sends its state after the welcome.
   */
  async restart({ tells = true } = {}): Promise<void> {
    this.disk = { ms: 0, full: false };
    const stopping = this.store.stop();
    await this.time.advance(3_000);
    await stopping;
    this.store = this.#make();
    await this.store.start();
    if (tells && this.told) this.push(this.told);
  }

  /** Returns the state that a page would receive now. */
  shown() {
    const items = this.store.program?.playlists[0]?.items ?? [];
    return { id: this.store.id, placement: this.store.placement, muted: items.map(({ muted }) => muted) };
  }

  wanted() {
    if (!this.told) return { id: null, placement: null, muted: [] };
    return {
      id: this.programs[this.told.program],
      placement: PLACES[this.told.place],
      muted: ITEMS.map((id) => this.mutes.get(id) ?? false),
    };
  }

  #make(): ProgramStore {
    const { time, log, documents } = this;
    const crypto = new FakeCrypto();
    const assets = new AssetCache({
      store: this.assetStore,
      time,
      log,
      quotaBytes: 1e9,
      needed: () => store.needed(),
      lost: () => store.repair(),
    });
    const store: ProgramStore = new ProgramStore({
      files: new ProgramFiles({ documents, crypto, log }),
      assets,
      get: async (path, headers, signal) => {
        await this.#wait(this.line, signal);
        return this.server.get(`http://server${path}`, headers, signal);
      },
      authorization: () => 'Bearer',
      time,
      crypto,
      log,
      changed: () => {},
      failed: () => {},
      damaged: () => {},
    });
    return store;
  }

  #wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.time.after(ms, resolve);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }
}

test('after any messages, over a slow network and a full disk, the last message of each kind is in effect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const world = new World();
      await world.store.start();
      for (const each of steps) await world.do(each);
      // Settings of the screen are in effect at once, without waiting for files.
      if (world.store.id) assert.deepEqual(world.store.placement, world.wanted().placement);
      [world.line, world.disk] = [0, { ms: 0, full: false }];
      await world.time.advance(200_000);
      assert.deepEqual(world.shown(), world.wanted());
      assert.ok(world.store.settled);
      await world.restart({ tells: false });
      assert.deepEqual(world.shown(), world.wanted(), 'and so has the disk');
      await world.store.stop();
    }),
    { numRuns: runCount(60, 150) },
  );
});

test('placement applies at once while files download or the disk refuses writes', async () => {
  for (const place of PLACES.keys()) {
    const world = new World();
    await world.store.start();
    world.push({ program: 0, place: 0 });
    await world.time.advance(100);
    world.line = Number.MAX_SAFE_INTEGER;
    world.disk = { ms: 0, full: true };
    world.push({ program: 1, place });
    assert.deepEqual([world.store.id, world.store.placement], [world.programs[0], PLACES[place]]);
    await world.time.advance(60_000);
    assert.deepEqual([world.store.id, world.store.placement], [world.programs[0], PLACES[place]]);
    if (place > 0) assert.match(world.log.lines.join(), /shown all the same/);
    world.disk = { ms: 0, full: false };
    await world.time.advance(60_000);
    world.line = 0;
    await world.restart({ tells: false });
    assert.deepEqual(
      [world.store.id, world.store.placement],
      [world.programs[0], PLACES[place]],
      'saved once there was room',
    );
  }
});

test('program appears in the new orientation when the screen is rotated during the download', async () => {
  const world = new World();
  await world.store.start();
  world.push({ program: 0, place: 0 });
  await world.time.advance(100);
  world.line = 500;
  world.disk = { ms: 300, full: false };
  world.push({ program: 1, place: 0 });
  for (let ms = 0; ms < 3_000 && world.store.id === world.programs[0]; ms += 50) {
    await world.time.advance(50);
    world.push({ program: 1, place: 1 + ((ms / 50) % 3) });
    world.mute({ item_id: 1, muted: ms % 100 === 0 });
  }
  await world.time.advance(10_000);
  assert.deepEqual(world.shown(), world.wanted());
});
