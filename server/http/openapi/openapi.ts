/** Creates the OpenAPI 3.1 document from the declarations. Served at `/api/openapi.json`. */
import type { z } from 'zod';
import { bodyExampleOf } from '../../../shared/contract/body-examples.ts';
import {
  type Access,
  type Endpoint,
  isList,
  isMultipart,
  isStream,
  statusesOf,
} from '../../../shared/contract/endpoint.ts';
import { ItemIdParam } from '../../../shared/contract/fields.ts';
import { NOTICES, type NoticeType, noticeExample, noticeSchema } from '../../../shared/contract/server/notices.ts';
import { TICKET_COOKIE } from '../tickets.ts';
import { IGNORED_HEADER } from './ignored-members.ts';
import { Components, type Json } from './openapi-schemas.ts';

const ERROR_SENTENCE: Record<number, string> = {
  400: 'A member is missing or wrong; the message names it',
  401: 'No valid credential',
  403: 'The credential may not do this',
  404: 'Not found in this workspace',
  409: 'It conflicts with what is there',
  410: 'It existed, but is gone',
  412: 'Somebody else changed it in the meantime (If-Match)',
  413: 'The body is too large',
  415: 'The file is of a kind that screens cannot show',
  416: 'The range lies outside the file',
  421: 'The server does not answer to this name; the message says where to add it',
  423: 'It comes from headquarters, where it is changed; a copy of it can be',
  429: 'Too many requests; Retry-After says when to come again',
  503: 'Not possible just now',
  507: 'The disk is full; nothing was changed',
};

/** Response headers of all endpoints, with their descriptions. */
export const HEADERS = {
  ETag: {
    schema: { type: 'string' },
    description: 'Of what a person can edit, or of the whole answer where that is never edited',
  },
  'X-Total-Count': { schema: { type: 'integer' }, description: 'How many there are in all, before limit and offset' },
  'Accept-Ranges': { schema: { type: 'string' } },
  'Content-Range': { schema: { type: 'string' } },
  'Content-Disposition': { schema: { type: 'string' }, description: 'A name for the file' },
  Location: { schema: { type: 'string' } },
  'WWW-Authenticate': { schema: { type: 'string' } },
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' },
  [IGNORED_HEADER]: {
    schema: { type: 'string' },
    description:
      'Members of the body that this endpoint does not take, separated by commas; `...` when there are more. Members of the record as it is returned are not named. Absent when there are none.',
  },
} as const;
/** Response headers that are sent only in some cases. */
export const OPTIONAL_HEADERS: ReadonlySet<string> = new Set([IGNORED_HEADER]);
type Header = keyof typeof HEADERS;

/** Headers of error answers. Status 503 has Retry-After if the duration is known. */
const ERROR_HEADERS: Record<number, Header[]> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const SUCCESS_WORD: Record<Endpoint['status'], string> = { 200: 'Done', 201: 'Created', 302: 'Elsewhere' };

/** Description, headers and media types of one status of an endpoint. */
export interface Expected {
  readonly description: string;
  readonly headers: readonly Header[];
  /** Media types; empty when there is no body. */
  readonly types: readonly string[];
}

/** Returns every status that an endpoint can answer with. */
export const expectedOf = (endpoint: Endpoint): Map<number, Expected> => {
  const { response, status } = endpoint;
  const features = isStream(response) ? response.features : [];
  const has = (condition: boolean, ...headers: Header[]) => (condition ? headers : []);
  const tagged = has(endpoint.etag !== false || features.includes('cached'), 'ETag');
  const named = has(features.includes('named'), 'Content-Disposition');
  const ranges = features.includes('ranges');
  const types = isStream(response) ? (status === 302 ? [] : response.stream) : ['application/json'];
  const headers = [
    ...tagged,
    ...has(isList(endpoint), 'X-Total-Count'),
    ...has(status === 302, 'Location'),
    ...has(ranges, 'Accept-Ranges'),
    ...named,
    ...has(endpoint.body !== null && !isMultipart(endpoint.body) && status !== 302, IGNORED_HEADER),
  ];
  const expected = new Map<number, Expected>([[status, { description: SUCCESS_WORD[status], headers, types }]]);
  if (ranges) expected.set(206, { description: 'The range asked for', headers: [...headers, 'Content-Range'], types });
  if (endpoint.etag === 'cached' || features.includes('cached'))
    expected.set(304, { description: 'Unchanged (If-None-Match)', headers, types: [] });
  for (const code of statusesOf(endpoint))
    expected.set(code, {
      description: ERROR_SENTENCE[code] ?? 'Error',
      headers: ERROR_HEADERS[code] ?? [],
      types: ['application/json'],
    });
  return expected;
};

const accessSentence = ({ access }: Endpoint): string => {
  if (access.kind === 'public') return 'Public.';
  if (access.kind === 'device') return 'Paired players.';
  if (access.kind === 'session') return `Sessions only: ${access.role.replaceAll('_', ' ')}.`;
  return `Scope: ${access.scope}.`;
};

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token; the scope named, or a higher one: read < write < full',
  },
  session: { type: 'http', scheme: 'bearer', description: 'A session’s token; the role named, or a higher one' },
  player: { type: 'http', scheme: 'bearer', description: 'The credential of a paired player' },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'access',
    description: 'Of an address that works by itself for a while (GET /api/content/{id}/link)',
  },
  ticketCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: TICKET_COOKIE,
    description: 'Of one download, for a while (POST /api/server/backups/{name}/ticket)',
  },
};

/** Returns the security schemes of an endpoint. Any one of them is sufficient. */
const securityOf = (access: Access): Record<string, string[]>[] => {
  if (access.kind === 'public') return [];
  if (access.kind === 'device') return [{ player: [] }];
  if (access.kind === 'session') return [{ session: [access.role] }, ...(access.ticket ? [{ ticketCookie: [] }] : [])];
  return [
    { token: [access.scope] },
    { session: [access.scope === 'read' ? 'viewer' : 'editor'] },
    ...(access.ticket ? [{ ticket: [] }] : []),
  ];
};

const NOTICE_HEADERS = [
  { name: 'X-Vitrine-Event', in: 'header', required: true, schema: { type: 'string' }, description: 'The type' },
  {
    name: 'X-Vitrine-Signature',
    in: 'header',
    schema: { type: 'string' },
    description:
      't=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body"> with the secret of the webhook, where there is one',
  },
];

class Document {
  readonly #components = new Components();
  readonly #codes = new Set<number>();
  readonly #headers = new Set<Header>();

  operation(endpoint: Endpoint): Json {
    const parameters = this.#parametersOf(endpoint);
    return {
      operationId: endpoint.name,
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: [endpoint.description, accessSentence(endpoint)].filter(Boolean).join('\n\n'),
      security: securityOf(endpoint.access),
      ...(parameters.length > 0 && { parameters }),
      ...this.#bodyOf(endpoint),
      responses: Object.fromEntries(
        [...expectedOf(endpoint)].map(([status, expected]) => [status, this.#response(endpoint, status, expected)]),
      ),
    };
  }

  /** Describes a notice as the webhook request that the receiver gets. */
  webhook(type: NoticeType): Json {
    return {
      post: {
        operationId: `notice.${type}`,
        tags: ['Notices'],
        security: [],
        summary: NOTICES[type].summary,
        parameters: NOTICE_HEADERS,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: this.#components.answer(noticeSchema(type)), example: noticeExample(type) },
          },
        },
        responses: {
          200: { description: 'Received. Any other status, or none within 10 s, is tried again five times' },
        },
      },
    };
  }

  components(): Json {
    const error = {
      description: '',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
    const responses = [...this.#codes]
      .sort((a, b) => a - b)
      .map((code) => [
        `E${code}`,
        {
          ...error,
          description: ERROR_SENTENCE[code] ?? 'Error',
          ...this.#headersOf(ERROR_HEADERS[code] ?? [], { always: code !== 503 }),
        },
      ]);
    return {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: { type: 'string', description: 'A sentence that says what happened and what to do' },
            code: { type: 'string', description: 'Stable, for programs' },
            params: {
              type: 'object',
              description: 'What the sentence names, for those who word it in another language',
            },
          },
        },
        ...Object.fromEntries(Object.entries(this.#components.schemas).sort(([a], [b]) => a.localeCompare(b))),
      },
      responses: Object.fromEntries(responses),
      headers: Object.fromEntries(
        [...this.#headers].map((name) => [name, { ...HEADERS[name], required: !OPTIONAL_HEADERS.has(name) }]),
      ),
      parameters: {
        'If-Match': {
          name: 'If-Match',
          in: 'header',
          schema: { type: 'string' },
          description: 'The ETag of what you edit',
        },
      },
    };
  }

  #response(endpoint: Endpoint, status: number, { description, headers, types }: Expected): Json {
    if (status >= 400) {
      this.#codes.add(status);
      return { $ref: `#/components/responses/E${status}` };
    }
    const { response } = endpoint;
    const schema = isStream(response) ? undefined : this.#components.answer(response);
    const content = types.map((type) => [type, { schema: schema ?? streamed(type) }]);
    return {
      description,
      ...this.#headersOf(headers),
      ...(content.length > 0 && { content: Object.fromEntries(content) }),
    };
  }

  #headersOf(names: readonly Header[], { always } = { always: true }): Json {
    if (names.length === 0) return {};
    if (!always) return { headers: Object.fromEntries(names.map((name) => [name, HEADERS[name]])) };
    for (const name of names) this.#headers.add(name);
    return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
  }

  #parametersOf(endpoint: Endpoint): Json[] {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: endpoint.params.shape[name!] === ItemIdParam ? 'integer' : 'string' },
    }));
    const ticket = endpoint.access.kind === 'token' && endpoint.access.ticket;
    const inQuery = Object.entries(endpoint.query.shape)
      .filter(([name]) => !(ticket && name === SECURITY_SCHEMES.ticket.name))
      .map(([name, schema]) => ({
        name,
        in: 'query',
        ...(!(schema as z.ZodType).safeParse(undefined).success && { required: true }),
        schema: this.#components.query(schema as z.ZodType),
      }));
    const ifMatch = endpoint.errors.includes(412) ? [{ $ref: '#/components/parameters/If-Match' }] : [];
    return [...inPath, ...inQuery, ...ifMatch];
  }

  #bodyOf({ name, body }: Endpoint): Json {
    if (body === null) return {};
    if (isMultipart(body)) {
      const form = {
        type: 'object',
        required: [body.multipart],
        properties: { [body.multipart]: { type: 'string', format: 'binary' } },
      };
      return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } };
    }
    const required = !body.safeParse({}).success;
    const example = bodyExampleOf(name);
    const json = { schema: this.#components.body(body), ...(example && { example }) };
    return { requestBody: { required, content: { 'application/json': json } } };
  }
}

/** Returns the schema of a stream: a string for text types, binary data for all others. */
const streamed = (type: string): Json =>
  /^text\/|\+?jsonl?$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' };

export const openApi = (endpoints: readonly Endpoint[], version: string): Json => {
  const document = new Document();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = document.operation(endpoint);
  }
  const types = Object.keys(NOTICES) as NoticeType[];
  const webhooks = Object.fromEntries(types.map((type) => [type, document.webhook(type)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version,
      description:
        'Digital signage for a store’s own network. To a request whose `Host` is none of the server’s names everything answers 421 (code `unknown_host`).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map((e) => e.tag)), 'Notices'].map((name) => ({ name })),
    paths,
    webhooks,
    components: document.components(),
  };
};
