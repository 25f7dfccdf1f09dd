/** Reports the progress of campaigns in a store, down to its screens, to headquarters. */
import type { Phase, Readiness } from '../../../shared/chain/campaign.ts';
import { createPlanner, type Plan } from '../../../shared/program/precedence.ts';
import type { Program } from '../../../shared/program/program.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { Nap, type Pause } from '../connection/pause.ts';
import type { DesiredState, Progress } from './desired-state.ts';
import type { Fetcher } from './fetcher.ts';

/** Interval in milliseconds at which phases of campaigns are checked and reported. */
const LOOK_MS = 2_000;
/**
 * Interval in milliseconds at which campaigns are applied, because files may arrive from elsewhere, and the clock may
 * be set.
 */
const CARRY_MS = 60_000;
/**
 * Maximum time in milliseconds for examining programs per check. The remaining programs are examined in later
 * checks.
 */
const SLICE_MS = 6;
/** Maximum number of characters of all reasons together, because the size of a presence message is limited. */
const WHY_CHARS = 60_000;

export interface Screen {
  readonly id: string;
  readonly tags: readonly string[];
}

/** The program that a screen should have; its id is compared with the id that the player reports. */
interface OnScreen {
  readonly id: string;
  readonly program: Program;
  readonly placement: { readonly timezone: string };
}

interface Live {
  readonly status: 'online' | 'offline';
  readonly program: { readonly id: string; readonly state: 'waiting' | 'ready' | 'failed' } | null;
}

interface Deps {
  readonly clock: Clock;
  readonly desired: Pick<DesiredState, 'progress' | 'carryOut' | 'nextStart'>;
  readonly fetcher: Pick<Fetcher, 'has' | 'rate' | 'troubleWith'>;
  readonly screens: () => readonly Screen[];
  readonly programOf: (screenId: string) => OnScreen | undefined;
  readonly live: (screenId: string) => Live | undefined;
  readonly pause: Pause;
  readonly failed: (error: unknown) => void;
  /** Called when a phase has changed. */
  readonly changed: () => void;
}

interface Sums {
  readonly screens: number;
  readonly ready: number;
  readonly isShown: boolean;
}

/** Indexes of the campaigns in a program, and of the campaigns that are active now (in the time span of `plan`). */
interface Known {
  readonly campaigns: readonly number[];
  planAt?: (instant: number) => Plan;
  plan?: Plan;
  shown: readonly number[];
}

export class Campaigns implements Lifecycle {
  readonly name = 'campaigns of headquarters';
  readonly #deps: Deps;
  readonly #nap: Nap;
  #isStopping = false;
  #running: Promise<void> | undefined;
  /** Ids of all campaigns. A change of this text invalidates the indexes in `#programs`. */
  #ids = '';
  #programs = new WeakMap<Program, Known>();
  #told = '';

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#nap = new Nap(deps.pause);
  }

  start(): void {
    this.#isStopping = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#nap.wake();
    await this.#running;
  }

  /** Checks the progress now, because the wanted campaigns have changed. */
  hurry(): void {
    this.#nap.wake();
  }

  /** Returns the progress of each wanted campaign. */
  get readiness(): Readiness[] {
    const { desired, fetcher } = this.#deps;
    const all = desired.progress();
    const most = Math.min(500, Math.floor(WHY_CHARS / Math.max(1, all.length)));
    const { rate } = fetcher;
    const sums = this.#onScreens(all);
    return all.map((one, i): Readiness => {
      const { id, edition, applied, lacking } = one;
      const { screens, ready } = sums[i]!;
      const troubles = lacking.flatMap(({ sha256 }) => fetcher.troubleWith(sha256) ?? []);
      const bytes_left = lacking.reduce((sum, { sha256, size }) => sum + Math.max(0, size - fetcher.has(sha256)), 0);
      const isWrong = troubles.some((trouble) => trouble.isWrong);
      const why = one.refused ?? (troubles.find((trouble) => trouble.isWrong) ?? troubles[0])?.why ?? '';
      return {
        ...{ id, edition, phase: phaseOf(one, { ...sums[i]!, isWrong }), applied, bytes_left },
        rate: bytes_left > 0 ? rate : null,
        ...{ screens, ready, why: why.slice(0, most) },
      };
    });
  }

  async #run(): Promise<void> {
    const { desired, clock } = this.#deps;
    for (let carriedAt = Number.NEGATIVE_INFINITY, start = 0; !this.#isStopping; ) {
      this.#attempt(() => {
        const now = clock.now();
        if (now >= carriedAt + CARRY_MS || now < carriedAt || now >= start) {
          desired.carryOut();
          carriedAt = now;
        }
        start = desired.nextStart;
        this.#look();
      });
      const isIdle = this.#ids === '';
      await this.#nap.rest(Math.max(1, Math.min(isIdle ? CARRY_MS : LOOK_MS, start - clock.now())));
    }
  }

  #look(): void {
    const phases = this.readiness.map(({ id, edition, phase, why }) => `${id} ${edition} ${phase} ${why}`).join('\n');
    if (phases === this.#told) return;
    this.#told = phases;
    this.#deps.changed();
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.failed(error);
    }
  }

  /** Returns the screen counts of each campaign. Screens with the same program are examined once. */
  #onScreens(all: readonly Progress[]): Sums[] {
    const { screens, programOf, live, clock } = this.#deps;
    const ids = all.map(({ id }) => id).join('\n');
    if (ids !== this.#ids) {
      this.#ids = ids;
      this.#programs = new WeakMap();
    }
    const known = all.length > 0 ? screens() : [];
    const counts = countByTags(known);
    const ready = new Uint32Array(all.length);
    const isShown = new Uint8Array(all.length);
    const have = new Map<Program, { zone: string; screens: number }>();
    for (const { id } of known) {
      const seen = live(id);
      if (seen?.status !== 'online' || seen.program?.state !== 'ready') continue;
      const found = programOf(id);
      if (!found || found.id !== seen.program.id) continue;
      const alike = have.get(found.program);
      if (alike) alike.screens++;
      else have.set(found.program, { zone: found.placement.timezone, screens: 1 });
    }
    const time = { now: clock.now(), until: performance.now() + SLICE_MS };
    for (const [program, { zone, screens: alike }] of have) {
      const { campaigns, shown } = this.#of(program, zone, all, time);
      for (const i of campaigns) ready[i]! += alike;
      for (const i of shown) isShown[i] = 1;
    }
    return all.map(({ doc, applied, edition }, i): Sums => {
      // The programs contain the applied edition. If this is not the wanted edition, no screen counts as ready for the
      // wanted edition.
      const isIt = applied === edition;
      return {
        screens: doc && doc.rank !== 'offer' ? counts(doc.screen_tags) : 0,
        ready: isIt ? ready[i]! : 0,
        isShown: isIt && isShown[i] === 1,
      };
    });
  }

  /** @param time.until after this time, programs keep their last known state and are examined in the next check */
  #of(
    program: Program,
    timezone: string,
    all: readonly Progress[],
    { now, until }: { readonly now: number; readonly until: number },
  ): Known {
    let known = this.#programs.get(program);
    if (!known) {
      const planned = new Set(program.schedules.map(({ id }) => id));
      known = { campaigns: all.flatMap(({ id }, i) => (planned.has(id) ? [i] : [])), shown: [] };
      this.#programs.set(program, known);
    }
    const isFresh = known.plan && known.plan.since <= now && now < known.plan.until;
    if (isFresh || performance.now() > until) return known;
    known.planAt ??= createPlanner(program, timezone);
    const plan = known.planAt(now);
    known.plan = plan;
    const inForce = new Set(
      [plan.main, plan.layoutRule, ...plan.zones.values()].flatMap((rule) => rule?.schedule.id ?? []),
    );
    known.shown = known.campaigns.filter((i) => inForce.has(all[i]!.id));
    return known;
  }
}

const phaseOf = (
  { refused, applied, edition, doc, lacking }: Progress,
  { ready, isShown, isWrong }: Pick<Sums, 'ready' | 'isShown'> & { readonly isWrong: boolean },
): Phase => {
  if (refused !== null) return 'refused';
  if (applied === edition)
    return isShown ? 'showing' : ready > 0 ? 'on_screens' : lacking.length > 0 ? 'fetching' : 'armed';
  if (isWrong) return 'refused';
  if (!doc) return 'told';
  return lacking.length > 0 ? 'fetching' : 'armed';
};

/** Returns a function that counts the screens with any of the given tags; no tags: all screens. */
const countByTags = (screens: readonly Screen[]): ((tags: readonly string[]) => number) => {
  const byTag = new Map<string, number[]>();
  for (const [i, { tags }] of screens.entries())
    for (const tag of tags) {
      const key = tag.toLowerCase();
      const list = byTag.get(key);
      if (list) list.push(i);
      else byTag.set(key, [i]);
    }
  const known = new Map<string, number>();
  return (tags) => {
    if (tags.length === 0) return screens.length;
    const key = tags.join('\n').toLowerCase();
    let count = known.get(key);
    if (count === undefined) {
      count = new Set(tags.flatMap((tag) => byTag.get(tag.toLowerCase()) ?? [])).size;
      known.set(key, count);
    }
    return count;
  };
};
