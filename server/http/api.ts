/**
 * Binds declared endpoints to handlers and answers requests: credentials, scope or role, limits, validation, handler,
 * commit, response, errors. The order is the same for every endpoint, so no handler can skip a step.
 */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import {
  type Access,
  type Answer,
  type AnswerOf,
  type Asked,
  type BodyOf,
  type Endpoint,
  isList,
  isMultipart,
  isNecessary,
  isStream,
  type ParamsOf,
  type QueryOf,
} from '../../shared/contract/endpoint.ts';
import { ApiError, diskFull, forbidden } from '../../shared/contract/errors.ts';
import { WINDOW_HEADER, WindowId } from '../../shared/protocol/window.ts';
import type { Database } from '../db/database.ts';
import { diskTrouble } from '../kernel/disk/disk-trouble.ts';
import { asNecessary } from '../kernel/disk/necessity.ts';
import type { Versioned } from '../kernel/revision.ts';
import type { Actor, DeviceActor, TicketHolder, WorkspaceActor } from '../kernel/trust/actor.ts';
import { type Authenticate, permit } from './credentials.ts';
import { describeError, type ErrorLog } from './errors.ts';
import type { ClientAddresses } from './hosts/client-address.ts';
import type { SameOrigin } from './hosts/same-origin.ts';
import { readJson } from './limits/json-body.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { watchHead } from './openapi/answer-check.ts';
import { IGNORED_HEADER, IgnoredMembers } from './openapi/ignored-members.ts';
import { RouteTable } from './route-table.ts';
import { type Tickets, ticketIn } from './tickets.ts';
import { parseOr400, readQuery } from './validation.ts';

type ActorOf<A extends Access> = A extends { kind: 'token'; ticket: true }
  ? WorkspaceActor | TicketHolder
  : A extends { kind: 'token' }
    ? WorkspaceActor
    : A extends { kind: 'session'; ticket: true }
      ? Actor | TicketHolder
      : A extends { kind: 'session' }
        ? Actor
        : A extends { kind: 'device' }
          ? DeviceActor
          : null;

export interface Context<E extends Endpoint> {
  readonly actor: ActorOf<E['access']>;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly ip: string;
  /** Revision of the record that the client has read and wants to change, for `checkRevision`. */
  readonly ifMatch: string | undefined;
  /** The HTTP request. Only handlers of streams and uploads use it (like `res`). */
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /**
   * Checks the credentials and rights again, before a handler saves data that took long to arrive.
   * @throws ApiError
   * 401, 403
   */
  stillMay(): void;
}

/** Answer of a handler with headers beside the body. */
export class Reply<T> {
  readonly body: T;
  readonly etag: string | undefined;
  readonly total: number | undefined;
  readonly location: string | undefined;
  constructor(body: T, more: { etag?: number | string; total?: number; location?: string } = {}) {
    this.body = body;
    this.etag = more.etag === undefined ? undefined : `"${more.etag}"`;
    this.total = more.total;
    this.location = more.location;
  }
}

/** Returns an answer with a record and its revision as ETag. */
export const withTag = <T>({ record, revision }: Versioned<T>): Reply<T> => new Reply(record, { etag: revision });

/**
 * JSON that is already serialized, for example a cached list. Handlers return it instead of a value, so that the value
 * is not serialized for each request.
 */
export class RawJson {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
  readonly total: number | undefined;
  /**
   * Whether the ETag covers all bytes of the answer, so that a client with the same ETag gets 304. The ETag of a
   * record covers only the part that people edit.
   */
  readonly tagsAll: boolean;
  constructor(bytes: Buffer, more: { etag?: string; total?: number; tagsAll?: boolean } = {}) {
    this.bytes = bytes;
    this.etag = more.etag;
    this.total = more.total;
    this.tagsAll = more.tagsAll ?? true;
  }
}

/**
 * Returns serialized JSON with a hash of its bytes as ETag, so that a client that polls gets the body only when it
 * changes.
 */
export const taggedJson = (value: unknown): RawJson => {
  const bytes = Buffer.from(JSON.stringify(value));
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return new RawJson(bytes, { etag: `"${hash.slice(0, 22)}"` });
};

/** Returns the JSON of a record, and inserts the already serialized value `ready` as the field `name`. */
export const withReady = ({ record, revision }: Versioned<object>, name: string, ready: RawJson): RawJson => {
  const head = Buffer.from(`${JSON.stringify(record).slice(0, -1)},"${name}":`);
  return new RawJson(Buffer.concat([head, ready.bytes, CLOSE]), { etag: `"${revision}"`, tagsAll: false });
};
const CLOSE = Buffer.from('}');

type Answered<E extends Endpoint> = AnswerOf<E> | Reply<AnswerOf<E>> | RawJson;
type Handler<E extends Endpoint> = (context: Context<E>) => Answered<E> | Promise<Answered<E>>;

export interface Bound {
  readonly endpoint: Endpoint;
  readonly handle: (context: Context<Endpoint>) => unknown;
}

export const bind = <E extends Endpoint>(endpoint: E, handle: Handler<E>): Bound => ({
  endpoint,
  handle: handle as unknown as Bound['handle'],
});

/**
 * Maximum number of attempts of a request, including the first. A read is repeated after a concurrent write failed; the
 * second attempt usually succeeds.
 */
const TRIES = 4;

interface ApiDependencies {
  readonly db: Pick<Database, 'durable'>;
  /** Whether the disk is almost full. The server then processes only necessary requests. @default enough space */
  readonly room?: { readonly isScarce: boolean };
  readonly authenticate: Authenticate;
  /** Checks the rights of limited members and visitors. All other actors may do what their role allows. */
  readonly rights: { require(endpoint: Endpoint, actor: Actor, asked: Asked): void };
  readonly rateLimits: RateLimits;
  readonly tickets: Tickets;
  readonly log: ErrorLog;
  readonly newRequestId: () => string;
  readonly addresses: ClientAddresses;
  readonly sameOrigin: SameOrigin;
  /** Whether an answer that does not match its declared schema fails the request. Only for tests. @default false */
  readonly checkAnswers?: boolean;
}

export class Api {
  readonly #routes: RouteTable<Bound>;
  readonly #ignored: IgnoredMembers;
  /** Parsed JSON bodies as clients sent them, before validation removes unknown fields. */
  readonly #sent = new WeakMap<IncomingMessage, unknown>();
  readonly #deps: ApiDependencies;

  constructor(bound: readonly Bound[], deps: ApiDependencies) {
    this.#routes = new RouteTable(bound);
    this.#ignored = new IgnoredMembers(bound.map(({ endpoint }) => endpoint));
    this.#deps = deps;
  }

  /** Answers all requests under `/api/`. Never rejects. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const requestId = this.#deps.newRequestId();
    try {
      await this.#answer(req, res, requestId).catch((error: unknown) => this.#fail(req, res, requestId, error));
    } catch (undeclared) {
      this.#fail(req, res, requestId, undeclared);
    }
  }

  async #answer(req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> {
    const { path, query } = readQuery(req.url ?? '/');
    const { bound, params } = this.#routes.find(req.method ?? 'GET', path);
    const { endpoint } = bound;
    if (this.#deps.checkAnswers) watchHead(res, endpoint);
    const ip = this.#deps.addresses.of(req);
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (endpoint.access.kind === 'public' && isBlind(req) && !this.#deps.sameOrigin.includes(req)) {
      throw forbidden('A page of another site may not do this. Send JSON with Content-Type: application/json.');
    }
    if (endpoint.perMinute !== undefined) this.#deps.rateLimits.countRequest(endpoint.name, ip, endpoint.perMinute);

    const ticket = req.headers.authorization ? undefined : ticketOf(endpoint.access, req, query);
    const holder = ticket ? this.#deps.tickets.open(ticket, path) : undefined;
    const whoAsks = () =>
      inWindow(permit(endpoint.access, this.#deps.authenticate(req.headers.authorization, ip, endpoint.access)), req);
    const actor = holder ? { ...holder, ip } : whoAsks();
    if (actor && 'mustChangePassword' in actor && actor.mustChangePassword && !endpoint.path.endsWith('/auth/me')) {
      throw forbidden('Change your password first (PUT /api/auth/me).', 'password_change_required');
    }
    const context: Context<Endpoint> = {
      actor: actor as ActorOf<Access>,
      params: parseOr404(endpoint.params, params, path) as ParamsOf<Endpoint>,
      query: parseOr400(endpoint.query, query, 'query') as QueryOf<Endpoint>,
      body: (endpoint.body === null || isMultipart(endpoint.body)
        ? undefined
        : await this.#bodyOf(endpoint, endpoint.body, req, res)) as BodyOf<Endpoint>,
      ip,
      ifMatch: headerOf(req, 'if-match'),
      req,
      res,
      stillMay: () => this.#requireRights(endpoint, whoAsks(), context),
    };
    this.#requireRights(endpoint, actor, context);
    const answered = await this.#handle(bound, context);
    if (isStream(endpoint.response) && !(answered instanceof Reply)) return;
    this.#send(req, res, endpoint, answered);
  }

  /** Reads and checks the body. Lists ignored fields in a response header. */
  async #bodyOf(endpoint: Endpoint, schema: z.ZodType, req: IncomingMessage, res: ServerResponse): Promise<unknown> {
    const sent = await readJson(req, endpoint.maxBytes);
    const body = parseOr400(schema, sent, 'body');
    this.#sent.set(req, sent);
    const ignored = this.#ignored.of(endpoint, sent);
    if (ignored !== undefined) res.setHeader(IGNORED_HEADER, ignored);
    return body;
  }

  #requireRights(endpoint: Endpoint, actor: Actor | DeviceActor | TicketHolder | null, asked: Asked): void {
    if (actor && 'limits' in actor && (actor.limits !== null || actor.needsApproval || actor.visits))
      this.#deps.rights.require(endpoint, actor, asked);
  }

  /**
   * Runs the handler and waits for the commit. A read may see uncommitted writes of the same turn of the event loop.
   * When these writes are lost, the read runs again instead of failing because of another request. A necessary request
   * that finds the disk full is tried again with the reserve.
   */
  async #handle({ endpoint, handle }: Bound, context: Context<Endpoint>): Promise<unknown> {
    const isRead = endpoint.method === 'GET';
    const mustGoOn = isNecessary(endpoint);
    if (!isRead && !mustGoOn && this.#deps.room?.isScarce) throw diskFull();
    for (let left = TRIES - 1; ; left--) {
      try {
        const answered = mustGoOn ? await asNecessary(() => handle(context)) : await handle(context);
        // Waits for the commit, unless a read has already sent its answer, which cannot be taken back.
        if (!isRead || !context.res.headersSent) await this.#deps.db.durable();
        return answered;
      } catch (error) {
        const trouble = diskTrouble(error);
        const mayHelp = isRead ? trouble !== undefined : mustGoOn && trouble === 'full' && this.#deps.room?.isScarce;
        if (left === 0 || !mayHelp || context.res.headersSent) throw error;
      }
    }
  }

  #send(req: IncomingMessage, res: ServerResponse, endpoint: Endpoint, answered: unknown): void {
    const raw = answered instanceof RawJson ? answered : undefined;
    const reply = answered instanceof Reply ? answered : undefined;
    if (reply?.location !== undefined) {
      res.writeHead(endpoint.status, { Location: reply.location, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const value = reply ? reply.body : answered;
    if (this.#deps.checkAnswers && !isStream(endpoint.response))
      checkAnswer(endpoint.response, raw ? JSON.parse(raw.bytes.toString()) : value, endpoint.name);
    const ignored = raw ? undefined : this.#ignored.of(endpoint, this.#sent.get(req), value);
    if (ignored !== undefined) res.setHeader(IGNORED_HEADER, ignored);
    const etag = raw?.etag ?? reply?.etag;
    const total = isList(endpoint) ? (raw?.total ?? reply?.total ?? wholeLength(endpoint, value)) : undefined;
    if (etag !== undefined) res.setHeader('ETag', etag);
    if (total !== undefined) res.setHeader('X-Total-Count', total);
    res.setHeader('Cache-Control', etag === undefined ? 'no-store' : 'private, no-cache');
    if (raw?.tagsAll && raw.etag !== undefined && headerOf(req, 'if-none-match') === raw.etag) {
      res.writeHead(304).end();
      return;
    }
    const bytes = raw ? raw.bytes : Buffer.from(JSON.stringify(value));
    res.writeHead(endpoint.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
    });
    res.end(req.method === 'HEAD' ? undefined : bytes);
  }

  #fail(req: IncomingMessage, res: ServerResponse, requestId: string, error: unknown): void {
    const { status, body, headers } = describeError(error, requestId);
    this.#deps.log.failed({
      requestId,
      method: req.method ?? '',
      path: (req.url ?? '').split('?')[0] ?? '',
      status,
      error,
    });
    if (res.headersSent || res.writableEnded) {
      res.destroy();
      return;
    }
    for (const name of [IGNORED_HEADER, 'ETag', 'X-Total-Count', 'Content-Disposition', 'Accept-Ranges'])
      res.removeHeader(name);
    const bytes = Buffer.from(JSON.stringify(body));
    // Closes the connection, because the unread rest of the body would be parsed as the next request on this
    // connection.
    const close = req.complete ? {} : { Connection: 'close' };
    res.writeHead(status, {
      ...headers,
      ...close,
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
    });
    res.end(bytes);
  }
}

/** Returns the ticket of a request if the endpoint accepts tickets; undefined when there is none. */
const ticketOf = (access: Access, req: IncomingMessage, query: Record<string, string>): string | undefined => {
  if (access.kind === 'token' && access.ticket) return query['access'];
  return access.kind === 'session' && access.ticket ? ticketIn(req) : undefined;
};

/**
 * Returns whether a page of any site could have sent this request. Browsers post forms and plain text to any address
 * without asking, and such a request could create the first account of a server whose address the page guesses. JSON
 * requires a preflight request, which this server always refuses.
 */
const isBlind = ({ method, headers: { 'content-type': type } }: IncomingMessage): boolean =>
  method !== 'GET' && method !== 'HEAD' && !type?.startsWith('application/json');

/** Parses path parameters. An invalid id gives a 404, because no record can have it. */
const parseOr404 = (schema: z.ZodType, params: Record<string, string>, path: string): unknown => {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new ApiError(404, `There is nothing at ${path}`);
  return parsed.data;
};

/**
 * Returns the total for a list that is sent completely. A handler that returns a page of a list, or serialized JSON,
 * must set the total itself.
 */
const wholeLength = ({ name, query }: Endpoint, value: unknown): number => {
  if (!Array.isArray(value) || 'limit' in query.shape)
    throw new Error(`${name} does not tell how many there are in all`);
  return value.length;
};

const WINDOW = WINDOW_HEADER.toLowerCase();
/** Adds the id of the admin window to the actor. An invalid id is ignored. */
const inWindow = (actor: Actor | DeviceActor | null, req: IncomingMessage): Actor | DeviceActor | null => {
  const said = req.headers[WINDOW];
  if (said === undefined || !actor || !('via' in actor)) return actor;
  const window = WindowId.safeParse(said);
  return window.success ? { ...actor, window: window.data } : actor;
};

const headerOf = (req: IncomingMessage, name: 'if-match' | 'if-none-match'): string | undefined =>
  req.headers[name] || undefined;

const checkAnswer = (schema: Exclude<Answer, { stream: string }>, value: unknown, name: string) => {
  const parsed = (schema as z.ZodType).safeParse(JSON.parse(JSON.stringify(value)));
  if (!parsed.success) throw new Error(`${name} answered what it does not declare: ${parsed.error.message}`);
};
