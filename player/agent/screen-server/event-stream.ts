/** Sends the state of the player to the screen page as server-sent events: the complete state after each change. */
import type { ServerResponse } from 'node:http';
import type { Time, Undo } from '../../core/ports.ts';
import type { ScreenState } from '../../screen/host/host.ts';
import { apiHeaders } from './screen-headers.ts';

/**
 * Maximum number of connections. A screen is one page, or briefly two while it reloads. Beyond this limit the oldest
 * connection is closed.
 */
const MOST = 4;
/**
 * Maximum number of unsent bytes per page. A page with more unsent bytes is disconnected, and reconnects when it can.
 */
const MOST_UNSENT = 16 * 1024 * 1024;
const PING_MS = 10_000;

interface Deps {
  readonly time: Time;
  readonly attached: (attached: boolean) => void;
  /** Identifies this start of the player. A page left open by an earlier start reloads itself. */
  readonly run: string;
}

export class EventStream {
  readonly #deps: Deps;
  readonly #open = new Set<ServerResponse>();
  #frame: string | undefined;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether at least one page is connected and receives the state. */
  get attached(): boolean {
    return this.#open.size > 0;
  }

  start(): void {
    this.#ping();
  }

  stop(): void {
    this.#cancel?.();
    for (const response of this.#open) response.end();
    this.#open.clear();
  }

  add(response: ServerResponse): void {
    response.writeHead(200, apiHeaders('text/event-stream'));
    response.write(`retry: 1000\n\n${this.#frame ?? ''}`);
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      this.#deps.attached(this.#open.size > 0);
    });
    const [oldest] = this.#open;
    if (this.#open.size > MOST) oldest?.end();
    this.#deps.attached(true);
  }

  /** Sends the state to all connected pages, and keeps it for pages that connect later. */
  publish(state: ScreenState): void {
    this.#frame = `data: ${JSON.stringify(state)}\n\nevent: run\ndata: ${this.#deps.run}\n\n`;
    this.#write(this.#frame);
  }

  /** Makes the page compare its clock at once instead of at its next regular exchange. */
  clockStepped(): void {
    this.#write('event: clock\ndata:\n\n');
  }

  #write(text: string): void {
    for (const response of this.#open) {
      if (response.writableLength > MOST_UNSENT) response.destroy();
      else response.write(text);
    }
  }

  #ping(): void {
    this.#cancel = this.#deps.time.after(PING_MS, () => {
      this.#write(':\n\n');
      this.#ping();
    });
  }
}
