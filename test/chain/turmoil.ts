/** Random simultaneous faults in a chain. The same seed gives the same faults. */
import { setTimeout } from 'node:timers/promises';
import type { CutLine } from './cut-line.ts';
import type { Headquarters, Member } from './simulated.ts';

/**
 * Maximum time in milliseconds for which a connection is cut or frozen. A few connections are frozen for longer than
 * any timeout of the program.
 */
const MOMENT_MS = 5_000;
const PATIENCE_MS = 35_000;

/**
 * A random action. Actions with a larger weight are chosen more often. `act` returns false if another action on the
 * same target is in progress.
 */
export type Act = readonly [weight: number, act: () => boolean];

/** Returns the duration in milliseconds: `VITRINE_CHAOS_SECONDS`, or the given default in seconds. */
export const lastsMs = (seconds: number): number => Number(process.env['VITRINE_CHAOS_SECONDS'] ?? seconds) * 1_000;

/** Returns the seed of the random faults: `VITRINE_CHAOS_SEED`, or a random number. */
export const seedOf = (): number => Number(process.env['VITRINE_CHAOS_SEED'] ?? Date.now() % 1_000_000);

/** Returns a generator of integers below a limit. The same seed gives the same integers. */
const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

interface Deps {
  readonly seed: number;
  readonly lasts: number;
  readonly hq: Headquarters;
  readonly stores: readonly Member[];
  readonly lines: readonly CutLine[];
}

export class Turmoil {
  readonly roll: (below: number) => number;
  readonly #deps: Deps;
  readonly #ending = new AbortController();
  /** Targets with an action in progress, each with the promise of the end of its action. */
  readonly #busy = new Map<object, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.roll = dice(deps.seed);
  }

  isBusy(whom: object): boolean {
    return this.#busy.has(whom);
  }

  /** Starts an action beside all other actions. Returns false if another action on the same target is in progress. */
  to(whom: object, work: () => Promise<void>): boolean {
    if (this.#busy.has(whom)) return false;
    this.#busy.set(
      whom,
      work().finally(() => this.#busy.delete(whom)),
    );
    return true;
  }

  /** Returns an action on a random store. */
  store(work: (store: Member) => Promise<void>, among = this.#deps.stores): () => boolean {
    return () => {
      const one = among[this.roll(among.length)]!;
      return this.to(one, () => work(one));
    };
  }

  #line(work: (line: CutLine) => Promise<void>): () => boolean {
    const { lines } = this.#deps;
    return () => {
      const one = lines[this.roll(lines.length)]!;
      return this.to(one, () => work(one));
    };
  }

  #headquarters(between: () => void): () => boolean {
    const { hq } = this.#deps;
    return () =>
      this.to(hq, async () => {
        await hq.kill();
        between();
        await hq.start();
      });
  }

  /** Random faults of connections, stores and headquarters. */
  get faults(): Act[] {
    const { hq } = this.#deps;
    const { roll } = this;
    return [
      [30, this.#line(async (one) => one.break())],
      [
        30,
        this.#line(async (one) => {
          one.isCut = true;
          one.break();
          await this.#pause(roll(MOMENT_MS));
          one.isCut = false;
        }),
      ],
      [
        30,
        this.#line(async (one) => {
          one.isHeld = true;
          await this.#pause(roll(10) === 0 ? PATIENCE_MS : roll(MOMENT_MS));
          one.isHeld = false;
        }),
      ],
      [60, this.store((one) => one.backUp())],
      [50, this.store((one) => one.kill())],
      [25, this.store((one) => one.putBack('restore'))],
      [25, this.store((one) => one.putBack('copy'))],
      [2, this.#headquarters(() => {})],
      [2, this.#headquarters(() => hq.keep())],
      [3, () => hq.isKept && this.#headquarters(() => hq.putBack())()],
    ];
  }

  /** Runs random actions until the time is over and all actions have ended. Returns the number of actions. */
  async run(acts: readonly Act[], each: (passed: number) => void = () => {}): Promise<number> {
    const { lasts, lines } = this.#deps;
    const { roll } = this;
    const weights = acts.reduce((sum, [weight]) => sum + weight, 0);
    const any = () => {
      let rest = roll(weights);
      return acts.find(([weight]) => (rest -= weight) < 0)![1];
    };
    let count = 0;
    // Each action happens at least once, however small its weight.
    const owed = [...acts];
    for (const begun = performance.now(); performance.now() < begun + lasts; count++) {
      const passed = (performance.now() - begun) / lasts;
      const isDue = acts.length - owed.length < passed * acts.length;
      if (owed.length > 0 && isDue) {
        const next = owed[roll(owed.length)]!;
        if (next[1]()) owed.splice(owed.indexOf(next), 1);
      } else any()();
      each(passed);
      await setTimeout(roll(60));
    }
    for (const one of lines) {
      one.isCut = false;
      one.isHeld = false;
    }
    this.#ending.abort();
    await Promise.all(this.#busy.values());
    return count;
  }

  /** Returns a sentence with the numbers of kills and restores. */
  get said(): string {
    const { hq, stores } = this.#deps;
    const summed = (of: (one: Member) => number) => stores.reduce((sum, one) => sum + of(one), 0);
    return `headquarters killed ${hq.kills} times, put back ${hq.restores} times; stores killed ${summed(({ kills }) => kills)} times, put back ${summed(({ restores }) => restores)} times`;
  }

  #pause(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }
}
