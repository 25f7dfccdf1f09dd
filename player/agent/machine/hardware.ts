/**
 * Hardware data that only drivers know: Wi-Fi and battery. A library reads them through programs of the operating
 * system and blocks while it waits (systeminformation: execSync). Therefore a separate process reads them once and
 * ends: it takes 0.1 s of a core and 11 to 25 MB while it runs. A thread would keep 25 MB permanently, and would delay
 * the end of the player while a driver hangs.
 */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Time } from '../../core/ports.ts';
import { pathOf } from '../place.ts';
import type { Hardware } from './hardware.worker.ts';

/** Time limit of the process. Programs of a network manager wait 25 s for a manager that is gone. */
const LIMIT_MS = 30_000;

/** The separate process, or a fake process in tests. */
export interface HardwareChild {
  onFound(listener: (found: Hardware) => void): void;
  /** @param listener called once, also for a process that failed to start */
  onEnd(listener: () => void): void;
  kill(): void;
}
/** Starts the process. May throw. */
export type LaunchHardware = () => HardwareChild;

interface Deps {
  readonly time: Time;
  /** @default a separate process */
  readonly launch?: LaunchHardware | undefined;
}

export class HardwareQuestion {
  readonly #deps: Deps;
  #child: HardwareChild | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Rejects if the process cannot be started, and while an earlier process that timed out still runs: there is never
   * more than one.
   */
  read(): Promise<Hardware> {
    if (this.#child) return Promise.reject(new Error('the last check of this computer’s hardware has not ended yet'));
    return new Promise((resolve, reject) => {
      const child = (this.#deps.launch ?? inProcess)();
      this.#child = child;
      const cancel = this.#deps.time.after(LIMIT_MS, () => {
        child.kill();
        reject(new Error(`the drivers of this computer did not answer within ${LIMIT_MS / 1_000} s`));
      });
      child.onFound(resolve);
      child.onEnd(() => {
        cancel();
        this.#child = undefined;
        reject(new Error('the hardware of this computer could not be checked'));
      });
    });
  }

  stop(): void {
    this.#child?.kill();
  }
}

const ENTRY = pathOf('player/agent/machine/hardware.worker');
/** The process starts in its own process group, so that its child programs end with it. Windows has no such groups. */
const GROUPED = process.platform !== 'win32';

const inProcess: LaunchHardware = () => {
  const child = fork(ENTRY, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--no-warnings'],
    env: { ...process.env, NODE_OPTIONS: '' },
    detached: GROUPED,
    windowsHide: true,
  });
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not permit a lower priority. The process then runs at normal priority.
  }
  child.unref();
  child.channel?.unref();
  return {
    onFound: (listener) => child.on('message', (found) => listener(found as unknown as Hardware)),
    onEnd: (listener) => {
      child.once('exit', listener);
      // Reports the end after `error` only if the process did not start. A started process reports its end with `exit`.
      child.on('error', () => void (child.pid === undefined && listener()));
    },
    kill: () => {
      try {
        if (GROUPED && child.pid) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // The process has already ended, so the signal is not needed.
      }
    },
  };
};
