/** The OpenAPI 3.1 document, made from the declarations; served at `/api/openapi.json`. */
import { z } from 'zod';
import { type Endpoint, isMultipart, isStream } from '../../shared/contract/endpoint.ts';
import { ItemIdParam } from '../../shared/contract/fields.ts';

type Json = Record<string, unknown>;

const ERROR_SENTENCE: Record<number, string> = {
  400: 'A member is missing or wrong; the message names it',
  401: 'No valid credential',
  403: 'The credential may not do this',
  404: 'Not found in this workspace',
  405: 'The path does not know this method',
  409: 'It conflicts with what is there',
  410: 'It existed, but is gone',
  412: 'Somebody else changed it in the meantime (If-Match)',
  413: 'The body is too large',
  415: 'The file is of a kind that screens cannot show',
  416: 'The range lies outside the file',
  429: 'Too many requests; Retry-After says when to come again',
  503: 'Not possible just now',
  507: 'The disk is full; nothing was changed',
};

/** `io` matters: what is sent may leave out what has a default, what is returned may not. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return json;
};

const accessSentence = (endpoint: Endpoint): string => {
  const { access } = endpoint;
  if (access.kind === 'public') return 'Public.';
  if (access.kind === 'device') return 'For paired players.';
  if (access.kind === 'session') return `For a signed-in session (${access.role.replaceAll('_', ' ')}); personal access tokens are refused.`;
  return `Minimum token scope: ${access.scope}.`;
};

const errorsOf = (endpoint: Endpoint): number[] => {
  const codes = new Set(endpoint.errors);
  if (Object.keys(endpoint.query.shape).length > 0 || endpoint.body) codes.add(400);
  if (endpoint.access.kind !== 'public') codes.add(401).add(403);
  if (endpoint.body && !isMultipart(endpoint.body)) codes.add(413);
  if (endpoint.perMinute) codes.add(429);
  return [...codes].sort();
};

const parametersOf = (endpoint: Endpoint): Json[] => {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: endpoint.params.shape[name!] === ItemIdParam ? 'integer' : 'string' },
  }));
  const inQuery = Object.entries(endpoint.query.shape).map(([name, schema]) => {
    const json = schemaOf(schema as z.ZodType, 'input');
    return { name, in: 'query', required: !(schema as z.ZodType).safeParse(undefined).success, schema: Object.keys(json).length > 0 ? json : { type: 'string' } };
  });
  const ifMatch =
    endpoint.etag && endpoint.method !== 'GET' && endpoint.errors.includes(412)
      ? [{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string' }, description: 'The ETag of what you edit' }]
      : [];
  return [...inPath, ...inQuery, ...ifMatch];
};

const bodyOf = (endpoint: Endpoint): Json => {
  if (endpoint.body === null) return {};
  if (isMultipart(endpoint.body)) {
    const form = { type: 'object', required: [endpoint.body.multipart], properties: { [endpoint.body.multipart]: { type: 'string', format: 'binary' } } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } };
  }
  const required = !endpoint.body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } };
};

const responsesOf = (endpoint: Endpoint): Json => {
  const headers = {
    ...(endpoint.etag && { ETag: { schema: { type: 'string' }, description: 'Of what a person can edit' } }),
    ...(endpoint.paged && { 'X-Total-Count': { schema: { type: 'integer' }, description: 'How many there are in all' } }),
    ...(endpoint.status === 302 && { Location: { schema: { type: 'string' } } }),
  };
  const content = isStream(endpoint.response)
    ? { [endpoint.response.stream]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: schemaOf(endpoint.response, 'output') } };
  const success = { description: endpoint.summary, ...(Object.keys(headers).length > 0 && { headers }), ...(endpoint.status !== 302 && { content }) };
  const failures = errorsOf(endpoint).map((code) => [code, { $ref: `#/components/responses/E${code}` }]);
  return { [endpoint.status]: success, ...Object.fromEntries(failures) };
};

/** @param endpoints all that the server binds */
export const openApi = (endpoints: readonly Endpoint[], version: string): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = {
      operationId: endpoint.name,
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: [endpoint.description, accessSentence(endpoint)].filter(Boolean).join('\n\n'),
      security: endpoint.access.kind === 'public' ? [] : [{ bearer: [] }],
      ...(parametersOf(endpoint).length > 0 && { parameters: parametersOf(endpoint) }),
      ...bodyOf(endpoint),
      responses: responsesOf(endpoint),
    };
  }
  const codes = new Set(endpoints.flatMap(errorsOf));
  return {
    openapi: '3.1.0',
    info: { title: 'Vitrine', version, description: 'Digital signage for a store’s own network.', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map((e) => e.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token, a session token, or a player’s credential' } },
      schemas: { Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' }, code: { type: 'string' } } } },
      responses: Object.fromEntries(
        [...codes]
          .sort()
          .map((code) => [`E${code}`, { description: ERROR_SENTENCE[code] ?? 'Error', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }]),
      ),
    },
  };
};
