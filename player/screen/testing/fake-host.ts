/**
 * A host for browser tests. It serves the built page and acts as the agent over real HTTP, with a clock that tests set.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { pageProblem } from '../../agent/browser/page-check.ts';
import { assetHeaders, mimeOf, pageHeaders } from '../../agent/screen-server/screen-headers.ts';
import { mostAtOnce, rangeOf } from '../../agent/screen-server/send-file.ts';
import type { ScreenReport, ScreenState } from '../host/host.ts';

const PAGE = join(import.meta.dirname, '../../../dist/screen');
const TOKEN = 'test-token';

type Of<T extends ScreenReport['type']> = Extract<ScreenReport, { type: T }>;

export class FakeHost {
  readonly reports: ScreenReport[] = [];
  readonly widgetData = new Map<string, unknown>();
  #assets = new Map<string, { body: Buffer; mime: string }>();
  #server = createServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  #streams = new Set<ServerResponse>();
  #waiting = new Set<() => void>();
  #state: ScreenState = { phase: 'searching', servers: [], setup_url: null };
  #clockBase = Date.UTC(2026, 2, 1, 12) - performance.now();

  /** Starts on the given port, for example again after a stop, to simulate a restarted host. */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/${TOKEN}/`;
  }

  now(): number {
    return this.#clockBase + performance.now();
  }

  /** Sets the virtual clock and tells the page that the clock was set. */
  setClock(instant: number): void {
    this.#clockBase = instant - performance.now();
    for (const stream of this.#streams) stream.write('event: clock\ndata: {}\n\n');
  }

  /** Stores a file and returns its hash. */
  add(body: Buffer | string, mime: string): string {
    const bytes = Buffer.from(body);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#assets.set(sha256, { body: bytes, mime });
    return sha256;
  }

  assetUrl(sha256: string): string {
    return `${this.url}assets/${sha256}`;
  }

  push(state: ScreenState): void {
    this.#state = state;
    for (const stream of this.#streams) stream.write(`data: ${JSON.stringify(state)}\n\n`);
  }

  of<T extends ScreenReport['type']>(type: T): Of<T>[] {
    return this.reports.filter((report): report is Of<T> => report.type === type);
  }

  /** Resolves with the first matching report of this type, past or future. */
  async until<T extends ScreenReport['type']>(
    type: T,
    fits: (report: Of<T>) => boolean = () => true,
    withinMs = 15_000,
  ): Promise<Of<T>> {
    const deadline = AbortSignal.timeout(withinMs);
    for (;;) {
      const found = this.of(type).find(fits);
      if (found) return found;
      if (deadline.aborted)
        throw new Error(
          `no fitting report "${type}" within ${withinMs} ms; got ${JSON.stringify(this.reports.slice(-8))}`,
        );
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        deadline.addEventListener('abort', wake, { once: true });
      });
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const path = pathname.startsWith(`/${TOKEN}/`) ? pathname.slice(TOKEN.length + 2) : null;
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (path === null) return void response.writeHead(404).end();
    if (path === 'events') return this.#stream(response);
    if (path === 'report') return this.#take(request, response);
    if (path === 'clock') return void json(response, { t0: Number(searchParams.get('t0')), t1: this.now() });
    if (path === 'page-problem')
      return void json(response, {
        problem: await pageProblem(searchParams.get('address') ?? '', {
          ancestor: this.origin,
          userAgent: request.headers['user-agent'] ?? '',
          languages: '*',
        }),
      });
    if (path === 'widget-data') return void json(response, this.widgetData.get(searchParams.get('path') ?? '') ?? null);
    if (path.startsWith('assets/') && this.#assets.has(path.slice(7)))
      return this.#asset(path.slice(7), request, response);
    return this.#file(path, response);
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    response.write(`data: ${JSON.stringify(this.#state)}\n\n`);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.reports.push(...(JSON.parse(Buffer.concat(chunks).toString()) as ScreenReport[]));
    response.writeHead(204).end();
    for (const wake of [...this.#waiting]) wake();
  }

  #asset(sha256: string, request: IncomingMessage, response: ServerResponse): void {
    const { body, mime } = this.#assets.get(sha256) as { body: Buffer; mime: string };
    const headers = { ...assetHeaders(sha256, mime), 'accept-ranges': 'bytes' };
    const range = rangeOf(request.headers.range, body.length, mostAtOnce(mime));
    if (range === 'beyond')
      return void response.writeHead(416, { ...headers, 'content-range': `bytes */${body.length}` }).end();
    if (!range) return void response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    const { start, end } = range;
    response.writeHead(206, {
      ...headers,
      'content-range': `bytes ${start}-${end}/${body.length}`,
      'content-length': end - start + 1,
    });
    response.end(body.subarray(start, end + 1));
  }

  async #file(path: string, response: ServerResponse): Promise<void> {
    const name = normalize(path || 'index.html');
    const body = name.startsWith('..') ? null : await readFile(join(PAGE, name)).catch(() => null);
    if (!body) return void response.writeHead(404).end();
    response.writeHead(200, pageHeaders(mimeOf(name))).end(body);
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
