/**
 * Says how far a task of the upkeep process is, in bytes of its present step, for people who wait for it. In a command
 * nobody listens.
 */
import type { WorkStep } from '../../shared/contract/upkeep.ts';
import { alive } from './alive.ts';

export interface Progress {
  readonly step: WorkStep;
  readonly done: number;
  /** 0 where nobody can say. */
  readonly total: number;
}

/** Nobody reads faster. */
const EVERY_MS = 200;

let tell: (progress: Progress) => void = () => {};
let now: Progress | undefined;
let toldAt = Number.NEGATIVE_INFINITY;

export const hearProgress = (listener: (progress: Progress) => void): void => {
  tell = listener;
};

/** Begins a step. @param total in bytes; 0 where nobody can say */
export const beginStep = (step: WorkStep, total = 0): void => {
  now = { step, done: 0, total };
  toldAt = performance.now();
  tell(now);
};

/** Counts bytes of the step. It is a sign of life, too. */
export const passed = (bytes: number): void => {
  alive();
  if (!now) return;
  // What is read a second time, since it was damaged, is beyond what was announced.
  now = { ...now, done: Math.min(now.done + bytes, now.total) };
  if (performance.now() - toldAt < EVERY_MS) return;
  toldAt = performance.now();
  tell(now);
};
