import { uptime } from 'node:os';

/** Where time enters the server. Tests pass their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Nobody knows whether `now` is right (kernel/trusted-time): nothing is deleted, given up or blamed by it.
   * @default false
   */
  readonly doubtful?: boolean;
  /** What time it is at the earliest, while that is doubted; epoch milliseconds. @default now() */
  readonly least?: number;
}

/** The two that a machine has. */
export interface MachineClock extends Clock {
  /** Milliseconds that nobody can set, from any beginning. */
  mono(): number;
  /** The same with the time that the machine slept, where it is another and the system tells. */
  awake?(): number | undefined;
}

export const systemClock: MachineClock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  awake: () => (process.platform === 'linux' ? uptime() * 1000 : undefined),
};

/** Epoch seconds. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
