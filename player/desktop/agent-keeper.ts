/**
 * Keeps the agent of one screen running, as a program of its own: started again when it ends, ended when it hangs. One
 * on a data folder at any time.
 */
import type { Program, StartProgram } from '../../shared/desktop/program.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import { RESTART_CODE } from '../../shared/desktop/update-state.ts';
import type { ProgramSays, ShellSays } from '../../shared/protocol/shell.ts';
import type { Log, Time, Undo } from '../core/ports.ts';

/** The agent ends in order within 4.8 s. */
const STOP_LIMIT_MS = 6_000;
/** After a kill: a process whose disk hangs does not end even then. */
const KILL_LIMIT_MS = 2_000;
/** So many looks without an answer, 5 s apart: counted, since a clock jumps when a computer sleeps. */
const SILENT_LOOKS = 6;
/** At its start the agent first checks what is on its disk. */
const SILENT_LOOKS_AT_START = 12;
/** So many looks at an agent that answers but has no page. */
const LOOKS_WITHOUT_PAGE = 24;
/** By then the program should be ending for the new version; otherwise the agent is started again. */
const UPDATE_LIMIT_MS = 10_000;
/** Sentences kept until an agent can take them; later ones are only in this computer's own log. */
const MAX_UNTOLD = 20;

interface Deps {
  readonly start: StartProgram;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface AgentOptions {
  readonly data: string;
  /** Where new versions are laid ready; undefined: not from here. */
  readonly updates: string | undefined;
  readonly onUpdate: () => void;
  /** Gets all messages but `alive`. */
  readonly hear: (message: ProgramSays) => void;
  /** It has ended; another is started. */
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

  say(message: ShellSays): void {
    this.#program?.say(message);
  }

  /** For its server: told as soon as an agent runs that could. @param sentence what has befallen this screen */
  befell(sentence: string): void {
    if (this.#program && this.#hasPage) this.#program.say({ type: 'befell', sentence });
    else if (this.#untold.length < MAX_UNTOLD) this.#untold.push(sentence);
  }

  /** Called every 5 s: ends an agent that hangs. */
  look(): void {
    if (!this.#program) return;
    if (this.#silent >= (this.#hasPage ? SILENT_LOOKS : SILENT_LOOKS_AT_START)) return this.kill('does not answer');
    if (!this.#hasPage && this.#looks >= LOOKS_WITHOUT_PAGE) return this.kill('has no page');
    this.#looks++;
    this.#silent++;
    this.#program.say({ type: 'alive' });
  }

  /** Starts counting anew: while the computer slept nothing could be said. */
  forgive(): void {
    this.#silent = 0;
    this.#looks = 0;
  }

  /** It is started again. */
  kill(why: string): void {
    // What is said from now on goes to the next agent.
    this.#hasPage = false;
    this.#warn(`${why} and is ended`);
    this.forgive();
    this.#program?.kill();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart?.();
    const program = this.#program;
    if (!program) return;
    program.say({ type: 'stop' });
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
    this.forgive();
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
    for (const sentence of this.#untold.splice(0)) this.befell(sentence);
  }

  #warn(what: string): void {
    this.#deps.log.warn(`the agent in ${this.#options.data} ${what}`);
    this.befell(`the screen’s agent ${what}`);
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
