import type { ScreenReport } from './host.ts';

/** Number of reports that `ScreenHost.report` promises to keep while the host is unreachable. */
export const MAX_REPORTS = 1000;

/**
 * Keeps reports in order until the host has them. Over the limit, reports that a newer report replaces are dropped
 * first.
 */
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

  /** Returns the oldest reports, which stay in the queue until `delivered`. */
  batch(limit: number): readonly ScreenReport[] {
    return this.#waiting.slice(0, limit);
  }

  /** Removes the reports of a batch. `add` may have dropped some of them in the meantime. */
  delivered(batch: readonly ScreenReport[]): void {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((r) => !gone.has(r));
  }
}
