/** Fake agents for the shell: they start, report their page, answer, hang and end. */
import type { Program, ProgramOptions, StartProgram } from '../../../shared/desktop/program.ts';
import type { ShellSays } from '../../../shared/protocol/shell.ts';
import type { PretendTime } from './pretend-time.ts';

const START_MS = 300;
const STOP_MS = 200;

export class PretendAgent {
  readonly data: string;
  readonly url: string;
  readonly env: ProgramOptions['env'];
  readonly heard: ShellSays[] = [];
  state: 'starting' | 'up' | 'hung' | 'ended' = 'starting';
  readonly #say: ProgramOptions['hear'];
  readonly #end: (code: number | null) => void;
  readonly ended: Promise<number | null>;

  constructor({ args, env, hear }: ProgramOptions, port: number) {
    this.data = args[args.indexOf('--data') + 1]!;
    this.url = `http://127.0.0.1:${port}/`;
    this.env = env;
    this.#say = hear;
    let end = (_code: number | null) => {};
    this.ended = new Promise((resolve) => (end = resolve));
    this.#end = end;
  }

  say(message: Parameters<ProgramOptions['hear']>[0]): void {
    if (this.state !== 'ended' && this.state !== 'hung') this.#say(message);
  }

  exit(code: number | null): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#end(code);
  }

  hang(): void {
    if (this.state === 'up') this.state = 'hung';
  }
}

export class PretendAgents {
  readonly #time: PretendTime;
  readonly all: PretendAgent[] = [];
  /** Data folders that two agents used at the same time, which must never happen. */
  readonly clashes: string[] = [];
  #port = 20_000;

  constructor(time: PretendTime) {
    this.#time = time;
  }

  get running(): PretendAgent[] {
    return this.all.filter(({ state }) => state !== 'ended');
  }

  of(data: string): PretendAgent | undefined {
    return this.running.find((agent) => agent.data === data);
  }

  at(address: string): PretendAgent | undefined {
    return this.running.find(({ url }) => url === address);
  }

  readonly start: StartProgram = (options): Program => {
    const agent = new PretendAgent(options, ++this.#port);
    if (this.of(agent.data)) this.clashes.push(agent.data);
    this.all.push(agent);
    this.#time.after(START_MS, () => {
      if (agent.state !== 'starting') return;
      agent.state = 'up';
      agent.say({ type: 'screen', url: agent.url });
    });
    return {
      ended: agent.ended,
      send: (message) => {
        agent.heard.push(message);
        if (agent.state === 'hung') return;
        if (message.type === 'alive') agent.say({ type: 'alive' });
        if (message.type === 'stop') this.#time.after(STOP_MS, () => agent.state !== 'hung' && agent.exit(0));
      },
      kill: () => agent.exit(null),
    };
  };
}
