/**
 * Declarations of endpoints. Each endpoint is declared once. The server binds a handler to the declaration
 * (server/http/api.ts), the OpenAPI document and the typed client are made from the declarations, and the tests in
 * test/api call every declared endpoint.
 */
import { z } from 'zod';
import type { Act, Showing } from './acts.ts';
import { Id, Success } from './fields.ts';

/** Scope of a personal access token. A higher scope includes the lower scopes. */
export const Scope = z.enum(['read', 'write', 'full']);
export type Scope = z.infer<typeof Scope>;

/**
 * Kind of caller. `token`: a token of at least this scope, or a session with a sufficient workspace role (viewer for
 * read, editor above). `session`: only a session (tokens get 401) with at least the named role. `device`: a claimed
 * player. `public`: any caller.
 */
export type Access =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'token';
      readonly scope: Scope;
      /** A ticket for exactly this address (query `access`) replaces the credential. */
      readonly ticket?: true;
    }
  | {
      readonly kind: 'session';
      readonly role: SessionRole;
      /** A ticket for exactly this address (a cookie of that address) replaces the credential. */
      readonly ticket?: true;
    }
  | { readonly kind: 'device' };

/**
 * Required role of a session. `user`: signed in. `viewer`, `editor`, `manager`: at least that role in the current
 * workspace (manager = workspace admin). `admin`: a platform role, an owner or admin of an organization, or a workspace
 * admin. `org_admin`: owner or admin of the current organization. `platform_admin`: exactly that role.
 */
export type SessionRole = 'user' | 'viewer' | 'editor' | 'manager' | 'org_admin' | 'admin' | 'platform_admin';

export const read = { kind: 'token', scope: 'read' } as const;
/** Access for requests that a browser sends without our headers: media of <video> and <audio>, and downloads. */
export const readOrTicket = { kind: 'token', scope: 'read', ticket: true } as const;
export const write = { kind: 'token', scope: 'write' } as const;
export const full = { kind: 'token', scope: 'full' } as const;
export const open = { kind: 'public' } as const;
export const session = (role: SessionRole) => ({ kind: 'session', role }) as const;
/**
 * Access for a download whose address alone must not give access and must not reveal anything in a log. The ticket of
 * the download is a cookie.
 */
export const sessionOrTicket = (role: SessionRole) => ({ kind: 'session', role, ticket: true }) as const;
export const device = { kind: 'device' } as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Answer that is not JSON. The handler sends it as a stream. */
export interface Stream {
  /** Media types that the answer may have. */
  readonly stream: readonly string[];
  /**
   * `ranges`: supports Range (206, 416). `cached`: has an ETag and supports If-None-Match (304). `named`: has a file
   * name.
   */
  readonly features: readonly StreamFeature[];
}
export type StreamFeature = 'ranges' | 'cached' | 'named';
export const stream = (mediaTypes: string | readonly string[], ...features: readonly StreamFeature[]): Stream => ({
  stream: [mediaTypes].flat(),
  features,
});

/** Body as multipart/form-data with one file in the named field. The handler reads the body itself. */
export interface Multipart {
  readonly multipart: string;
}
export const multipart = (field: string): Multipart => ({ multipart: field });

type Shape = z.ZodObject;
export type Body = z.ZodType | Multipart | null;
export type Answer = z.ZodType | Stream;

/** A request after its path, query and body were parsed by the declaration. */
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
  /** Name that never changes: operationId in OpenAPI and method of the client. */
  readonly name: string;
  readonly method: Method;
  /** Path from the origin, with parameters in braces: `{param}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /**
   * Explanation of details that the original API contract leaves open. It becomes the description in the published
   * document.
   */
  readonly description?: string;
  readonly access: A;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly status: 200 | 201 | 302;
  readonly response: R;
  /** Error statuses in addition to those from `statusesOf`. If 412 is listed, the endpoint supports If-Match. */
  readonly errors: readonly number[];
  /**
   * Whether the answer has an ETag. `true`: an ETag of the editable part of the record. `cached`: an ETag of the
   * whole answer, and If-None-Match gets 304.
   */
  readonly etag: boolean | 'cached';
  /** Maximum number of requests per minute and client address; absent: unlimited. */
  readonly perMinute?: number;
  /** Maximum size of a JSON body in bytes; a larger body gets 413. @default 1 MiB */
  readonly maxBytes: number;
  /**
   * Whether the endpoint also works on a full disk, with the reserved space, because it makes room or gives access
   * to a person who can make room. Deletions always work.
   */
  readonly necessary?: true;
  /**
   * Returns the changes that a request makes, for members with limited rights. Such members may not use a writing
   * endpoint without this declaration.
   */
  acts?(asked: Asked<P, Q, B>): readonly Act[];
  /**
   * Returns the unapproved contents that a request shows on screens, for workspaces with approval. Members who need
   * approval may not use a writing endpoint without this declaration.
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
 * Returns a function that declares endpoints under one heading of the documents. `at` is `METHOD /path`. Without
 * `params`, the parameters of the path are plain ids. Without `response`, the answer is `{ success: true }`.
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
/**
 * Returns whether the answer is an array of records. Its header X-Total-Count is the number of all records, without
 * limit and offset.
 */
export const isList = ({ response }: Pick<Endpoint, 'response'>): boolean => response instanceof z.ZodArray;

/** Returns all possible error statuses in order. A server fault (500) is not part of the contract. */
export const statusesOf = ({ method, path, access, body, response, errors, perMinute }: Endpoint): number[] => {
  const codes = new Set([...errors, 400, 421, 503]);
  const mutates = method !== 'GET';
  if (access.kind !== 'public') codes.add(401);
  // A public endpoint answers 403 only to changing requests that a page of another site could send without reading the
  // answer.
  if (access.kind === 'public' ? mutates : access.kind !== 'device') codes.add(403);
  if (path.includes('{')) codes.add(404);
  if (body) codes.add(413);
  if (isStream(response) && response.features.includes('ranges')) codes.add(416);
  if (perMinute !== undefined) codes.add(429);
  if (mutates) codes.add(507);
  // In a store, records of headquarters are read-only.
  if (mutates && access.kind === 'token' && access.scope !== 'read') codes.add(423);
  return [...codes].sort((a, b) => a - b);
};

/** Returns whether the endpoint may change something. Some read-only endpoints are POST. */
export const isWrite = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  method !== 'GET' && (access.kind === 'session' || (access.kind === 'token' && access.scope !== 'read'));

export const isNecessary = ({ method, necessary }: Pick<Endpoint, 'method' | 'necessary'>): boolean =>
  method === 'DELETE' || necessary === true;

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
/** Type of the body that a client sends. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
export type QueryInputOf<E extends Endpoint> = z.input<E['query']>;
export type AnswerOf<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;
