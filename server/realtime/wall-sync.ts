/**
 * How far apart the panels of each wall are: what they tell of the same two seconds (shared/protocol/glimpse.ts), laid
 * side by side. Kept are figures of the last minutes; pictures only until all panels have told theirs.
 */
import { type Glimpse, nextWindow, picturesOf, WINDOW_MS } from '../../shared/protocol/glimpse.ts';
import { changesOf, inStep, type Picture, type Stretch, stretchesOf } from '../../shared/protocol/in-step.ts';

/** Five minutes. */
const KEPT_WINDOWS = 20;
/** A panel tells of a window with its next heartbeat; a window older than this is compared as far as it was told. */
const OPEN_WINDOWS = 3;
/** A wall whose last comparison is older than this is not measured any more. */
const FRESH_WINDOWS = 6;
/** Of a panel; more are not compared. */
const MOST_ZONES = 8;
/** Steps in which spreads are kept, so that a window has few. */
const STEP_MS = 0.5;

interface WallInStep {
  /** Panels in the newest comparison. */
  readonly panels: number;
  /** Share of the time in which all showed the same picture, 0 to 1. */
  readonly same_share: number;
  /** At half of all instants the panels were no further apart … */
  readonly apart_p50_ms: number;
  /** … and at 99 % of them. */
  readonly apart_p99_ms: number;
  /** Between the first and the last panel to show the same still, at 99 % of changes; null: no still came. */
  readonly change_p99_ms: number | null;
}

interface Compared {
  readonly window: number;
  readonly panels: number;
  readonly stretches: readonly Stretch[];
  readonly changes: readonly number[];
}

interface Wall {
  /** By window, by panel, by zone. */
  readonly open: Map<number, Map<string, Map<string, readonly Picture[]>>>;
  done: readonly Compared[];
}

export class WallSync {
  readonly #now: () => number;
  readonly #walls = new Map<string, Wall>();

  /** @param now the clock that players share, epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A panel tells what it showed. `panels`: those of its wall that are there to tell. */
  hear(wallId: string, deviceId: string, panels: readonly string[], glimpses: readonly Glimpse[]): void {
    const current = nextWindow(this.#now()).number;
    const wall = this.#wall(wallId, current);
    for (const glimpse of glimpses) {
      const { window, zone_id } = glimpse;
      // Whoever speaks of other times has another clock, and one that has been compared is closed.
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

  /** Undefined while nothing recent is known. */
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
    // Walls are taken apart and nobody says so here: what has been silent for long makes room.
    for (const [id, { open, done }] of this.#walls)
      if (Math.max(done.at(-1)?.window ?? 0, ...open.keys()) < current - KEPT_WINDOWS) this.#walls.delete(id);
    const made: Wall = { open: new Map(), done: [] };
    this.#walls.set(wallId, made);
    return made;
  }
}

/** Undefined where there are no two panels that show the same zone. */
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
