/** Starts the screens of a fake computer, and returns what a person sees on its TVs. */

import type { Documents } from '../../core/ports.ts';
import { MemoryLog } from '../../core/testing/fakes.ts';
import type { Wanted } from '../displays.ts';
import { covers } from '../kiosk-keeper.ts';
import { type Player, startPlayerRole } from '../player-role.ts';
import { Seats } from '../seats.ts';
import { PretendAgents } from './pretend-agents.ts';
import { PretendMachine, type Tv } from './pretend-machine.ts';
import { PretendTime } from './pretend-time.ts';

export const tv = (id: number, label = `TV ${id}`): Tv => ({ id, label, width: 1920, height: 1080 });

export class MemoryDocuments implements Documents {
  readonly texts = new Map<string, string>();
  read = async (name: string) => this.texts.get(name);
  write = async (name: string, text: string) => void this.texts.set(name, text);
  remove = async (name: string) => void this.texts.delete(name);
  list = async () => [...this.texts.keys()];
  setAside = async (name: string) => void this.texts.delete(name);
}

export class PretendScreens {
  readonly time = new PretendTime();
  readonly agents = new PretendAgents(this.time);
  readonly documents = new MemoryDocuments();
  readonly log = new MemoryLog();
  readonly machine: PretendMachine;
  readonly told: string[] = [];
  readonly #wanted: Wanted;
  folders = 0;
  player: Player | undefined;

  constructor(tvs: readonly Tv[], wanted: Wanted = 'all') {
    this.machine = new PretendMachine(this.time, this.agents, tvs);
    this.#wanted = wanted;
  }

  async start(): Promise<void> {
    const { machine, time, log, documents, folders } = this;
    const seats = await Seats.open({ documents, time, log, folders });
    const tell = (what: string) => () => void this.told.push(what);
    const options = {
      data: '/d',
      displays: this.#wanted,
      updates: '/u',
      onUpdate: tell('update'),
      onBadGpu: tell('gpu'),
      onNeedsX11: tell('x11'),
    };
    this.player = startPlayerRole({ machine, start: this.agents.start, seats, time, log }, options);
  }

  async stop(): Promise<void> {
    const stopped = this.player?.stop();
    await this.time.advance(10_000);
    await stopped;
  }

  /**
   * Returns the data folder of the screen that a person sees on a TV; undefined: the TV is dark, or shows something
   * wrong.
   */
  on(shown: Tv): string | undefined {
    const display = this.machine.displayOf(shown);
    const windows = this.machine.standing.filter((window) => covers(window.rectangle, display.bounds));
    const [window] = windows;
    if (windows.length !== 1 || !window?.kiosk || window.renderer !== 'well' || window.isBlank) return undefined;
    return this.agents.at(window.page)?.data;
  }

  /** Data folders in the order of the TVs' positions. */
  all(): (string | undefined)[] {
    return this.machine.tvs.map((each) => this.on(each));
  }
}
