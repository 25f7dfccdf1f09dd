/** Reports to the host that the page paints, and how far its picture differs from the shared clock. */
import type { Frame, FrameLoop } from '../frames/frame-loop.ts';
import type { Glimpses } from '../playing/glimpses.ts';
import type { Aim } from '../playing/refresh.ts';
import type { SyncStats } from '../playing/sync-stats.ts';
import type { ScreenHost } from './host.ts';

const ALIVE_EVERY_MS = 1_000;
const SYNC_EVERY_MS = 10_000;

interface VitalsContext {
  readonly host: Pick<ScreenHost, 'report' | 'now'>;
  readonly loop: FrameLoop;
  readonly aim: Aim;
  readonly stats: SyncStats;
  readonly glimpses: Glimpses;
}

export class Vitals {
  #context: VitalsContext;
  #aliveAt = -Infinity;
  #syncAt = 0;
  #undo: (() => void) | null = null;

  constructor(context: VitalsContext) {
    this.#context = context;
  }

  start(): void {
    this.#undo = this.#context.loop.onFrame((frame) => this.#tick(frame));
  }

  stop(): void {
    this.#undo?.();
    this.#undo = null;
  }

  #tick(frame: Frame): number {
    const { time } = frame;
    const { host, loop, aim, stats, glimpses } = this.#context;
    if (time - this.#aliveAt >= ALIVE_EVERY_MS) {
      this.#aliveAt = time;
      const inPixels = (length: number): number => Math.round(length * window.devicePixelRatio);
      aim.watch(frame);
      const refresh = aim.own;
      host.report({
        type: 'alive',
        width: inPixels(window.innerWidth),
        height: inPixels(window.innerHeight),
        frames: loop.frames,
        touch: navigator.maxTouchPoints > 0,
        ...(refresh && { refresh }),
      });
      const seen = glimpses.collect(host.now());
      if (seen.length > 0) host.report({ type: 'glimpses', glimpses: seen });
    }
    if (time - this.#syncAt >= SYNC_EVERY_MS) {
      this.#syncAt = time;
      const error = stats.collect();
      if (error) host.report({ type: 'sync', error_p50_ms: error.p50, error_p99_ms: error.p99 });
    }
    return this.#aliveAt + ALIVE_EVERY_MS - time;
  }
}
