/**
 * Measures how well the panels of each wall are synchronized, by comparing their reports of the same two seconds
 * (shared/protocol/wall/glimpse.ts). The results of the last minutes are kept. Reports are kept only until all panels have
 * sent theirs.
 */
import { type Glimpse, nextWindow, picturesOf, WINDOW_MS } from '../../../shared/protocol/wall/glimpse.ts';
import { changesOf, inStep, type Picture, type Stretch, stretchesOf } from '../../../shared/protocol/wall/in-step.ts';

/** Number of time windows (15 s each) whose results are kept: five minutes. */
const KEPT_WINDOWS = 20;
/**
 * Number of time windows for which the server waits for reports. A panel sends its report about a time window with its
 * next heartbeat. An older time window is compared with the reports received so far.
 */
const OPEN_WINDOWS = 3;
/** Number of time windows after which a wall without a newer comparison counts as not measured. */
const FRESH_WINDOWS = 6;
/** Maximum number of zones compared per panel. */
const MOST_ZONES = 8;
/** Rounding step of measured spreads in milliseconds, so that a time window has few different values. */
const STEP_MS = 0.5;

interface WallInStep {
  /** Number of panels in the newest comparison. */
  readonly panels: number;
  /** Share of time in which all panels showed the same picture, 0 to 1. */
  readonly same_share: number;
  /** Median of the time difference between panels, in milliseconds. */
  readonly apart_p50_ms: number;
  /** 99th percentile of the time difference between panels, in milliseconds. */
  readonly apart_p99_ms: number;
  /**
   * 99th percentile of the time between the first and the last panel that shows the same still picture; null: no still
   * picture was shown.
   */
  readonly change_p99_ms: number | null;
}

interface Compared {
  readonly window: number;
  readonly panels: number;
  readonly stretches: readonly Stretch[];
  readonly changes: readonly number[];
}

interface Wall {
  /** Reports by time window, panel and zone. */
  readonly open: Map<number, Map<string, Map<string, readonly Picture[]>>>;
  done: readonly Compared[];
}

export class WallSync {
  readonly #now: () => number;
  readonly #walls = new Map<string, Wall>();

  /** @param now clock shared by all players, epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds a panel's report. `panels`: connected panels of its wall, from which reports are expected. */
  record(wallId: string, deviceId: string, panels: readonly string[], glimpses: readonly Glimpse[]): void {
    const current = nextWindow(this.#now()).number;
    const wall = this.#wall(wallId, current);
    for (const glimpse of glimpses) {
      const { window, zone_id } = glimpse;
      // Leaves out panels with a different clock, and reports about time windows that were already compared.
      if (window > current || window < current - OPEN_WINDOWS || (wall.done.at(-1)?.window ?? -1) >= window) continue;
      const told = upsert(wall.open, window, () => new Map<string, Map<string, readonly Picture[]>>());
      const zones = upsert(told, deviceId, () => new Map<string, readonly Picture[]>());
      if (zones.size < MOST_ZONES) zones.set(zone_id, picturesOf(glimpse));
    }
    for (const [window, told] of [...wall.open].sort(([a], [b]) => a - b)) {
      if (window > current - OPEN_WINDOWS && !panels.every((panel) => told.has(panel))) break;
      wall.open.delete(window);
      const compared = compare(
        window,
        [...told.entries()].filter(([panel]) => panels.includes(panel)).map(([, zones]) => zones),
      );
      if (compared) wall.done = [...wall.done, compared].slice(-KEPT_WINDOWS);
    }
  }

  /** Returns the measurements of a wall; undefined while there are no recent ones. */
  of(wallId: string): WallInStep | undefined {
    const done = this.#walls.get(wallId)?.done ?? [];
    const last = done.at(-1);
    const figures = inStep(done.flatMap(({ stretches }) => stretches));
    if (!last || !figures || last.window < nextWindow(this.#now()).number - FRESH_WINDOWS) return undefined;
    const changes = done.flatMap((one) => one.changes).sort((a, b) => a - b);
    return {
      panels: last.panels,
      same_share: figures.share,
      apart_p50_ms: figures.p50,
      apart_p99_ms: figures.p99,
      change_p99_ms: changes[Math.ceil(0.99 * changes.length) - 1] ?? null,
    };
  }

  #wall(wallId: string, current: number): Wall {
    const known = this.#walls.get(wallId);
    if (known) return known;
    // Walls without recent reports are removed here, because this class is not notified of deleted walls.
    for (const [id, { open, done }] of this.#walls)
      if (Math.max(done.at(-1)?.window ?? 0, ...open.keys()) < current - KEPT_WINDOWS) this.#walls.delete(id);
    const made: Wall = { open: new Map(), done: [] };
    this.#walls.set(wallId, made);
    return made;
  }
}

/** Returns undefined when no two panels show the same zone. */
function compare(window: number, panels: readonly ReadonlyMap<string, readonly Picture[]>[]): Compared | undefined {
  const zones = new Set(panels.flatMap((zones) => [...zones.keys()]));
  const lasted = new Map<number, number>();
  const changes: number[] = [];
  let compared = 0;
  for (const zone of zones) {
    const pictures = panels.flatMap((zones) => (zones.has(zone) ? [zones.get(zone) as readonly Picture[]] : []));
    if (pictures.length < 2) continue;
    compared = Math.max(compared, pictures.length);
    for (const stretch of stretchesOf(pictures, 0, WINDOW_MS)) {
      const apart = Math.round(stretch.apart / STEP_MS) * STEP_MS;
      lasted.set(apart, (lasted.get(apart) ?? 0) + stretch.lasted);
    }
    changes.push(...changesOf(pictures));
  }
  if (compared === 0) return undefined;
  return { window, panels: compared, stretches: [...lasted].map(([apart, ms]) => ({ apart, lasted: ms })), changes };
}

const upsert = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};
