/**
 * What only drivers know of this machine: Wi-Fi and battery. They are asked through programs of the operating system,
 * by a library that waits for these without letting anything else happen (systeminformation: execSync). So a process of
 * its own asks, once, and ends: it takes 0.1 s of a core and, while it lasts, 11 to 25 MB. A thread would keep 25 MB
 * for good, and hold the player's own end up for as long as a driver hangs.
 */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Time } from '../core/ports.ts';
import type { Hardware } from './hardware.worker.ts';
import { pathOf } from './place.ts';

/** A network manager that is gone is waited for 25 s by its own programs. */
const LIMIT_MS = 30_000;

/** The process, or what stands for it. */
export interface HardwareChild {
  onFound(listener: (found: Hardware) => void): void;
  /** @param listener called once, also for one that was never started */
  onEnd(listener: () => void): void;
  kill(): void;
}
/** May throw. */
export type LaunchHardware = () => HardwareChild;

interface Deps {
  readonly time: Time;
  /** @default a process of its own */
  readonly launch?: LaunchHardware | undefined;
}

export class HardwareQuestion {
  readonly #deps: Deps;
  #child: HardwareChild | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Rejects where nothing can be started, and while one that was given up has not ended: there is never more than one.
   */
  ask(): Promise<Hardware> {
    if (this.#child) return Promise.reject(new Error('the drivers of this machine still hang'));
    return new Promise((resolve, reject) => {
      const child = (this.#deps.launch ?? inProcess)();
      this.#child = child;
      const cancel = this.#deps.time.after(LIMIT_MS, () => {
        child.kill();
        reject(new Error(`the drivers of this machine did not answer within ${LIMIT_MS / 1_000} s`));
      });
      child.onFound(resolve);
      child.onEnd(() => {
        cancel();
        this.#child = undefined;
        reject(new Error('the drivers of this machine could not be asked'));
      });
    });
  }

  stop(): void {
    this.#child?.kill();
  }
}

const ENTRY = pathOf('player/agent/hardware.worker');
/** In a group of its own, so that the programs it waits for go with it. Windows has no such groups. */
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
    // Not allowed to everywhere; then it competes.
  }
  child.unref();
  child.channel?.unref();
  return {
    onFound: (listener) => child.on('message', (found) => listener(found as unknown as Hardware)),
    onEnd: (listener) => {
      child.once('exit', listener);
      // Of one that was started, `exit` tells the end.
      child.on('error', () => void (child.pid === undefined && listener()));
    },
    kill: () => {
      try {
        if (GROUPED && child.pid) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
    },
  };
};
