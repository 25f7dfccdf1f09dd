/**
 * Keeps a server running as a child process: restarts it when it exits, with increasing delays, and stops it gracefully
 * on request. Depends neither on Electron nor on real time.
 */
import type { Program, StartProgram } from '../../shared/desktop/program.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import type { ProgramSays } from '../../shared/protocol/shell.ts';

/** Time limit in milliseconds for stopping. The server stops within 5 s; a slow disk gets a little more time. */
export const STOP_LIMIT_MS = 7_000;
/** Number of characters of stderr that are kept, to show why the server does not start. */
const KEPT_CHARACTERS = 2_000;

/** State of the server. `paused`: stopped on request; `failed`: exited by itself and restarts in a moment. */
type KeptPhase = 'starting' | 'running' | 'pausing' | 'paused' | 'failed';

export interface Timing {
  /** Returns monotonic milliseconds. */
  now(): number;
  /** Runs the function after this time in milliseconds. Returns a function that cancels the timer. */
  after(ms: number, work: () => void): () => void;
}

export const realTiming: Timing = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export class KeptServer {
  readonly #deps;
  #phase: KeptPhase = 'paused';
  #program: Program | undefined;
  #restarts = NO_RESTARTS;
  #said = '';
  #cancelRestart = () => {};
  #stopping: Promise<void> | undefined;

  constructor(deps: {
    start: StartProgram;
    script: string;
    /** Returns the command line arguments for the next start of the server. */
    args: () => readonly string[];
    env?: Readonly<Record<string, string | undefined>>;
    timing: Timing;
    changed: (phase: KeptPhase) => void;
    hear: (message: ProgramSays) => void;
    /**
     * Called with the last stderr output when the server exited before it was ready. Called for the first attempt only.
     */
    neverRan: (words: string) => void;
  }) {
    this.#deps = deps;
  }

  get phase(): KeptPhase {
    return this.#phase;
  }

  start(): void {
    if (this.#program || this.#stopping) return;
    this.#cancelRestart();
    this.#enter('starting');
    this.#said = '';
    const { start, script, args, env, hear } = this.#deps;
    const program = start({
      script,
      args: args(),
      ...(env && { env }),
      hear: (message) => {
        if (this.#program !== program) return;
        if (message.type === 'serving' && this.#phase === 'starting') this.#enter('running');
        hear(message);
      },
      complains: (text) => {
        this.#said = (this.#said + text).slice(-KEPT_CHARACTERS);
      },
    });
    this.#program = program;
    void program.ended.then(() => this.#ended());
  }

  /** Resolves when the server has stopped, gracefully or at the time limit. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopInOrder().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stopInOrder(): Promise<void> {
    this.#cancelRestart();
    const program = this.#program;
    if (program) {
      this.#enter('pausing');
      const cancel = this.#deps.timing.after(STOP_LIMIT_MS, () => program.kill());
      program.send({ type: 'stop' });
      await program.ended;
      cancel();
    }
    this.#enter('paused');
  }

  #ended(): void {
    this.#program = undefined;
    if (this.#stopping) return;
    const neverRan = this.#phase === 'starting';
    const { restarts, delayMs } = restartAfter(this.#restarts, this.#deps.timing.now());
    this.#restarts = restarts;
    this.#enter('failed');
    if (neverRan && restarts.count === 1)
      this.#deps.neverRan(this.#said.trim() || 'It ended without a word. The log in its data folder may say more.');
    this.#cancelRestart = this.#deps.timing.after(delayMs, () => this.start());
  }

  #enter(phase: KeptPhase): void {
    this.#phase = phase;
    this.#deps.changed(phase);
  }
}
