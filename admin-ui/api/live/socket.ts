import { type LiveClientMessage, LiveServerMessage } from '../../../shared/protocol/live.ts';

/**
 * Returns the delay before a reconnect attempt: 0.5, 1, 2, 4, 8, then 10 s, ±30 %. Delays are short because the
 * server is near, and random so that forty browser windows do not reconnect at the same time.
 */
export const reconnectDelay = (attempt: number, random = Math.random): number =>
  Math.min(500 * 2 ** attempt, 10_000) * (0.7 + random() * 0.6);

/** Milliseconds without a message after which a connection counts as dead, whatever the browser reports. */
const SILENCE_MS = 45_000;
const PING_MS = 20_000;

const auth = (token: string): LiveClientMessage => ({ type: 'auth', token, takes: ['devices'] });

export interface LiveSocketOptions {
  readonly url: string;
  readonly token: string;
  readonly onMessage: (message: LiveServerMessage) => void;
  readonly onConnection: (connection: 'connecting' | 'open' | 'lost') => void;
  /** Called when the server refuses the session token. The callback stops the socket if a retry is useless. */
  readonly onRefused: () => void;
}

/** Keeps a connection to /api/live open, and reconnects when it is lost. */
export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #socket: WebSocket | undefined;
  #attempt = 0;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  start(): void {
    this.#open();
    addEventListener('online', this.#now);
    document.addEventListener('visibilitychange', this.#now);
  }

  stop(): void {
    this.#stopped = true;
    removeEventListener('online', this.#now);
    document.removeEventListener('visibilitychange', this.#now);
    clearTimeout(this.#retry);
    this.#close();
  }

  /** Connects at once when the page becomes visible again, without waiting for the delay. */
  #now = (): void => {
    if (this.#socket || this.#stopped || document.visibilityState === 'hidden') return;
    clearTimeout(this.#retry);
    this.#attempt = 0;
    this.#open();
  };

  #open(): void {
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => socket.send(JSON.stringify(auth(this.#options.token)));
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heardAt = performance.now();
      this.#receive(String(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
    this.#ping = setInterval(() => this.#check(socket), PING_MS);
  }

  #check(socket: WebSocket): void {
    if (performance.now() - this.#heardAt > SILENCE_MS) this.#lost(0);
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'ping' }));
  }

  #receive(data: string): void {
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch {
      return;
    }
    // A newer server may send messages that this page does not know.
    const message = LiveServerMessage.safeParse(json);
    if (!message.success) return;
    if (message.data.type === 'ready') {
      this.#attempt = 0;
      this.#options.onConnection('open');
    }
    this.#options.onMessage(message.data);
  }

  #lost(code: number): void {
    this.#close();
    if (this.#stopped) return;
    this.#options.onConnection('lost');
    if (code === 4401) this.#options.onRefused();
    if (this.#stopped) return;
    this.#retry = setTimeout(() => this.#open(), reconnectDelay(this.#attempt++));
  }

  #close(): void {
    clearInterval(this.#ping);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }
}
