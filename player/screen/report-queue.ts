import type { ScreenReport } from './host.ts';

/** What the host's contract promises to keep while it cannot be reached. */
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

  /** The oldest ones, still kept until `delivered`. */
  batch(limit: number): readonly ScreenReport[] {
    return this.#waiting.slice(0, limit);
  }

  /** By identity: while the batch was under way, `add` may have dropped some of it. */
  delivered(batch: readonly ScreenReport[]): void {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((r) => !gone.has(r));
  }
}
