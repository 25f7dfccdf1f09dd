import { uptime } from 'node:os';

/** Source of time for the server. Tests pass their own. */
export interface Clock {
  /** Returns epoch milliseconds. */
  now(): number;
  /**
   * True while the clock is untrusted: nobody knows whether `now` is right (kernel/time/trusted-time.ts). Meanwhile, no
   * code deletes data, gives up, or reports a fault because time has passed.
   * @default false
   */
  readonly doubtful?: boolean;
  /** Earliest possible present time while the clock is untrusted, in epoch milliseconds. @default now() */
  readonly least?: number;
}

export interface MachineClock extends Clock {
  /** Returns monotonic milliseconds from an arbitrary origin. Nobody can set this clock. */
  mono(): number;
  /**
   * Returns monotonic milliseconds including the time that the machine slept. Undefined where the system does not
   * report this time.
   */
  awake?(): number | undefined;
}

export const systemClock: MachineClock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  awake: () => (process.platform === 'linux' ? uptime() * 1000 : undefined),
};

/** Returns epoch seconds. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
