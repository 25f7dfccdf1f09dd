/** Says every 15 s how the machine is and what is visible. Telemetry travels only where it changed. */
import type { ScreenFormats } from '../../shared/formats/screen-formats.ts';
import type { Glimpse } from '../../shared/protocol/glimpse.ts';
import { HEARTBEAT_MS, type PlayerMessage, type Showing, type SyncReport } from '../../shared/protocol/messages.ts';
import type { Telemetry } from '../../shared/protocol/telemetry.ts';
import type { Host, Machine, Undo } from './ports.ts';

/** ± 1 s keeps players that connected together from beating together. */
const SPREAD_MS = 1_000;

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly machine: Pick<Machine, 'telemetry'>;
  readonly showing: () => readonly Showing[];
  readonly screenOn: () => boolean;
  readonly sync: () => SyncReport | undefined;
  /** What is told once. */
  readonly glimpses: () => Glimpse[];
  readonly send: (message: PlayerMessage) => boolean;
}

export class Heartbeat {
  readonly #deps: Deps;
  #run = 0;
  #said: Telemetry = {};
  #formats: ScreenFormats | undefined;
  #formatsSaid = false;
  #saidEmpty = false;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The first one at once, with everything: who has just taken this player in knows nothing of what was told before.
   */
  start(): void {
    this.stop();
    this.#said = {};
    this.#formatsSaid = false;
    this.#beat(this.#run);
  }

  /** Something that nobody should have to wait for. */
  hurry(): void {
    if (this.#cancel) this.#beat(++this.#run);
  }

  /** Which files the screen plays: sent at once, since people may be choosing files for it. */
  setFormats(formats: ScreenFormats): void {
    if (JSON.stringify(formats) === JSON.stringify(this.#formats)) return;
    this.#formats = formats;
    this.#formatsSaid = false;
    this.hurry();
  }

  /** Something has come on the screen: told at once if the last that was heard is that nothing is. */
  shown(): void {
    if (this.#saidEmpty) this.hurry();
  }

  stop(): void {
    this.#run++;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #beat(run: number): void {
    const { time, crypto, log } = this.#deps;
    this.#cancel?.();
    this.#cancel = time.after(HEARTBEAT_MS + (crypto.random() * 2 - 1) * SPREAD_MS, () => this.#beat(run));
    void this.#say(run).catch((error) => log.warn('heartbeat failed', error));
  }

  async #say(run: number): Promise<void> {
    const telemetry = await this.#deps.machine.telemetry();
    if (run !== this.#run) return;
    const changed = changedOf(this.#said, telemetry);
    const sync = this.#deps.sync();
    const screen_on = this.#deps.screenOn();
    // What the page has not taken away yet can be seen by nobody.
    const showing = screen_on ? [...this.#deps.showing()].slice(0, 100) : [];
    const glimpses = this.#deps.glimpses();
    const formats = this.#formatsSaid ? undefined : this.#formats;
    const sent = this.#deps.send({
      type: 'heartbeat',
      showing,
      screen_on,
      own_time: this.#deps.time.wall(),
      ...(Object.keys(changed).length > 0 && { telemetry: changed }),
      ...(sync && { sync }),
      ...(glimpses.length > 0 && { glimpses }),
      ...(formats && { formats }),
    });
    if (!sent) return;
    this.#formatsSaid ||= formats !== undefined && formats === this.#formats;
    this.#said = { ...this.#said, ...changed };
    this.#saidEmpty = showing.length === 0;
  }
}

function changedOf(before: Telemetry, now: Telemetry): Telemetry {
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => value !== undefined && before[key as keyof Telemetry] !== value),
  );
}
