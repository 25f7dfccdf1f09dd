/**
 * Simulates panels of a wall in virtual time, with realistic faults: different clocks, skipped frames, late timers,
 * stalled decoders.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Cue } from '../../../shared/program/program.ts';
import { inStep, type Picture, stretchesOf } from '../../../shared/protocol/wall/in-step.ts';
import { FrameLoop } from '../frames/frame-loop.ts';
import { MediaSurface } from '../surfaces/media.surface.ts';
import { MediaPool } from '../surfaces/media-pool.ts';
import type { SurfaceContext } from '../surfaces/surface.ts';
import { item } from '../testing/programs.ts';
import { asBrowser, REFRESH_MS, VirtualPanel, VirtualTime } from '../testing/virtual-wall.ts';
import { Aim } from './refresh.ts';
import { SyncStats } from './sync-stats.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
const FRAME_MS = 40;

interface Panels {
  readonly panels: readonly VirtualPanel[];
  readonly time: VirtualTime;
  /** Returns how far apart the panels are between two instants, given in milliseconds from the start of the play. */
  between(from: number, to: number): { readonly share: number; readonly p99: number };
}

/** Prepares four panels for a looping clip that begins 3 s from now. */
const hang = (
  t: TestContext,
  { seed, phases, clipMs }: { seed: number; phases: readonly number[]; clipMs: number },
): Panels => {
  const time = new VirtualTime();
  asBrowser(t, time, clipMs / 1000);
  const since = NOON + time.now + 3_000;
  const cue: Cue = {
    item: item(1, { kind: 'video', media_ms: clipMs }),
    since,
    until: since + 600_000,
    playlist_id: 'p',
    source: { kind: 'device' },
  };
  const panels = phases.map((phase, n) => {
    const panel = new VirtualPanel(time, phase, seed * 31 + n);
    const clockError = [0, 0.4, -0.3, 0.2][n % 4] ?? 0;
    const refresh = { at: NOON + (phases[0] ?? 0), period_ms: REFRESH_MS };
    const host = {
      assetUrl: () => 'clip',
      now: () => NOON + performance.now() + clockError,
      wallRefresh: () => refresh,
    };
    time.after(
      0,
      () => {
        const loop = new FrameLoop();
        const aim = new Aim(host as never);
        loop.onFrame((frame) => {
          aim.watch(frame);
          return 1_000;
        });
        const context = {
          host,
          loop,
          aim,
          pool: new MediaPool(),
          stats: new SyncStats(),
          fit: 'cover',
          onFault: (message: string) => assert.fail(message),
          saw: () => {},
        };
        const surface = new MediaSurface('video', context as unknown as SurfaceContext);
        loop.start();
        void surface.prepare(cue).then(() => surface.show({ muted: true }));
      },
      panel,
    );
    return panel;
  });
  const pictures = (panel: VirtualPanel): Picture[] =>
    panel.seen.map(({ at, meant: frame }) => {
      const place = frame * FRAME_MS;
      const elapsed = NOON + at - since;
      return { at, meant: place + Math.round((elapsed - place) / clipMs) * clipMs, moves: true };
    });
  return {
    panels,
    time,
    between: (from, to) => {
      const found = inStep(stretchesOf(panels.map(pictures), since - NOON + from, since - NOON + to));
      assert.ok(found, 'nothing was compared');
      return found;
    },
  };
};

for (const [what, phases, least] of [
  ['refresh together show the same frame nearly always', [2, 2, 2, 2], 0.85],
  // 72 % is the maximum: the refreshes of these panels are 11 ms apart, and a frame lasts 40 ms.
  ['refresh each in its own time show the same frame whenever they can', [2, 5, 9, 13], 0.6],
] as const) {
  test(`four panels that ${what}, within one frame`, async (t) => {
    for (const seed of [1, 2]) {
      const { time, between } = hang(t, { seed, phases, clipMs: 10_000 });
      await time.run(time.now + 3_000 + 30_000);
      const { share, p99 } = between(1_000, 30_000);
      t.diagnostic(`the same frame ${(share * 100).toFixed(1)} % of the time, p99 ${p99} ms`);
      assert.ok(share >= least && p99 <= FRAME_MS, `${share}, p99 ${p99} ms`);
    }
  });
}

test('panel whose decoder stalled shows the same frames as the others within two seconds', async (t) => {
  for (const ms of [40, 90, 150, 400]) {
    const { time, panels, between } = hang(t, { seed: 7, phases: [2, 2, 2, 2], clipMs: 20_000 });
    await time.run(time.now + 3_000 + 6_000);
    panels[2]?.stall(ms);
    await time.run(time.now + 8_000);
    const { share, p99 } = between(6_000 + ms + 2_000, 13_500);
    t.diagnostic(`${ms} ms: the same frame ${(share * 100).toFixed(1)} % of the time, p99 ${p99} ms`);
    assert.ok(share >= 0.75 && p99 <= FRAME_MS, `after ${ms} ms: ${share}, p99 ${p99} ms`);
  }
});

test('panel that begins late shows the same frames as the others within the first second', async (t) => {
  const { time, panels, between } = hang(t, { seed: 9, phases: [2, 2, 2, 2], clipMs: 20_000 });
  const late = panels[1] as VirtualPanel;
  await time.run(time.now + 2_900);
  late.late = 70;
  await time.run(time.now + 200);
  late.late = 0;
  await time.run(time.now + 3_000);
  const { share, p99 } = between(0, 1_000);
  t.diagnostic(`in the first second the same frame ${(share * 100).toFixed(1)} % of the time, p99 ${p99} ms`);
  assert.ok(share >= 0.75 && p99 <= 2 * FRAME_MS, `${share}, p99 ${p99} ms`);
});
