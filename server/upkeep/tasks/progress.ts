/**
 * Reports the progress of a task of the upkeep process, in bytes of its current step. In a command of `vitrine`, there
 * is no server that reads the progress.
 */
import type { WorkStep } from '../../../shared/contract/server/upkeep.ts';
import { alive } from '../checks/alive.ts';

export interface Progress {
  readonly step: WorkStep;
  readonly done: number;
  /** Total size of the step in bytes; 0 when unknown. */
  readonly total: number;
}

/** Minimum interval between reports in milliseconds. People do not read faster. */
const EVERY_MS = 200;

let tell: (progress: Progress) => void = () => {};
let now: Progress | undefined;
let toldAt = Number.NEGATIVE_INFINITY;

export const listenForProgress = (listener: (progress: Progress) => void): void => {
  tell = listener;
};

/** Begins a step. @param total in bytes; 0 when unknown */
export const beginStep = (step: WorkStep, total = 0): void => {
  now = { step, done: 0, total };
  toldAt = performance.now();
  tell(now);
};

/** Counts bytes of the step. Also a sign of life. */
export const passed = (bytes: number): void => {
  alive();
  if (!now) return;
  // Keeps the count at the announced total, because damaged data is read a second time.
  now = { ...now, done: Math.min(now.done + bytes, now.total) };
  if (performance.now() - toldAt < EVERY_MS) return;
  toldAt = performance.now();
  tell(now);
};
