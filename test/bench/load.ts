/** Load over loopback: plain sockets that send the same request again and again, so that the client costs little. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface Load {
  readonly port: number;
  /** Path of the requests. A function gives a different path for each request. */
  readonly path: string | (() => string);
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | (() => string);
  /** @default 32 */
  readonly connections?: number;
  /** Pending requests per connection. @default 1 */
  readonly pipeline?: number;
  /** @default 2000 */
  readonly ms?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly mbPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of answers by status. The caller must reject unexpected statuses. */
  readonly statuses: ReadonlyMap<number, number>;
}

const READ_BYTES = 256 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;

/** Sends requests for a quarter of the time without measuring them, then measures. */
export const hammer = async (load: Load): Promise<LoadResult> => {
  const { connections = 32, pipeline = 1, ms = 2000 } = load;
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let bytes = 0;
  const warmUntil = performance.now() + ms / 4;
  const until = warmUntil + ms;
  const answered = (status: number, sentAt: number, length: number) => {
    const now = performance.now();
    if (now < warmUntil || now > until) return;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    latencies.push(now - sentAt);
    bytes += length;
  };
  await Promise.all(Array.from({ length: connections }, () => speak(load, { pipeline, until, answered })));
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / (ms / 1000),
    mbPerSecond: bytes / 1e6 / (ms / 1000),
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    statuses,
  };
};

const requestOf = ({ method = 'GET', path, token, headers = {}, body }: Load): (() => Buffer) => {
  const make = (text: string | undefined) => {
    const lines = [
      `${method} ${typeof path === 'string' ? path : path()} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...(token ? [`Authorization: Bearer ${token}`] : []),
      ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`),
    ];
    if (text !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text ?? ''}`);
  };
  if (typeof body === 'function') return () => make(body());
  if (typeof path === 'function') return () => make(body);
  const ready = make(body);
  return () => ready;
};

const speak = (
  load: Load,
  {
    pipeline,
    until,
    answered,
  }: { pipeline: number; until: number; answered: (status: number, sentAt: number, bytes: number) => void },
): Promise<void> =>
  new Promise((done, fail) => {
    const request = requestOf(load);
    // The socket reads into the same memory each time: at gigabytes per second, allocating memory would be most of the
    // work.
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length: number, bytes: Uint8Array) => {
        reader.take(Buffer.from(bytes.buffer, bytes.byteOffset, length));
        return true;
      },
    };
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true, onread });
    const sent: number[] = [];
    const send = () => {
      sent.push(performance.now());
      socket.write(request());
    };
    const reader = new AnswerReader((status, length) => {
      answered(status, sent.shift() ?? performance.now(), length);
      if (performance.now() < until) send();
      else if (sent.length === 0) socket.end();
    });
    socket.on('connect', () => {
      for (let i = 0; i < pipeline; i++) send();
    });
    socket.on('error', fail);
    socket.on('close', () => done());
  });

/** Finds the end of each answer. Supports only bodies with a length. */
class AnswerReader {
  readonly #done: (status: number, bytes: number) => void;
  #head: Buffer | undefined;
  #left = 0;
  #status = 0;
  #length = 0;

  constructor(done: (status: number, bytes: number) => void) {
    this.#done = done;
  }

  take(chunk: Buffer): void {
    let rest: Buffer = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
    this.#head = undefined;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, rest.length);
        this.#left -= taken;
        rest = rest.subarray(taken);
        if (this.#left === 0) this.#done(this.#status, this.#length);
        continue;
      }
      const end = rest.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = Buffer.from(rest);
        return;
      }
      const head = rest.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      this.#length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#left = this.#length;
      rest = rest.subarray(end + 4);
      if (this.#left === 0) this.#done(this.#status, this.#length);
    }
  }
}

export interface Waits {
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly count: number;
}

type Question = Pick<Load, 'port' | 'token'> & { readonly path: string };

/** Sends one request at a time, like another user of the server, until it is stopped. */
export const keepAsking = (load: Question): { stop(): Promise<Waits> } => {
  let going = true;
  const waits: number[] = [];
  const running = (async () => {
    const socket: Socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    const request = requestOf(load)();
    let arrived: (() => void) | undefined;
    const reader = new AnswerReader(() => arrived?.());
    socket.on('data', (chunk: Buffer) => reader.take(chunk));
    while (going) {
      const at = performance.now();
      const answer = new Promise<void>((done) => (arrived = done));
      socket.write(request);
      await answer;
      waits.push(performance.now() - at);
      await new Promise((turn) => setTimeout(turn, 5));
    }
    socket.destroy();
  })();
  return {
    stop: async () => {
      going = false;
      await running;
      waits.sort((a, b) => a - b);
      return { p99Ms: percentile(waits, 99), maxMs: waits.at(-1) ?? Number.NaN, count: waits.length };
    },
  };
};

/**
 * Runs `keepAsking` in a separate thread. This thread is busy sending other requests, which would add to the measured
 * delay.
 */
export const someoneElse = (load: Question): { stop(): Promise<Waits> } => {
  const worker = new Worker(new URL('./someone-else.ts', import.meta.url), { workerData: load });
  return {
    stop: async () => {
      const answer = once(worker, 'message');
      worker.postMessage('stop');
      const [waits] = (await answer) as [Waits];
      await worker.terminate();
      return waits;
    },
  };
};
