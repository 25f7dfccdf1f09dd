import type { ScreenReport } from './host.ts';

/** As many as `ScreenHost.report` promises to keep while the host cannot be reached. */
export const MAX_REPORTS = 1000;

/** Reports in order until the host has them; over the limit the ones that a newer one replaces go first. */
export class ReportQueue {
  #waiting: ScreenReport[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(report: ScreenReport): void {
    this.#waiting.push(report);
    if (this.#waiting.length <= MAX_REPORTS) return;
    const expendable = this.#waiting.findIndex((r) => r.type === 'alive' || r.type === 'sync' || r.type === 'glimpses');
    this.#waiting.splice(Math.max(0, expendable), 1);
  }

  /** Returns the oldest ones, which are kept until `delivered`. */
  batch(limit: number): readonly ScreenReport[] {
    return this.#waiting.slice(0, limit);
  }

  /** Removes the batch, some of which `add` may have dropped meanwhile. */
  delivered(batch: readonly ScreenReport[]): void {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((r) => !gone.has(r));
  }
}
