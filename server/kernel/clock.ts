import { uptime } from 'node:os';

/** Where time enters the server. Tests pass their own. */
export interface Clock {
  /** Returns epoch milliseconds. */
  now(): number;
  /**
   * Says that nobody knows whether `now` is right (kernel/trusted-time), so nothing is deleted, given up or blamed by
   * it.
   * @default false
   */
  readonly doubtful?: boolean;
  /** The earliest that it can be while the time is doubted, in epoch milliseconds. @default now() */
  readonly least?: number;
}

export interface MachineClock extends Clock {
  /** Returns milliseconds that nobody can set, from any beginning. */
  mono(): number;
  /** Returns the same with the time that the machine slept, where the system counts that and tells. */
  awake?(): number | undefined;
}

export const systemClock: MachineClock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  awake: () => (process.platform === 'linux' ? uptime() * 1000 : undefined),
};

/** Returns epoch seconds. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
