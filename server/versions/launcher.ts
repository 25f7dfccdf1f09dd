/**
 * Starts the current version of the server, or a version on trial, and returns to the previous version when a trial
 * fails: the version exits, is not healthy in time, or stops answering. If the version has changed the database, the
 * backup from before the trial is restored. The installed version is always available.
 */
import {
  broken,
  choose,
  healthy,
  MAX_TRIAL_STARTS,
  RESTART_CODE,
  type UpdateState,
  uncounted,
} from '../../shared/desktop/update-state.ts';
import type { UpdateRecord, VersionFolder, VersionProgram } from './version-folder.ts';

export const LOOK_MS = 1_000;
/**
 * Maximum time in milliseconds that is counted between two health checks, so that a sleeping machine does not make a
 * version appear to hang.
 */
const LONGEST_LOOK_MS = 5_000;
/**
 * Time in milliseconds for which a version must be healthy without interruption. After that, its trial has succeeded.
 * At most half of the trial time.
 */
const SETTLED_MS = 20_000;
/**
 * Time in milliseconds without an answer after which a version that was healthy counts as hanging. At most the trial
 * time.
 */
const SILENT_MS = 60_000;
/**
 * Time limit in milliseconds for stopping. The server stops within five seconds; a slow disk gets a little more time.
 */
const STOP_LIMIT_MS = 7_000;

/** A version of the server that is running as a child process. */
export interface Running {
  /** Returns whether this version reports that it is healthy. Never rejects. */
  isHealthy(): Promise<boolean>;
  /** Asks the version to stop. */
  stop(): void;
  kill(): void;
  /** Resolves with the exit code; null: ended by a signal, or never started. Never rejects. */
  readonly ended: Promise<number | null>;
}

interface Deps {
  readonly folder: Pick<VersionFolder, 'read' | 'write' | 'record' | 'writeRecord' | 'damage' | 'program' | 'clean'>;
  /** The installed version, which includes this launcher. */
  readonly installed: string;
  /** Time limit for a version on trial to become healthy, in milliseconds. */
  readonly trialMs: number;
  readonly start: (program: VersionProgram, version: string) => Running;
  /**
   * Makes stored data usable for a version that is about to start.
   * @param program the version; null: the installed
   * version
   */
  readonly makeFit: (version: string, program: VersionProgram | null) => void;
  /** Replaces this process by the program of a version (exec), if the operating system supports this. */
  readonly become: ((program: VersionProgram) => void) | undefined;
  /** Returns the time of the monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: (sentence: string) => void;
}

/** Result of one run of a version. */
type Ended =
  | { readonly how: 'told'; readonly code: number | null }
  | { readonly how: 'again' }
  | { readonly how: 'ended'; readonly code: number | null }
  | { readonly how: 'failed'; readonly why: string };

export class VersionLauncher {
  readonly #deps: Deps;
  #running: Running | undefined;
  #stopping = false;
  /** State that could not be saved because the disk is full. It applies as long as this process runs. */
  #held: UpdateState | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves with `serve` when the installed version is to run in this process, otherwise with the exit code. */
  async run(): Promise<'serve' | number> {
    for (;;) {
      const chosen = await this.#choose();
      if (!chosen) return 'serve';
      const { version, program, trial } = chosen;
      if (!trial) this.#deps.become?.(program);
      const ended = await this.#follow(chosen);
      switch (ended.how) {
        case 'told':
          if (trial) this.#write(uncounted(this.#read(), version));
          return ended.code ?? 0;
        case 'again': {
          const { trial: next, current } = this.#read();
          // Ends with the exit code, because there is no other version to start. The service manager waits before it
          // restarts this program.
          if (!next && current === version) return RESTART_CODE;
          break;
        }
        case 'ended':
          // Ends, so that the service manager restarts this program.
          return ended.code ?? 1;
        case 'failed':
          await this.#fell(version, ended.why);
      }
    }
  }

  /** Stops the running version, then the launcher. */
  stop(): void {
    this.#stopping = true;
    this.#running?.stop();
  }

  async #choose(): Promise<{ version: string; program: VersionProgram; trial: boolean } | undefined> {
    const { folder, installed, makeFit } = this.#deps;
    for (;;) {
      const before = this.#read();
      if (before.trial && before.trial.starts >= MAX_TRIAL_STARTS) {
        // Counts as a failed trial: the process ended before a reason was recorded.
        this.#giveUp(before.trial.version, 'the version did not start');
        continue;
      }
      const { state, run, trial } = choose(before, installed);
      if (run === null) {
        this.#write(state);
        makeFit(installed, null);
        return undefined;
      }
      // Compares hashes while the version is new. Later compares only sizes, to detect files that the disk has lost.
      const damage = await folder.damage(run, { byBytes: trial });
      const program = folder.program(run);
      if (damage === undefined && program) {
        this.#write(state);
        makeFit(run, program);
        return { version: run, program, trial };
      }
      this.#giveUp(run, damage ?? 'the version contains no program for this computer');
    }
  }

  /** Follows a run of a version to its end. Checks a version on trial until it is healthy for long enough. */
  async #follow({
    version,
    program,
    trial,
  }: {
    version: string;
    program: VersionProgram;
    trial: boolean;
  }): Promise<Ended> {
    const { start, pause, now, trialMs } = this.#deps;
    const [settledMs, silentMs] = [Math.min(SETTLED_MS, trialMs / 2), Math.min(SILENT_MS, trialMs)];
    const running = start(program, version);
    this.#running = running;
    if (this.#stopping) running.stop();
    let over = false;
    const ended = running.ended.then((code) => {
      over = true;
      return code;
    });
    let why: string | undefined;
    let [well, silent, waited, hasAnswered] = [0, 0, 0, false];
    while (trial && !over && why === undefined && well < settledMs) {
      const since = now();
      const [isHealthy] = await Promise.all([running.isHealthy(), Promise.race([pause(LOOK_MS), ended])]);
      if (over || this.#stopping) break;
      const took = Math.min(LONGEST_LOOK_MS, now() - since);
      hasAnswered ||= isHealthy;
      well = isHealthy ? well + took : 0;
      silent = isHealthy ? 0 : silent + took;
      waited += took;
      if (hasAnswered ? silent >= silentMs : waited >= trialMs)
        why = hasAnswered ? 'the version stopped answering' : 'the version did not answer in time';
    }
    if (trial && !over && why === undefined && !this.#stopping) this.#accept(version);
    if (why !== undefined) {
      running.stop();
      await Promise.race([ended, pause(STOP_LIMIT_MS)]);
      if (!over) running.kill();
    }
    const code = await ended;
    this.#running = undefined;
    if (this.#stopping) return { how: 'told', code };
    if (why !== undefined) return { how: 'failed', why };
    if (code === RESTART_CODE) return { how: 'again' };
    const isOnTrial = this.#read().trial?.version === version;
    return isOnTrial ? { how: 'failed', why: `the program ended with ${code ?? 'a signal'}` } : { how: 'ended', code };
  }

  #accept(version: string): void {
    const { folder, log } = this.#deps;
    this.#write(healthy(this.#read(), version));
    this.#note(version, { status: 'done', reason: null });
    log(`version ${version} answers as it should, and stays`);
    void folder.clean();
  }

  /** Restarts a version on trial once, and then returns to the previous version. */
  async #fell(version: string, why: string): Promise<void> {
    const { trial } = this.#read();
    this.#deps.log(`version ${version} is down: ${why}`);
    if (trial?.version === version && trial.starts < MAX_TRIAL_STARTS) return;
    this.#giveUp(version, why);
  }

  /** Returns to the previous version. Writes the most important information first: which version runs. */
  #giveUp(version: string, why: string): void {
    this.#deps.log(`version ${version} is given up: ${why}. Going back to the one before`);
    this.#write(broken(this.#read(), version, why));
    this.#note(version, { status: 'failed', reason: why });
  }

  #note(version: string, change: Pick<UpdateRecord, 'status' | 'reason'>): void {
    const { folder, log } = this.#deps;
    const record = folder.record();
    try {
      if (record?.version === version) folder.writeRecord({ ...record, ...change });
    } catch (error) {
      log(`what became of version ${version} could not be written down: ${(error as Error).message}`);
    }
  }

  #read(): UpdateState {
    return this.#held ?? this.#deps.folder.read();
  }

  /** Saves the state. A full disk is not a reason to stop serving. */
  #write(state: UpdateState): void {
    const { folder, log } = this.#deps;
    if (JSON.stringify(state) === JSON.stringify(this.#read())) return;
    try {
      folder.write(state);
      this.#held = undefined;
    } catch (error) {
      this.#held = state;
      log(`which version runs could not be written down: ${(error as Error).message}`);
    }
  }
}
