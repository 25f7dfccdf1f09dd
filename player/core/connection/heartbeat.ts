/**
 * Sends the state of the machine and the visible content every 15 s. Telemetry fields are sent only when they change.
 */
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { HEARTBEAT_MS, type PlayerMessage, type Showing, type SyncReport } from '../../../shared/protocol/messages.ts';
import type { Telemetry } from '../../../shared/protocol/telemetry.ts';
import type { Glimpse } from '../../../shared/protocol/wall/glimpse.ts';
import type { Host, Machine, Undo } from '../ports.ts';

/**
 * Random variation of the interval in milliseconds, so that players that connected together do not send heartbeats at
 * the same time.
 */
const SPREAD_MS = 1_000;

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly machine: Pick<Machine, 'telemetry'>;
  readonly showing: () => readonly Showing[];
  readonly screenOn: () => boolean;
  readonly sync: () => SyncReport | undefined;
  /** Returns samples of the visible content (glimpses). Each sample is sent once. */
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
   * Sends the first heartbeat at once and complete, because a server that just accepted this player has no earlier
   * values.
   */
  start(): void {
    this.stop();
    this.#said = {};
    this.#formatsSaid = false;
    this.#beat(this.#run);
  }

  /** Sends the next heartbeat at once. */
  hurry(): void {
    if (this.#cancel) this.#beat(++this.#run);
  }

  /** Formats that the screen can play. Sent at once, because an operator may be choosing files for this screen. */
  setFormats(formats: ScreenFormats): void {
    if (JSON.stringify(formats) === JSON.stringify(this.#formats)) return;
    this.#formats = formats;
    this.#formatsSaid = false;
    this.hurry();
  }

  /** Content became visible. Sent at once if the last heartbeat reported an empty screen. */
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
    // A panel that is off shows nothing, also when the page has not removed the content yet.
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
