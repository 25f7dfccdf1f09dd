/**
 * Keeps the agent of one screen running as a separate process: restarts it when it ends, kills it when it hangs. At
 * most one agent per data folder.
 */
import type { Program, StartProgram } from '../../shared/desktop/program.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import { RESTART_CODE } from '../../shared/desktop/update-state.ts';
import type { ProgramSays, ShellSays } from '../../shared/protocol/shell.ts';
import type { Log, Time, Undo } from '../core/ports.ts';

/** Time limit in milliseconds for the agent to end by itself. The agent needs at most 4.8 s. */
const STOP_LIMIT_MS = 6_000;
/** Time to wait after a kill. A process whose disk hangs may not end even then. */
const KILL_LIMIT_MS = 2_000;
/**
 * Number of unanswered checks, 5 s apart, after which the agent counts as hanging. Checks are counted instead of time,
 * because a clock jumps when a computer sleeps.
 */
const SILENT_LOOKS = 6;
/** Limit of unanswered checks at the start. It is higher, because the agent first checks the files on its disk. */
const SILENT_LOOKS_AT_START = 12;
/** Number of checks, 5 s apart, after which an agent that answers but has no page is restarted. */
const LOOKS_WITHOUT_PAGE = 24;
/**
 * Time limit in milliseconds for the whole program to begin its end, so that the new version can start. After this time
 * the agent is restarted.
 */
const UPDATE_LIMIT_MS = 10_000;
/**
 * Maximum number of messages that are kept until an agent can accept them. Later messages are only in the log of this
 * computer.
 */
const MAX_UNTOLD = 20;

interface Deps {
  readonly start: StartProgram;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface AgentOptions {
  readonly data: string;
  /** Folder for prepared versions; undefined: no updates. */
  readonly updates: string | undefined;
  readonly onUpdate: () => void;
  /** Receives all messages of the agent except `alive`. */
  readonly hear: (message: ProgramSays) => void;
  /** Called when the agent has ended and another agent will start. */
  readonly ended: () => void;
}

export class AgentKeeper {
  readonly #deps: Deps;
  readonly #options: AgentOptions;
  #program: Program | undefined;
  #restarts = NO_RESTARTS;
  #cancelRestart: Undo | undefined;
  #hasPage = false;
  #looks = 0;
  #silent = 0;
  #stopping = false;
  readonly #untold: string[] = [];

  constructor(deps: Deps, options: AgentOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#start();
  }

  send(message: ShellSays): void {
    this.#program?.send(message);
  }

  /**
   * Reports an incident to the server as soon as an agent with a page runs.
   * @param sentence the incident of this screen
   */
  reportIncident(sentence: string): void {
    if (this.#program && this.#hasPage) this.#program.send({ type: 'befell', sentence });
    else if (this.#untold.length < MAX_UNTOLD) this.#untold.push(sentence);
  }

  /** Checks the agent. Called every 5 s. Kills an agent that hangs. */
  check(): void {
    if (!this.#program) return;
    if (this.#silent >= (this.#hasPage ? SILENT_LOOKS : SILENT_LOOKS_AT_START)) return this.kill('does not answer');
    if (!this.#hasPage && this.#looks >= LOOKS_WITHOUT_PAGE) return this.kill('has no page');
    this.#looks++;
    this.#silent++;
    this.#program.send({ type: 'alive' });
  }

  /** Resets the counters, because nothing could answer while the computer slept. */
  resetCounters(): void {
    this.#silent = 0;
    this.#looks = 0;
  }

  /** Kills the agent. Another agent is started afterwards. */
  kill(why: string): void {
    // From now on, messages are stored until the next agent runs.
    this.#hasPage = false;
    this.#warn(`${why} and is ended`);
    this.resetCounters();
    this.#program?.kill();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart?.();
    const program = this.#program;
    if (!program) return;
    program.send({ type: 'stop' });
    if (await this.#endsWithin(program, STOP_LIMIT_MS)) return;
    program.kill();
    await this.#endsWithin(program, KILL_LIMIT_MS);
  }

  async #endsWithin(program: Program, ms: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const cancel = this.#deps.time.after(ms, () => late.resolve(false));
    const ended = await Promise.race([program.ended.then(() => true), late.promise]);
    cancel();
    return ended;
  }

  #start(): void {
    const { data, updates, hear } = this.#options;
    this.#hasPage = false;
    this.resetCounters();
    let program: Program | undefined;
    const options = {
      script: 'player/main.js',
      args: ['--no-window', '--data', data],
      env: { VITRINE_UPDATES: updates },
      hear: (message: ProgramSays) => {
        if (this.#program !== program) return;
        this.#silent = 0;
        if (message.type === 'alive') return;
        if (message.type === 'screen') this.#runs();
        hear(message);
      },
    };
    try {
      program = this.#deps.start(options);
    } catch (error) {
      this.#deps.log.warn('the agent could not be started', error);
    }
    this.#program = program;
    void (program?.ended ?? Promise.resolve(null)).then((code) => this.#ended(code));
  }

  #runs(): void {
    this.#hasPage = true;
    for (const sentence of this.#untold.splice(0)) this.reportIncident(sentence);
  }

  #warn(what: string): void {
    this.#deps.log.warn(`the agent in ${this.#options.data} ${what}`);
    this.reportIncident(`the screen’s agent ${what}`);
  }

  #ended(code: number | null): void {
    this.#program = undefined;
    this.#options.ended();
    if (this.#stopping) return;
    if (code === RESTART_CODE) {
      this.#cancelRestart = this.#deps.time.after(UPDATE_LIMIT_MS, () => this.#start());
      return this.#options.onUpdate();
    }
    const next = restartAfter(this.#restarts, this.#deps.time.mono());
    this.#restarts = next.restarts;
    this.#warn(`has ended (${code ?? 'killed'}) and is started again`);
    this.#cancelRestart = this.#deps.time.after(next.delayMs, () => this.#start());
  }
}
