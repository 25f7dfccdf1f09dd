/**
 * Server of the screen page, on loopback only. All paths have a random prefix for each start, so that a web page in a
 * zone or another user of this machine cannot guess it. Requests with an effect must also come from the page's own
 * origin.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { Asset } from '../../../shared/program/program.ts';
import type { Refresh } from '../../../shared/protocol/messages.ts';
import { jsonOrUndefined } from '../../core/files/documents.ts';
import type { Log } from '../../core/ports.ts';
import { ScreenReport } from '../../screen/host/host.ts';
import { pageProblem } from '../browser/page-check.ts';
import type { EventStream } from './event-stream.ts';
import { apiHeaders, assetHeaders, mimeOf, pageHeaders } from './screen-headers.ts';
import { mostAtOnce, sendFile } from './send-file.ts';

const MOST_BODY = 512 * 1024;
/** Maximum number of reports in a request. The page stores at most 1,000 reports (screen/host/host.ts). */
const Reports = z.array(ScreenReport).max(1_000);
const SHA = /^assets\/([0-9a-f]{64})$/;
/** Names of output files of the build. The pattern allows no parent folders and no hidden files. */
const STATIC = /^(?:[\w-]+\/){0,4}[\w-]+(?:\.[\w-]+)+$/;

interface Deps {
  readonly token: string;
  /** Port that the previous run of the player used, if that run may have left a page open; absent: any port. */
  readonly port?: number | undefined;
  /** Folder of the built page. */
  readonly pages: string;
  readonly events: EventStream;
  readonly log: Log;
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  /** The refresh that all panels of this screen's wall aim at. */
  readonly wallRefresh: () => Refresh | null;
  readonly report: (report: ScreenReport) => Promise<void>;
  readonly pageLoaded: () => Promise<void>;
  readonly asset: (sha256: string) => { readonly asset: Asset; readonly path: string } | undefined;
  readonly widgetData: (path: string) => Promise<string | undefined>;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class ScreenServer {
  readonly #deps: Deps;
  #server: Server | undefined;
  #port = 0;
  #origin = '';

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves with the address of the page. */
  async start(): Promise<string> {
    const server = createServer((request, response) => void this.#answer(request, response));
    this.#server = server;
    server.listen(this.#deps.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#origin = `http://127.0.0.1:${this.#port}`;
    this.#deps.events.start();
    return `${this.#origin}/${this.#deps.token}/`;
  }

  get port(): number {
    return this.#port;
  }

  async stop(): Promise<void> {
    this.#deps.events.stop();
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      const status = error instanceof Refused ? error.status : 500;
      if (status === 500) this.#deps.log.error(`screen server: ${request.method} failed`, error);
      if (response.headersSent) response.destroy();
      else response.writeHead(status, apiHeaders('text/plain')).end();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Requests with another host name are refused: a name that resolves to 127.0.0.1 (DNS rebinding) would give a
    // foreign page this origin.
    if (request.headers.host !== new URL(this.#origin).host) throw new Refused(421, 'wrong host');
    const url = URL.parse(request.url ?? '/', this.#origin);
    if (!url) throw new Refused(400, 'malformed path');
    const prefix = `/${this.#deps.token}/`;
    if (!url.pathname.startsWith(prefix)) throw new Refused(404, 'no such path');
    const path = url.pathname.slice(prefix.length);
    if (request.method === 'POST' && path === 'report') return this.#report(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refused(405, 'wrong method');
    if (path === 'events' || path === 'clock' || path === 'widget-data' || path === 'page-problem') {
      this.#onlyOwnPage(request);
      if (path === 'events') return this.#deps.events.add(response);
      if (path === 'clock') return this.#clock(url, response);
      if (path === 'page-problem') return this.#pageProblem(url, request, response);
      return this.#widgetData(url, response);
    }
    const sha256 = SHA.exec(path)?.[1];
    if (sha256) return this.#asset(sha256, request, response);
    return this.#page(path === '' ? 'index.html' : path, request, response);
  }

  /**
   * Returns whether a request comes from the page's own origin. Browsers state this in a header. Sandboxed and foreign
   * pages are `cross-site`, even if they know the path.
   */
  #onlyOwnPage({ headers }: IncomingMessage): void {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') throw new Refused(403, 'not the screen page');
    if (headers.origin !== undefined && headers.origin !== this.#origin) throw new Refused(403, 'not the screen page');
  }

  async #report(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#onlyOwnPage(request);
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) throw new Refused(415, 'not JSON');
    const parsed = Reports.safeParse(jsonOrUndefined(await bodyOf(request)));
    if (!parsed.success) {
      this.#deps.log.warn('the screen page sent a malformed report', parsed.error.issues[0]?.message);
      throw new Refused(400, 'malformed');
    }
    for (const report of parsed.data) await this.#deps.report(report);
    response.writeHead(204, apiHeaders()).end();
  }

  #clock(url: URL, response: ServerResponse): void {
    const t0 = Number(url.searchParams.get('t0'));
    sendJson(response, { t0, t1: this.#deps.now(), wall_refresh: this.#deps.wallRefresh() });
  }

  async #widgetData(url: URL, response: ServerResponse): Promise<void> {
    const data = await this.#deps.widgetData(url.searchParams.get('path') ?? '');
    if (data === undefined) throw new Refused(404, 'no data yet');
    response.writeHead(200, apiHeaders()).end(data);
  }

  async #pageProblem(url: URL, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const asker = {
      ancestor: this.#origin,
      userAgent: headers['user-agent'] ?? '',
      languages: headers['accept-language'] ?? '*',
    };
    const problem = await pageProblem(url.searchParams.get('address') ?? '', asker);
    sendJson(response, { problem });
  }

  async #asset(sha256: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = this.#deps.asset(sha256);
    if (!found) throw new Refused(404, 'no such asset');
    const { mime } = found.asset;
    const answer = { path: found.path, headers: assetHeaders(sha256, mime), most: mostAtOnce(mime) };
    if (!(await sendFile(request, response, answer))) throw new Refused(404, 'no such asset');
  }

  async #page(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!STATIC.test(path)) throw new Refused(404, 'no such path');
    if (path === 'index.html') await this.#deps.pageLoaded();
    const headers = pageHeaders(mimeOf(path));
    if (!(await sendFile(request, response, { path: join(this.#deps.pages, path), headers })))
      throw new Refused(404, 'no such path');
  }
}

const sendJson = (response: ServerResponse, answer: object): void =>
  void response.writeHead(200, apiHeaders()).end(JSON.stringify(answer));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BODY) throw new Refused(413, 'too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
