/**
 * Keeps a screen running. Starts a version (on trial, in use, or the installed one) and watches it. Restarts the
 * version when it ends without a request or gives no sign of life. A version that does not run is replaced by the
 * previous version. The installed version is retried forever.
 */
import { NO_RESTARTS, type Restarts, restartAfter } from '../../shared/desktop/restarts.ts';
import {
  broken,
  choose,
  optionsOf,
  type UpdateState,
  uncounted,
  withOptions,
} from '../../shared/desktop/update-state.ts';
import type { LauncherSays, WindowsSay } from '../../shared/protocol/releases/launcher.ts';
import type { Log, Time, Undo } from '../core/ports.ts';
import type { Mishap } from './mishaps.ts';
import type { UpdateFiles } from './update-files.ts';

/**
 * Interval of checks. Times are counted in checks, not by a clock, so that a machine that sleeps or is overloaded
 * causes no false hang.
 */
export const LOOK_MS = 5_000;
/** Time limit without a sign of life. After this time the program counts as hanging. */
export const SILENT_MS = 60_000;
/**
 * Time limit for the first sign of life: a cold start on a slow PC stick with a virus scanner that reads the program
 * first. Doubled after each start that took longer.
 */
export const FIRST_SIGN_MS = 120_000;
const LONGEST_FIRST_SIGN_MS = 600_000;
const HEALTHY_WITHIN_MS = 5 * 60_000;
/** Time limit for a stop. The agents stop within 6 s, plus some time for a slow disk. */
const STOP_LIMIT_MS = 10_000;
/** Number of crashes within a minute after which a version in use is replaced by the previous version. */
export const MAX_CRASHES = 5;
const CRASHES_WITHIN_MS = 60_000;
/** Number of hangs within an hour after which a version in use is replaced by the previous version. */
export const MAX_HANGS = 3;
const HANGS_WITHIN_MS = 60 * 60_000;
/**
 * Number of failures without five minutes in between (restarts.ts) after which a version in use is replaced by the
 * previous version.
 */
const MAX_IN_A_ROW = 12;
/**
 * Number of crashes after which the version is started without the graphics processor, because its driver may be at
 * fault.
 */
export const CRASHES_BEFORE_NO_GPU = 3;
export const NO_GPU = '--disable-gpu';

/** A started program. */
export interface Started {
  /** Sends a message. Has no effect after the end. */
  send(message: LauncherSays): void;
  /** Kills the program and all its child processes at once. */
  kill(): void;
  /** Resolves with a description of the end for people, for example `with 3`. Never rejects. */
  readonly ended: Promise<string>;
}
export type StartVersion = (start: {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hear: (message: WindowsSay) => void;
}) => Started;

interface Deps {
  readonly files: Pick<UpdateFiles, 'read' | 'write' | 'damage' | 'program'>;
  readonly installed: { readonly version: string; readonly program: string };
  /** Command line arguments that are passed to each started program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** False: the launcher always runs the installed version. */
  readonly takesUpdates: boolean;
  readonly start: StartVersion;
  /** Records an incident. Never rejects. */
  readonly count: (mishap: Omit<Mishap, 'at'>) => Promise<void>;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Log;
  readonly platform: NodeJS.Platform;
}

type Ended =
  | { readonly how: 'quit' | 'update' | 'busy' }
  | { readonly how: 'again'; readonly args: readonly string[] }
  | { readonly how: 'crash' | 'hang' | 'late'; readonly why: string; readonly hadBegun: boolean };

const crash = (why: string) => ({ how: 'crash', why, hadBegun: true }) as const;

interface Chosen {
  readonly version: string;
  /** The version to run; null: the installed version. */
  readonly run: string | null;
  readonly trial: boolean;
  readonly program: string;
  readonly options: readonly string[];
}

/** Counts of crashes, hangs and starts of the version that runs. */
interface Memory {
  readonly version: string;
  readonly crashes: readonly number[];
  readonly hangs: readonly number[];
  readonly restarts: Restarts;
  /** Consecutive starts without a sign of life. */
  readonly slow: number;
  /** Milliseconds for which the present version has been on trial. */
  readonly tried: number;
}
const newMemory = (version: string): Memory => ({
  version,
  crashes: [],
  hangs: [],
  restarts: NO_RESTARTS,
  slow: 0,
  tried: 0,
});

export class Launcher {
  readonly #deps: Deps;
  #memory = newMemory('');
  /**
   * A state that could not be written. The launcher uses this state until another process writes a state over `over`.
   */
  #held: { readonly state: UpdateState; readonly over: string } | undefined;
  #stopping = false;
  #stopNow = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves when the program was ended on request. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const chosen = await this.#choose();
      if (this.#memory.version !== chosen.version) this.#memory = newMemory(chosen.version);
      if (this.#stopping) return;
      const ended = await this.#follow(chosen);
      if (ended.how === 'quit' || this.#stopping) return;
      await this.#wait(await this.#judge(chosen, ended));
    }
  }

  /** Ends the launcher. The started program ends first. */
  stop(): void {
    this.#stopping = true;
    this.#stopNow();
  }

  async #choose(): Promise<Chosen> {
    const { files, installed, platform, takesUpdates } = this.#deps;
    for (;;) {
      const before = await this.#read();
      const { state, run, trial } = takesUpdates
        ? choose(before, installed.version)
        : { state: before, run: null, trial: false };
      const version = run ?? installed.version;
      const options = optionsOf(state, version);
      // While the version is on trial, all bytes are compared. Later the sizes are enough to detect losses of a disk.
      const damage = run === null ? undefined : await files.damage(run, { byBytes: trial });
      const program = run === null ? installed.program : files.program(run, platform);
      if (damage === undefined && program !== undefined) {
        await this.#write(state, before);
        return { version, run, trial, program, options };
      }
      await this.#giveUp(version, damage ?? 'the version contains no program for this computer');
    }
  }

  /** Runs a version until it ends. Returns how it ended. */
  async #follow({ version, program, trial, options }: Chosen): Promise<Ended> {
    const { start, time, args, env } = this.#deps;
    let [said, forced, hadBegun]: [Ended | undefined, Ended | undefined, boolean] = [undefined, undefined, false];
    let silent = 0;
    const noGpu = this.#memory.restarts.count >= CRASHES_BEFORE_NO_GPU ? [NO_GPU] : [];
    const started = start({
      program,
      args: [...new Set([...args, ...options, ...noGpu])],
      env,
      hear: (message) => {
        silent = 0;
        hadBegun = true;
        if (message.type === 'ending') said ??= message;
      },
    });
    const end = (as: Ended) => {
      forced ??= as;
      started.send({ type: 'stop' });
      cancelKill ??= time.after(STOP_LIMIT_MS, () => started.kill());
    };
    let cancelKill: Undo | undefined;
    this.#stopNow = () => end({ how: 'quit' });
    const look = () => {
      cancelLook = time.after(LOOK_MS, look);
      silent += LOOK_MS;
      const limit = said
        ? STOP_LIMIT_MS
        : hadBegun
          ? SILENT_MS
          : Math.min(LONGEST_FIRST_SIGN_MS, FIRST_SIGN_MS * 2 ** this.#memory.slow);
      if (silent >= limit) {
        // The kill is repeated with every check: a process that waits for a disk may survive a kill.
        forced ??= { how: 'hang', why: `it gave no sign of life${hadBegun ? ' any more' : ''}`, hadBegun };
        started.kill();
      }
      if (!trial || forced) return;
      this.#memory = { ...this.#memory, tried: this.#memory.tried + LOOK_MS };
      if (this.#memory.tried >= HEALTHY_WITHIN_MS)
        void this.#read().then(
          (state) =>
            state.trial?.version === version &&
            end({ how: 'late', why: 'it did not report healthy in time', hadBegun }),
        );
    };
    let cancelLook = time.after(LOOK_MS, look);
    if (this.#stopping) this.#stopNow();
    const how = await started.ended;
    cancelLook();
    cancelKill?.();
    this.#stopNow = () => {};
    return said ?? forced ?? { how: 'crash', why: `it ended ${how}`, hadBegun };
  }

  /** @returns milliseconds to wait before the next start */
  async #judge(chosen: Chosen, ended: Ended): Promise<number> {
    const { version, run } = chosen;
    const state = await this.#read();
    switch (ended.how) {
      case 'quit':
        return 0;
      case 'busy': {
        await this.#write(uncounted(state, run), state);
        return this.#later();
      }
      case 'update':
        return state.trial ? 0 : this.#fell(chosen, crash('it asked for an update that is not there'));
      case 'again': {
        const next = withOptions(state, version, ended.args);
        if (!next) return this.#fell(chosen, crash(`it asked for ${ended.args.join(' ')} again`));
        await this.#write(uncounted(next, run), state);
        return 0;
      }
      case 'crash':
      case 'hang':
      case 'late':
        return this.#fell(chosen, ended);
    }
  }

  async #fell({ version, run }: Chosen, { how, why, hadBegun }: Extract<Ended, { why: string }>): Promise<number> {
    const { count, log, time } = this.#deps;
    const now = time.mono();
    const within = (times: readonly number[], ms: number, isOne: boolean) => [
      ...times.filter((at) => now - at < ms),
      ...(isOne ? [now] : []),
    ];
    const delay = this.#later();
    const { crashes, hangs, slow } = this.#memory;
    this.#memory = {
      ...this.#memory,
      crashes: within(crashes, CRASHES_WITHIN_MS, how === 'crash'),
      hangs: within(hangs, HANGS_WITHIN_MS, how === 'hang'),
      slow: how === 'hang' && !hadBegun ? slow + 1 : 0,
    };
    log.warn(`version ${version} is down: ${why}`);
    await count({ kind: how === 'crash' ? 'crash' : 'hang', version, why });
    if (run === null) return delay;
    const reason = (await this.#read()).trial?.version === run ? why : this.#whyNot();
    if (reason === undefined) return delay;
    await this.#giveUp(run, reason);
    return 0;
  }

  /** Returns the reason for giving up the version in use. */
  #whyNot(): string | undefined {
    const { crashes, hangs, restarts } = this.#memory;
    if (crashes.length >= MAX_CRASHES || restarts.count >= MAX_IN_A_ROW) return 'it ended again and again';
    return hangs.length >= MAX_HANGS ? 'it hung again and again' : undefined;
  }

  async #giveUp(version: string, reason: string): Promise<void> {
    this.#deps.log.error(`version ${version} is given up: ${reason}. Going back to the one before`);
    const state = await this.#read();
    await this.#write(broken(state, version, reason), state);
    await this.#deps.count({ kind: 'given-up', version, why: reason });
    this.#memory = newMemory('');
  }

  #later(): number {
    const { restarts, delayMs } = restartAfter(this.#memory.restarts, this.#deps.time.mono());
    this.#memory = { ...this.#memory, restarts };
    return delayMs;
  }

  async #wait(ms: number): Promise<void> {
    if (ms === 0 || this.#stopping) return;
    await new Promise<void>((over) => {
      const cancel = this.#deps.time.after(ms, over);
      this.#stopNow = () => {
        cancel();
        over();
      };
    });
    this.#stopNow = () => {};
  }

  /** Reads the state. A state that could not be written is used from memory, so that the screen does not stay dark. */
  async #read(): Promise<UpdateState> {
    const state = await this.#deps.files.read();
    if (this.#held && this.#held.over !== JSON.stringify(state)) this.#held = undefined;
    return this.#held?.state ?? state;
  }

  async #write(state: UpdateState, before: UpdateState): Promise<void> {
    if (JSON.stringify(state) === JSON.stringify(before)) return;
    const { files, log } = this.#deps;
    const over = this.#held?.over ?? JSON.stringify(before);
    try {
      await files.write(state);
      this.#held = undefined;
    } catch (error) {
      log.warn('which version runs could not be written down', error);
      this.#held = { state, over };
    }
  }
}
