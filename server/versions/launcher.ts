/**
 * Starts the version of the server that is in use or on trial, and goes back from a trial that fails: when the version
 * ends by itself, or does not answer as healthy in time, or stops answering. Where it has changed the database, the
 * backup that was made before comes with it. The installed version is what is always there.
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
/** One look counts for no more: a machine that sleeps makes nothing hang. */
const LONGEST_LOOK_MS = 5_000;
/** It has answered as healthy for so long without a break: it stays. Never longer than half of what a trial takes. */
const SETTLED_MS = 20_000;
/** It has answered, and does not any more for so long: it hangs. Never longer than a trial takes. */
const SILENT_MS = 60_000;
/** It stops in order within five seconds; a slow disk gets a little more. */
const STOP_LIMIT_MS = 7_000;

/** A version that runs. */
export interface Running {
  /** Whether it answers as healthy, as this version. Never rejects. */
  isHealthy(): Promise<boolean>;
  /** Ends it in order. */
  stop(): void;
  kill(): void;
  /** Its exit code; null: by a signal, or it was never started. Never rejects. */
  readonly ended: Promise<number | null>;
}

interface Deps {
  readonly folder: Pick<VersionFolder, 'read' | 'write' | 'record' | 'writeRecord' | 'damage' | 'program' | 'clean'>;
  /** That which was installed, of which this is a part. */
  readonly installed: string;
  /** How long a version on trial may take until it answers for the first time, in milliseconds. */
  readonly trialMs: number;
  readonly start: (program: VersionProgram, version: string) => Running;
  /** Makes what is stored fit for a version that is about to start. @param program null: the installed one */
  readonly makeFit: (version: string, program: VersionProgram | null) => void;
  /** Takes the place of this program for good, where the system can do that. */
  readonly become: ((program: VersionProgram) => void) | undefined;
  /** Returns milliseconds that nobody can set. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: (sentence: string) => void;
}

/** How one run of a version ended. */
type Ended =
  | { readonly how: 'told'; readonly code: number | null }
  | { readonly how: 'again' }
  | { readonly how: 'ended'; readonly code: number | null }
  | { readonly how: 'failed'; readonly why: string };

export class VersionLauncher {
  readonly #deps: Deps;
  #running: Running | undefined;
  #stopping = false;
  /** Holds a state that a full disk did not take: what was decided holds for as long as this runs. */
  #held: UpdateState | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Resolves with `serve` when the installed version is to serve in this process, else with the exit code of this
   * program.
   */
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
          // Asked for nothing new: whoever watches over this program waits before it starts it anew.
          if (!next && current === version) return RESTART_CODE;
          break;
        }
        case 'ended':
          // Whoever watches over this program starts it anew.
          return ended.code ?? 1;
        case 'failed':
          await this.#fell(version, ended.why);
      }
    }
  }

  /** Ends what runs, then this. */
  stop(): void {
    this.#stopping = true;
    this.#running?.stop();
  }

  async #choose(): Promise<{ version: string; program: VersionProgram; trial: boolean } | undefined> {
    const { folder, installed, makeFit } = this.#deps;
    for (;;) {
      const before = this.#read();
      if (before.trial && before.trial.starts >= MAX_TRIAL_STARTS) {
        // Cut off before it was written down why.
        this.#giveUp(before.trial.version, 'it did not come up');
        continue;
      }
      const { state, run, trial } = choose(before, installed);
      if (run === null) {
        this.#write(state);
        makeFit(installed, null);
        return undefined;
      }
      // By its bytes while it is new; later its sizes say whether a disk has lost something.
      const damage = await folder.damage(run, { byBytes: trial });
      const program = folder.program(run);
      if (damage === undefined && program) {
        this.#write(state);
        makeFit(run, program);
        return { version: run, program, trial };
      }
      this.#giveUp(run, damage ?? 'it holds no program for this machine');
    }
  }

  /** One run of a version, to its end. On trial it is watched until it is known to be well. */
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
        why = hasAnswered ? 'it stopped answering' : 'it did not answer in time';
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
    return isOnTrial ? { how: 'failed', why: `it ended with ${code ?? 'a signal'}` } : { how: 'ended', code };
  }

  #accept(version: string): void {
    const { folder, log } = this.#deps;
    this.#write(healthy(this.#read(), version));
    this.#note(version, { status: 'done', reason: null });
    log(`version ${version} answers as it should, and stays`);
    void folder.clean();
  }

  /** It has another start, or gives way. */
  async #fell(version: string, why: string): Promise<void> {
    const { trial } = this.#read();
    this.#deps.log(`version ${version} is down: ${why}`);
    if (trial?.version === version && trial.starts < MAX_TRIAL_STARTS) return;
    this.#giveUp(version, why);
  }

  /** What is written first is what must not be lost: which version runs. */
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

  /** A disk that takes nothing is no reason not to serve. */
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
