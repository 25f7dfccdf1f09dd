/**
 * Admin window of a store, opened from headquarters. The page comes from headquarters, so that no code of a store runs
 * here. Its requests to `/store/<id>/api/…` are forwarded to the store over a tunnel, with the rights of the person.
 * Changes are logged in the store and at headquarters.
 */
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { storeOfWindow, storeWindowPath, TICKETED, visitorHeader } from '../../../shared/chain/tunnel.ts';
import type { Visitor } from '../../../shared/chain/wire.ts';
import type { Access, Endpoint } from '../../../shared/contract/endpoint.ts';
import { ApiError, forbidden, notFound } from '../../../shared/contract/errors.ts';
import { WINDOW_HEADER } from '../../../shared/protocol/window.ts';
import { type Authenticate, permit } from '../../http/credentials.ts';
import type { Parts } from '../../kernel/parts.ts';
import { MinuteCounts } from '../../kernel/time/minute-counts.ts';
import type { Actor, WorkspaceActor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import { type Downlink, NotDone } from '../transport/downlink.ts';
import type { Tunnels } from '../transport/tunnels.ts';
import { roleIn } from './region-rights.ts';
import type { StoreNow, StoreRegistry } from './store-registry.ts';

const ACCESS: Access = { kind: 'session', role: 'viewer' };
/** Maximum number of requests with tickets, per client address and minute. A browser fetches a film in many pieces. */
const TICKETS_A_MINUTE = 1_200;
/**
 * Time in milliseconds after which a request is ended if the store sends no data. An upload or a file may take longer,
 * as long as data keeps flowing.
 */
const SILENCE_MS = 60_000;

/** Headers that pass from the page to the store, and from the store to the page. All other headers are removed. */
const ASKED = ['accept', 'content-type', 'content-length', 'if-match', 'if-none-match', 'if-range', 'range'] as const;
const ANSWERED = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'retry-after',
  'x-total-count',
] as const;

interface Deps extends Pick<Parts, 'db' | 'activity' | 'log' | 'mono'> {
  readonly registry: Pick<StoreRegistry, 'byRef'>;
  readonly downlink: Pick<Downlink, 'isListening'>;
  readonly tunnels: Pick<Tunnels, 'agentOf'>;
  readonly authenticate: Authenticate;
  readonly addressOf: (req: IncomingMessage) => string;
  /** Finds an endpoint of the running version. A store of another version may have different endpoints. */
  readonly endpointOf: (method: string, path: string) => Endpoint | undefined;
}

export class StoreWindows {
  readonly #deps: Deps;
  readonly #tickets: MinuteCounts;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#tickets = new MinuteCounts(deps);
  }

  /**
   * Returns false for requests outside a store's admin window. For the page itself, rewrites the path to `/` and also
   * returns false, so that the normal handler sends the page.
   */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const { url = '' } = req;
    const ref = storeOfWindow(url);
    if (ref === undefined) return false;
    const path = url.slice(storeWindowPath(ref).length);
    if (!path.startsWith('/api/')) {
      if (/^\/(?:\?|$)/.test(path)) req.url = '/';
      return false;
    }
    void this.#answer(req, res, ref, path).catch((error: unknown) => refuse(res, error, this.#deps.log));
    return true;
  }

  /**
   * Returns the store, and the identity of the person there.
   * @throws ApiError 401, 403, 404, 503 when the store does
   * not listen
   */
  admit(actor: Actor, ref: string): { readonly store: StoreNow; readonly visitor: Visitor } {
    const { registry, downlink } = this.#deps;
    if (actor.via !== 'session')
      throw forbidden('A personal access token cannot open a store. Sign in with your account.');
    if (actor.mustChangePassword) throw forbidden('Change your password first.', 'password_change_required');
    const store = registry.byRef(ref);
    const role = store && store.workspace_id === actor.workspaceId ? roleIn(actor, store) : null;
    if (!store || role === null) throw notFound('Store');
    if (!downlink.isListening(store)) throw unreachable(store);
    return { store, visitor: visitorOf(actor, role) };
  }

  async #answer(req: IncomingMessage, res: ServerResponse, ref: string, path: string): Promise<void> {
    const { authenticate, addressOf, tunnels } = this.#deps;
    const ip = addressOf(req);
    const isTicketed = req.headers.authorization === undefined && req.method === 'GET' && TICKETED.test(path);
    const actor = isTicketed
      ? undefined
      : (permit(ACCESS, authenticate(req.headers.authorization, ip, ACCESS)) as WorkspaceActor);
    const { store, visitor } = actor ? this.admit(actor, ref) : this.#byTicket(ref, ip);
    const asked = request({
      agent: tunnels.agentOf(store),
      host: 'store',
      method: req.method!,
      path,
      headers: {
        ...picked(req.headers, [...ASKED, WINDOW_HEADER.toLowerCase()]),
        ...(req.headers['transfer-encoding'] && { 'transfer-encoding': 'chunked' }),
        ...(visitor && visitorHeader(visitor)),
      },
      timeout: SILENCE_MS,
    });
    asked.once('timeout', () => asked.destroy(new NotDone('silent', 'The store no longer answers.')));
    res.once('close', () => asked.destroy());
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject);
    });
    // Does not wait until the whole body is sent, because the store may answer earlier, for example to refuse the rest.
    pipeline(req, asked).catch((error: unknown) => asked.destroy(error as Error));
    const reply = await answered;
    const status = reply.statusCode ?? 502;
    // A 401 of the store means that the store does not know the visitor. The answer gets another status, because a 401
    // would end the person's session at headquarters.
    if (status === 401) throw new ApiError(503, `${store.name} refuses the connection at the moment. Try again.`);
    if (actor && status < 300 && req.method !== 'GET' && req.method !== 'HEAD')
      this.#note(actor, store, req.method!, path);
    res.writeHead(status, {
      ...picked(reply.headers, ANSWERED),
      'X-Content-Type-Options': 'nosniff',
      // PDFs get no sandbox, because a sandbox would stop the browser from showing them. A PDF runs no scripts here.
      ...(reply.headers['content-type'] !== 'application/pdf' && {
        'Content-Security-Policy': "sandbox; default-src 'none'",
      }),
    });
    await pipeline(reply, res);
  }

  /**
   * Forwards a request with a ticket to the store, which checks the ticket.
   * @throws ApiError 404, 429, 503
   */
  #byTicket(ref: string, ip: string): { readonly store: StoreNow; readonly visitor: undefined } {
    const { registry, downlink } = this.#deps;
    if (this.#tickets.add(ip).count > TICKETS_A_MINUTE) throw new ApiError(429, 'Too many requests. Wait a minute.');
    const store = registry.byRef(ref);
    if (!store) throw notFound('Store');
    if (!downlink.isListening(store)) throw unreachable(store);
    return { store, visitor: undefined };
  }

  #note(actor: WorkspaceActor, store: StoreNow, method: string, path: string): void {
    const { db, activity, endpointOf } = this.#deps;
    const [plain = path] = path.split('?');
    const what = endpointOf(method, plain)?.summary ?? `${method} ${plain}`;
    db.write(() =>
      activity.add({
        workspaceId: store.workspace_id,
        actor,
        action: 'store.acted',
        details: `${store.name}: ${what}`,
      }),
    );
  }
}

/**
 * Returns the identity of a person in a store. A person with limited rights at headquarters only reads in stores,
 * because the limits name folders and groups that stores do not have.
 * @param role role in the store
 */
export const visitorOf = ({ userId, userName, limits, needsApproval }: Actor, role: WorkspaceRole): Visitor => ({
  id: userId,
  name: userName.slice(0, 200),
  role: limits !== null || needsApproval ? 'workspace_viewer' : role,
});

const picked = (headers: IncomingMessage['headers'], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const unreachable = ({ name, line }: StoreNow): ApiError =>
  new ApiError(
    503,
    line === 'new' || line === 'left'
      ? `${name} is not enrolled. Create an enrolment code for this store first.`
      : `${name} cannot be reached at the moment. Its screens keep playing.`,
    { code: 'store_away' },
  );

const refuse = (res: ServerResponse, error: unknown, log: Parts['log']): void => {
  if (res.destroyed) return;
  if (res.headersSent) return void res.destroy();
  const isKnown = error instanceof ApiError || error instanceof NotDone;
  const code = error instanceof NotDone ? 'store_away' : (error as ApiError).code;
  if (!isKnown) log.debug('A store did not answer headquarters', { reason: (error as Error).message });
  const body = isKnown
    ? { error: error.message, ...(code && { code }) }
    : { error: 'The store does not answer. Try again in a moment.', code: 'store_away' };
  res
    .writeHead(error instanceof ApiError ? error.status : 503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(JSON.stringify(body));
};
