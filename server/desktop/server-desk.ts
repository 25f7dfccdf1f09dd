/**
 * Decides which server the window shows: the installed service of this machine, or else a child process of this
 * program. Independent of Electron, so that tests cover every transition between the two.
 */
import type { StartProgram } from '../../shared/desktop/program.ts';
import type { DesktopWords } from '../../shared/desktop/words.ts';
import type { ProgramSays } from '../../shared/protocol/shell.ts';
import type { Answerer } from '../service/ask-service.ts';
import type { Note } from '../service/service-note.ts';
import type { ServiceRecord } from '../service/service-record.ts';
import { KeptServer, type Timing } from './kept-server.ts';
import type { ServerState } from './tray-menu.ts';

const LOOK_EVERY_MS = 3_000;
const LOOK_WHILE_WELL_MS = 15_000;

/** Data folder of the child process, and folders of earlier versions. */
interface StorePlaces {
  readonly data: string;
  readonly older: readonly string[];
}

/**
 * Returns the data folder to serve, and the folder whose data must be moved there first. Without any data a new folder
 * is used.
 */
export const storeToServe = (
  { data, older }: StorePlaces,
  isStore: (folder: string) => boolean,
): { readonly data: string; readonly moveFrom?: string } => {
  const from = isStore(data) ? undefined : older.find((folder) => folder !== data && isStore(folder));
  return { data, ...(from !== undefined && { moveFrom: from }) };
};

export interface ServiceControl {
  /**
   * Starts the service. Resolves with undefined on success, otherwise with a sentence that says what the person must
   * do.
   */
  start(): Promise<string | undefined>;
  stop(): Promise<string | undefined>;
}

type Shown = Omit<ServerState, 'startsAtLogin' | 'role'> & { readonly origin: string };

export class ServerDesk {
  readonly #deps;
  readonly #child: KeptServer;
  #shown: Shown;
  #data: string;
  #moveFrom: string | undefined;
  #cancelLook = () => {};
  #ended = false;

  constructor(deps: {
    start: StartProgram;
    port: number;
    places: StorePlaces;
    isStore: (folder: string) => boolean;
    installed: () => ServiceRecord | undefined;
    note: (file: string) => Note | undefined;
    whoAnswers: (note: Note) => Promise<Answerer>;
    addresses: (port: number) => readonly string[];
    control: ServiceControl;
    timing: Timing;
    /**
     * Called with each change of the shown server. `servesAnew`: another server is shown or the server was restarted,
     * so the web page must be loaded again.
     */
    changed: (shown: Shown, servesAnew: boolean) => void;
    tell: (title: string, words: string) => void;
    words: DesktopWords['server'];
  }) {
    this.#deps = deps;
    const { data, moveFrom } = storeToServe(deps.places, deps.isStore);
    [this.#data, this.#moveFrom] = [data, moveFrom];
    this.#shown = {
      by: 'child',
      phase: 'starting',
      addresses: [],
      screens: undefined,
      hint: undefined,
      origin: `http://localhost:${deps.port}`,
    };
    this.#child = new KeptServer({
      start: deps.start,
      script: 'server/main.js',
      args: () => ['--port', String(deps.port), '--data', this.#data],
      timing: deps.timing,
      changed: (phase) =>
        this.#show({
          phase,
          ...(phase !== 'running' && { screens: undefined }),
          ...(phase === 'paused' && { addresses: [] }),
        }),
      hear: (message) => this.#hear(message),
      neverRan: (words) => deps.tell(deps.words.notStarted, words),
    });
  }

  get shown(): Shown {
    return this.#shown;
  }

  /** Resolves when this class has decided which server the window shows. */
  async start(): Promise<void> {
    if (this.#deps.installed()) return this.#look();
    await this.#bringStore();
    if (!this.#ended) this.#child.start();
  }

  async pause(): Promise<void> {
    if (this.#shown.by === 'child') return this.#child.stop();
    await this.#order('stop', 'paused');
  }

  async resume(): Promise<void> {
    if (this.#shown.by === 'child') return this.start();
    await this.#order('start', 'starting');
    await this.#look();
  }

  /**
   * Stops the child process while `change` uses its data. Starts the child again if the change did not happen.
   * @param change resolves with whether the change happened, and never rejects
   */
  async resting(change: () => Promise<boolean>): Promise<boolean> {
    const { by, phase } = this.#shown;
    // Stops checking the service. Otherwise a service that the role change removes would be replaced by a child
    // process.
    this.#cancelLook();
    if (by === 'child') await this.#child.stop();
    const isDone = await change();
    if (!isDone && !this.#ended && !(by === 'child' && phase === 'paused')) await this.start();
    return isDone;
  }

  /** Stops the child process when the program with the window ends. A service keeps running. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancelLook();
    if (this.#shown.by === 'child') await this.#child.stop();
  }

  async #order(what: 'start' | 'stop', phase: 'paused' | 'starting'): Promise<void> {
    const hint = await this.#deps.control[what]();
    this.#show(
      hint === undefined ? { phase, hint: undefined, ...(phase === 'paused' && { addresses: [] }) } : { hint },
    );
  }

  async #look(): Promise<void> {
    this.#cancelLook();
    if (this.#ended) return;
    const installed = this.#deps.installed();
    if (!installed) {
      // The service was uninstalled: this program runs the server again, with its own data.
      this.#show({ by: 'child', phase: 'starting', hint: undefined });
      await this.#bringStore();
      if (!this.#ended) this.#child.start();
      return;
    }
    const note = this.#deps.note(installed.note);
    const answerer = note ? await this.#deps.whoAnswers(note) : 'nobody';
    if (this.#ended) return;
    const port = note?.port ?? installed.port;
    const isPaused = this.#shown.by === 'service' && this.#shown.phase === 'paused';
    if (answerer === 'service')
      this.#show({
        by: 'service',
        phase: 'running',
        addresses: this.#deps.addresses(port),
        hint: undefined,
        origin: `http://localhost:${port}`,
      });
    else if (answerer === 'stranger')
      this.#show({ by: 'service', phase: 'stranger', addresses: [], screens: undefined });
    else if (!isPaused) this.#show({ by: 'service', phase: 'waiting', addresses: [], screens: undefined });
    this.#cancelLook = this.#deps.timing.after(
      answerer === 'service' ? LOOK_WHILE_WELL_MS : LOOK_EVERY_MS,
      () => void this.#look(),
    );
  }

  /**
   * Moves the data by a separate command, because copying takes long and the window must stay responsive. If the
   * command fails, the server uses the old folder.
   */
  async #bringStore(): Promise<void> {
    const from = this.#moveFrom;
    if (from === undefined) return;
    this.#moveFrom = undefined;
    let words = '';
    const program = this.#deps.start({
      script: 'server/cli/main.js',
      args: ['move-data', '--from', from, '--data', this.#data],
      hear: () => {},
      complains: (text) => (words += text),
    });
    if ((await program.ended) === 0) return;
    // If the command was killed, the data may already be complete in the new folder, so this is checked.
    if (this.#deps.isStore(this.#data)) return;
    this.#data = from;
    this.#deps.tell(this.#deps.words.notMoved, words.trim() || this.#deps.words.notMovedWhy);
  }

  #hear(message: ProgramSays): void {
    if (message.type === 'screens') this.#show({ screens: { online: message.online, total: message.total } });
    if (message.type !== 'serving') return;
    const origin = `http://localhost:${message.port}`;
    this.#show({ origin, addresses: message.addresses.length > 0 ? message.addresses : [`${origin}/`] }, true);
  }

  #show(change: Partial<Shown>, servesAnew = false): void {
    const before = this.#shown;
    this.#shown = { ...before, ...change };
    const { by, phase } = this.#shown;
    const isAnew =
      by === 'service' && phase === 'running' && (before.phase !== 'running' || before.origin !== this.#shown.origin);
    this.#deps.changed(this.#shown, servesAnew || isAnew);
  }
}
