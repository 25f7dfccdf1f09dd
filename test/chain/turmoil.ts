/** Everything at once, at random, and again the same with the same seed: what is done to a chain, and when. */
import { setTimeout } from 'node:timers/promises';
import type { CutLine } from './cut-line.ts';
import type { Headquarters, Member } from './simulated.ts';

/** A line is cut or frozen for so long at most, but for a few that are frozen for longer than anybody waits. */
const MOMENT_MS = 5_000;
const PATIENCE_MS = 35_000;

/** False where something is being done to it already. */
export type Act = readonly [weight: number, act: () => boolean];

/** `VITRINE_CHAOS_SECONDS`: for how long; by default so many seconds. */
export const lastsMs = (seconds: number): number => Number(process.env['VITRINE_CHAOS_SECONDS'] ?? seconds) * 1_000;

/** `VITRINE_CHAOS_SEED`: with which chances. */
export const seedOf = (): number => Number(process.env['VITRINE_CHAOS_SEED'] ?? Date.now() % 1_000_000);

/** Returns what gives a whole number below another, the same ones for the same seed. */
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
  /** What has something done to it, until that is over. */
  readonly #busy = new Map<object, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.roll = dice(deps.seed);
  }

  isBusy(whom: object): boolean {
    return this.#busy.has(whom);
  }

  /** Does it beside everything else; false where something is being done to it already. */
  to(whom: object, work: () => Promise<void>): boolean {
    if (this.#busy.has(whom)) return false;
    this.#busy.set(
      whom,
      work().finally(() => this.#busy.delete(whom)),
    );
    return true;
  }

  /** To one of them. */
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

  /** What happens to lines, stores and headquarters, whatever these do. */
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

  /** Until its time is over, and all that was begun is done. Returns how much happened. */
  async run(acts: readonly Act[], each: (passed: number) => void = () => {}): Promise<number> {
    const { lasts, lines } = this.#deps;
    const { roll } = this;
    const weights = acts.reduce((sum, [weight]) => sum + weight, 0);
    const any = () => {
      let rest = roll(weights);
      return acts.find(([weight]) => (rest -= weight) < 0)![1];
    };
    let count = 0;
    // Each of them once at least, by and by, however rare it is.
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

  /** In words. */
  get said(): string {
    const { hq, stores } = this.#deps;
    const summed = (of: (one: Member) => number) => stores.reduce((sum, one) => sum + of(one), 0);
    return `headquarters killed ${hq.kills} times, put back ${hq.restores} times; stores killed ${summed(({ kills }) => kills)} times, put back ${summed(({ restores }) => restores)} times`;
  }

  #pause(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }
}
