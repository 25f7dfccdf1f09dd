/** A clock that tests advance, and that can simulate sleep. */
import type { Time, Undo } from '../../core/ports.ts';

const breathe = async (): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
};

export class PretendTime implements Pick<Time, 'mono' | 'after'> {
  #now = 1_000;
  /** Time slept: the clock of Windows continues during sleep, timers do not. */
  #jumped = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly mono = (): number => this.#now + this.#jumped;
  readonly after = (ms: number, run: () => void): Undo => {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get pending(): number {
    return this.#timers.length;
  }

  jump(ms: number): void {
    this.#jumped += ms;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await breathe();
      const due = Math.min(...this.#timers.map(({ at }) => at));
      if (due > end) break;
      const next = this.#timers.find(({ at }) => at === due)!;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, due);
      next.run();
    }
    this.#now = end;
  }
}
