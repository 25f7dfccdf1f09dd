/**
 * One declaration per endpoint: everything the outside needs to know about it, once. The server binds a handler to it
 * (server/http/api.ts), the OpenAPI document and the typed client are made from it, and test/api walks the list.
 */
import { z } from 'zod';
import type { Act, Showing } from './acts.ts';
import { Id, Success } from './fields.ts';

/** Of a personal access token; a higher one includes the lower ones. */
export const Scope = z.enum(['read', 'write', 'full']);
export type Scope = z.infer<typeof Scope>;

/**
 * Who may call. `token`: a token of at least this scope, or a session whose workspace role suffices (viewer for read,
 * editor above). `session`: a session only (tokens are 401), with at least the role named. `device`: a claimed player.
 * `public`: anybody.
 */
export type Access =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'token';
      readonly scope: Scope;
      /** Without a credential, a ticket for this very address will do (query `access`). */
      readonly ticket?: true;
    }
  | {
      readonly kind: 'session';
      readonly role: SessionRole;
      /** Without a credential, a ticket for this very address will do (a cookie of that address). */
      readonly ticket?: true;
    }
  | { readonly kind: 'device' };

/**
 * `user`: signed in. `viewer`, `editor`, `manager`: at least that role in the current workspace (manager = workspace
 * admin). `admin`: a platform role, an organization's owner or admin, or a workspace admin. `org_admin`: owner or admin
 * of the current organization. `platform_admin`: that.
 */
export type SessionRole = 'user' | 'viewer' | 'editor' | 'manager' | 'org_admin' | 'admin' | 'platform_admin';

export const read = { kind: 'token', scope: 'read' } as const;
/** For what a browser fetches by itself, without our headers: the sound and pictures of a <video>, a download. */
export const readOrTicket = { kind: 'token', scope: 'read', ticket: true } as const;
export const write = { kind: 'token', scope: 'write' } as const;
export const full = { kind: 'token', scope: 'full' } as const;
export const open = { kind: 'public' } as const;
export const session = (role: SessionRole) => ({ kind: 'session', role }) as const;
/** For a download that no address may open and no log may tell of: its ticket is a cookie. */
export const sessionOrTicket = (role: SessionRole) => ({ kind: 'session', role, ticket: true }) as const;
export const device = { kind: 'device' } as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Answers that are not JSON; the handler streams them itself. */
export interface Stream {
  /** Media types it can have. */
  readonly stream: readonly string[];
  /**
   * `ranges`: Range is honoured (206, 416). `cached`: has an ETag, If-None-Match is honoured (304). `named`: tells a
   * file name.
   */
  readonly features: readonly StreamFeature[];
}
export type StreamFeature = 'ranges' | 'cached' | 'named';
export const stream = (mediaTypes: string | readonly string[], ...features: readonly StreamFeature[]): Stream => ({
  stream: [mediaTypes].flat(),
  features,
});

/** A multipart/form-data body with one file in the named field; the handler reads the request itself. */
export interface Multipart {
  readonly multipart: string;
}
export const multipart = (field: string): Multipart => ({ multipart: field });

type Shape = z.ZodObject;
export type Body = z.ZodType | Multipart | null;
export type Answer = z.ZodType | Stream;

/** A request as its declaration reads it. */
export interface Asked<P extends Shape = Shape, Q extends Shape = Shape, B extends Body = Body> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: B extends z.ZodType ? z.output<B> : undefined;
}

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Body = Body,
  R extends Answer = Answer,
  A extends Access = Access,
> {
  /** Stable name: the OpenAPI operationId and the client's method. */
  readonly name: string;
  readonly method: Method;
  /** From the origin, `{param}` in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What the contract leaves open and we decided; becomes the description in the published document. */
  readonly description?: string;
  readonly access: A;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly status: 200 | 201 | 302;
  readonly response: R;
  /** Error statuses besides those that follow from the rest (`statusesOf`). With 412, If-Match is honoured. */
  readonly errors: readonly number[];
  /**
   * The answer carries an ETag: of what a person can edit of the record, or with `cached` of the whole answer
   * (If-None-Match: 304).
   */
  readonly etag: boolean | 'cached';
  /** Requests per minute and client address; absent: unlimited. */
  readonly perMinute?: number;
  /** Larger JSON bodies are 413. @default 1 MiB */
  readonly maxBytes: number;
  /**
   * Goes on when the disk is full, with what is kept for that: it lets somebody in who can make room, or makes it. What
   * deletes always does.
   */
  readonly necessary?: true;
  /**
   * What it changes, for members who may not change everything; where a writing endpoint does not say, they are refused.
   */
  acts?(asked: Asked<P, Q, B>): readonly Act[];
  /**
   * What it puts on screens that nobody has approved, where publishing needs approval; where a writing endpoint does not
   * say, whoever needs it is refused.
   */
  shows?(asked: Asked<P, Q, B>): readonly Showing[];
}

const none = z.object({});
type None = typeof none;

type Defaulted = 'params' | 'query' | 'body' | 'status' | 'response' | 'errors' | 'etag' | 'maxBytes';
type Declaration<P extends Shape, Q extends Shape, B extends Body, R extends Answer, A extends Access> = Omit<
  Endpoint<P, Q, B, R, A>,
  Defaulted | 'method' | 'path' | 'tag' | 'acts' | 'shows'
> &
  Partial<Pick<Endpoint<P, Q, B, R, A>, Defaulted>> & {
    readonly acts?: (asked: Asked<P, Q, B>) => readonly Act[];
    readonly shows?: (asked: Asked<P, Q, B>) => readonly Showing[];
  };

type MembersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | MembersOf<Rest>
  : never;
type Ids<Path extends string> = z.ZodObject<Record<MembersOf<Path>, typeof Id>>;

/**
 * Returns what declares endpoints under one heading of the documents. `at` is `METHOD /path`; without `params` the
 * members of the path in braces are plain ids, without `response` the answer is `{ success: true }`.
 */
export const endpointsOf =
  (tag: string) =>
  <
    At extends `${Method} /${string}`,
    A extends Access,
    R extends Answer = typeof Success,
    P extends Shape = Ids<At>,
    Q extends Shape = None,
    B extends Body = null,
  >(
    at: At,
    declared: Declaration<P, Q, B, R, A>,
  ): Endpoint<P, Q, B, R, A> => {
    const [method, path] = at.split(' ') as [Method, string];
    const ids = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, Id]));
    return {
      status: 200,
      errors: [],
      etag: false,
      maxBytes: 1024 * 1024,
      query: none as unknown as Q,
      body: null as B,
      params: z.object(ids) as unknown as P,
      response: Success as unknown as R,
      ...declared,
      tag,
      method,
      path,
    };
  };

export const isStream = (a: Answer): a is Stream => 'stream' in a;
export const isMultipart = (b: Body): b is Multipart => b !== null && 'multipart' in b;
/** The answer is an array of records: it carries X-Total-Count, the number of all of them, before limit and offset. */
export const isList = ({ response }: Pick<Endpoint, 'response'>): boolean => response instanceof z.ZodArray;

/** Every status of an error that can come, in order. A fault of ours (500) is none of the contract. */
export const statusesOf = ({ method, path, access, body, response, errors, perMinute }: Endpoint): number[] => {
  const codes = new Set([...errors, 400, 421, 503]);
  const mutates = method !== 'GET';
  if (access.kind !== 'public') codes.add(401);
  // Of a public one only what a page of another site could post blindly is refused.
  if (access.kind === 'public' ? mutates : access.kind !== 'device') codes.add(403);
  if (path.includes('{')) codes.add(404);
  if (body) codes.add(413);
  if (isStream(response) && response.features.includes('ranges')) codes.add(416);
  if (perMinute !== undefined) codes.add(429);
  if (mutates) codes.add(507);
  // What is headquarters' nobody in a store changes.
  if (mutates && access.kind === 'token' && access.scope !== 'read') codes.add(423);
  return [...codes].sort((a, b) => a - b);
};

/** Whether it may change something: of those that only read, some are sent as POST. */
export const isWrite = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  method !== 'GET' && (access.kind === 'session' || (access.kind === 'token' && access.scope !== 'read'));

export const isNecessary = ({ method, necessary }: Pick<Endpoint, 'method' | 'necessary'>): boolean =>
  method === 'DELETE' || necessary === true;

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
/** What a client sends. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
export type QueryInputOf<E extends Endpoint> = z.input<E['query']>;
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;
