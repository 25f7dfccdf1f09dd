/** The content of the published document, and the result of a public linter. Needs no internet. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Access, type Endpoint, isList } from '../../shared/contract/endpoint.ts';
import { type Site, startSite, tempFolder } from '../harness.ts';
import { ERROR_STATUSES } from './errors.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
/** Runs the linter without telemetry. */
const redocly = (folder: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js'), ...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });

/**
 * The recommended rules as errors, except four that do not fit the contract: a redirect has no 2xx (verify-email),
 * health and the document itself declare no error, the paths are as in the contract (`layouts/{id}/zones` beside
 * `layouts/device/{deviceId}`), and tags need no description.
 */
const RULES = `extends: [recommended-strict]
rules:
  operation-2xx-response: off
  operation-4xx-response: off
  no-ambiguous-paths: off
  tag-description: off
`;

const published = async (t: TestContext, site: Site) => {
  const folder = tempFolder(t);
  const { status, body } = await site.call('GET', '/api/openapi.json');
  assert.equal(status, 200);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
  return { folder, document: body };
};

test('published document passes a public linter without an error', async (t) => {
  const { folder } = await published(t, await startSite(t));
  writeFileSync(join(folder, 'redocly.yaml'), RULES);
  const { stdout } = await redocly(
    folder,
    'lint',
    'openapi.json',
    '--config',
    'redocly.yaml',
    '--format',
    'json',
    '--max-problems',
    '1000',
  ).catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    [],
  );
  assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
});

/** Returns the security schemes that an endpoint accepts. */
const WAYS: Record<Access['kind'], (endpoint: Endpoint) => string[]> = {
  public: () => [],
  device: () => ['player'],
  session: ({ access }) => ['session', ...('ticket' in access && access.ticket ? ['ticketCookie'] : [])],
  token: ({ access }) => ['token', 'session', ...('ticket' in access ? ['ticket'] : [])],
};

test('published document has every endpoint with its credential, its errors and a schema for every answer', async (t) => {
  const site = await startSite(t);
  const { document } = await published(t, site);
  assert.match(document.openapi, /^3\.1/);
  for (const endpoint of site.app.endpoints) {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    const name = `${endpoint.method} ${endpoint.path}`;
    assert.ok(operation, name);
    assert.deepEqual(
      operation.security.map((way: object) => Object.keys(way)[0]),
      WAYS[endpoint.access.kind](endpoint),
      name,
    );
    if (endpoint.access.kind === 'token')
      assert.deepEqual(operation.security[0], { token: [endpoint.access.scope] }, name);
    if (endpoint.access.kind === 'session')
      assert.deepEqual(operation.security[0], { session: [endpoint.access.role] }, name);
    if (endpoint.status !== 302)
      assert.ok(Object.values<any>(operation.responses[endpoint.status].content)[0].schema, name);
    for (const status of ERROR_STATUSES(endpoint)) assert.ok(operation.responses[status], `${name} ${status}`);
    if (isList(endpoint)) assert.ok(operation.responses[200].headers['X-Total-Count'], name);
    if (endpoint.etag !== false) assert.ok(operation.responses[endpoint.status].headers.ETag, name);
    for (const parameter of operation.parameters ?? [])
      assert.ok(parameter.schema ?? parameter.$ref, `${name} ${parameter.name}`);
  }
});

type Json = Record<string, any>;
/** Returns every schema in a part of the document, with the location of the schema. */
const schemasIn = (part: unknown, at = ''): [where: string, schema: Json][] => {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.entries(part).flatMap(([key, value]) => schemasIn(value, `${at}/${key}`));
  return 'type' in part || 'properties' in part || '$ref' in part ? [[at, part], ...inner] : inner;
};
const operationsOf = (document: Json): Json[] =>
  Object.values<Json>(document['paths']).flatMap((path) => Object.values<Json>(path));

test('records are named components, and the common form of an error is a named component', async (t) => {
  const { document } = await published(t, await startSite(t));
  const { schemas, responses } = document.components;
  const records = [
    ...[
      'Device',
      'DeviceDetail',
      'Playlist',
      'PlaylistItem',
      'PlaylistWithItems',
      'ScheduleBlock',
      'Content',
      'Folder',
      'Layout',
      'Zone',
      'Widget',
      'KioskPage',
      'Group',
    ],
    ...[
      'Schedule',
      'ScheduleInstance',
      'Wall',
      'WallMember',
      'PlayRow',
      'Summary',
      'UptimeRow',
      'ActivityEntry',
      'Token',
      'User',
      'Me',
      'Workspace',
      'Member',
      'Invite',
      'Error',
    ],
  ];
  assert.deepEqual(
    records.filter((name) => schemas[name]?.type !== 'object'),
    [],
  );
  // An inline schema with the same fields as a component is a fault: a generator would make a second type of it.
  const members = new Map<string, string>();
  for (const [name, { properties }] of Object.entries<Json>(schemas))
    if (properties) members.set(JSON.stringify(properties), name);
  const inline = schemasIn(document.paths).filter(([, schema]) => members.has(JSON.stringify(schema['properties'])));
  assert.deepEqual(
    inline.map(([where, schema]) => `${where} is ${members.get(JSON.stringify(schema['properties']))}`),
    [],
  );
  for (const [name, response] of Object.entries<Json>(responses)) {
    assert.deepEqual(
      response['content'],
      { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      name,
    );
  }
  for (const { operationId, responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries<Json>(responses))
      if (Number(status) >= 400) assert.deepEqual(response, { $ref: `#/components/responses/E${status}` }, operationId);
  }
  // A schema that a contract module exports becomes a component only if openapi-schemas.ts searches this module.
  const source = readFileSync(join(root, 'server', 'http', 'openapi', 'openapi-schemas.ts'), 'utf8');
  const modules = readdirSync(join(root, 'shared', 'contract'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      /export const [A-Z]\w+ = z/.test(readFileSync(join(root, 'shared', 'contract', file), 'utf8')),
  );
  assert.deepEqual(
    modules.filter((file) => !source.includes(`/contract/${file}'`)),
    [],
  );
});

test('published document allows further fields in answers, and unknown fields in requests', async (t) => {
  const { document } = await published(t, await startSite(t));
  const closed = schemasIn(document).filter(([, schema]) => schema['additionalProperties'] === false);
  assert.deepEqual(
    closed.map(([where]) => where),
    [],
  );
  // A generator treats a field with a default as always present, also in a request.
  const forced = schemasIn(Object.values(document.components.schemas)).filter(([, schema]) => 'default' in schema);
  assert.deepEqual(
    forced.map(([where]) => where),
    [],
  );
});

test('query numbers have bounds and defaults, enums list their words, and passwords have their length', async (t) => {
  const { document } = await published(t, await startSite(t));
  const query = (path: string) =>
    Object.fromEntries(
      document.paths[path].get.parameters
        .filter((each: Json) => each['in'] === 'query')
        .map(({ name, schema }: Json) => [name, schema]),
    );
  const from = (minimum: number, more: Json) => ({ type: 'integer', minimum, ...more });
  for (const [path, fallback, maximum] of [
    ['/api/content', 100, 500],
    ['/api/devices', 100, 500],
    ['/api/reports/plays', 500, 5000],
    ['/api/activity', 50, 200],
  ] as const) {
    assert.deepEqual(
      [query(path).limit, query(path).offset],
      [from(1, { maximum, default: fallback }), from(0, { default: 0 })],
      path,
    );
  }
  assert.deepEqual(query('/api/devices/{id}/telemetry').hours, from(1, { maximum: 720, default: 24 }));
  assert.deepEqual(query('/api/devices/{id}/screenshot').fresh, { type: 'boolean', default: false });
  assert.deepEqual(query('/api/reports/summary').group_by, {
    type: 'string',
    enum: ['content', 'device', 'hour', 'day'],
  });
  assert.deepEqual(query('/api/content').sort, {
    type: 'string',
    enum: ['newest', 'oldest', 'name', 'size'],
    default: 'newest',
  });
  for (const { operationId, parameters = [] } of operationsOf(document)) {
    for (const { name, schema } of parameters)
      if (schema) assert.match(schema.type ?? 'none', /^(string|integer|boolean)$/, `${operationId} ${name}`);
  }
  const body = (method: string, path: string) =>
    document.paths[path][method].requestBody.content['application/json'].schema.properties.password.minLength;
  assert.deepEqual(
    [body('post', '/api/auth/register'), body('put', '/api/auth/me'), body('put', '/api/auth/users/{id}/password')],
    [8, 8, 8],
  );
});

test('every status, media type and header that the server sends is declared', async (t) => {
  const { document } = await published(t, await startSite(t));
  const of = (method: string, path: string) => document.paths[path][method].responses;
  const statuses = (method: string, path: string) => Object.keys(of(method, path)).map(Number);
  for (const [method, path, expected] of [
    ['post', '/api/playlists/{id}/discard', [200, 400, 401, 403, 404, 412, 421, 423, 503, 507]],
    ['delete', '/api/auth/users/{id}', [200, 400, 401, 403, 404, 409, 421, 503, 507]],
    ['post', '/api/auth/totp/setup', [200, 400, 401, 403, 409, 421, 503, 507]],
    ['post', '/api/auth/login', [200, 400, 401, 403, 413, 421, 429, 503, 507]],
    ['post', '/api/content', [201, 400, 401, 403, 404, 413, 415, 421, 423, 503, 507]],
    ['get', '/api/content/{id}/file', [200, 206, 304, 400, 401, 403, 404, 416, 421, 503]],
    ['post', '/api/widgets/preview', [200, 400, 401, 403, 413, 421, 423, 429, 503, 507]],
    ['get', '/api/auth/verify-email', [302, 400, 421, 503, 507]],
    ['get', '/api/devices/{id}/screenshot', [200, 304, 400, 401, 403, 404, 421, 503]],
  ] as const) {
    assert.deepEqual(statuses(method, path), expected, path);
  }
  const types = (method: string, path: string) => Object.keys(of(method, path)[200].content);
  assert.deepEqual(types('get', '/api/reports/export'), ['text/csv', 'application/jsonl']);
  assert.deepEqual(types('get', '/api/widgets/{id}/render'), ['text/html']);
  assert.deepEqual(types('get', '/api/content/{id}/thumbnail'), ['image/webp']);
  for (const type of ['image/jpeg', 'image/png', 'video/mp4', 'audio/mpeg', 'application/pdf'])
    assert.ok(types('get', '/api/content/{id}/file').includes(type), type);
  assert.deepEqual(of('get', '/api/content/{id}/file')[200].content['image/png'].schema, {
    type: 'string',
    format: 'binary',
  });
  const headers = (method: string, path: string, status = 200) => Object.keys(of(method, path)[status].headers ?? {});
  for (const path of ['content', 'playlists', 'devices', 'layouts', 'walls', 'widgets', 'kiosk'])
    assert.deepEqual(headers('delete', `/api/${path}/{id}`), [], path);
  assert.deepEqual(headers('delete', '/api/assignments/{id}'), ['ETag']);
  assert.deepEqual(headers('put', '/api/walls/{id}/content'), ['ETag', 'Vitrine-Ignored']);
  assert.deepEqual(headers('get', '/api/playlists/{id}/items'), ['ETag', 'X-Total-Count']);
  assert.deepEqual(headers('get', '/api/content/{id}/file', 206), [
    'ETag',
    'Accept-Ranges',
    'Content-Disposition',
    'Content-Range',
  ]);
  const { E401, E416, E429, E503 } = document.components.responses;
  assert.deepEqual(
    [E401, E416, E429, E503].map((response) => Object.keys(response.headers)),
    [['WWW-Authenticate'], ['Content-Range'], ['Retry-After'], ['Retry-After']],
  );
});

test('page /api/docs shows the document without resources from other hosts', async (t) => {
  const site = await startSite(t);
  const { status, headers, body } = await site.call('GET', '/api/docs');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /text\/html/);
  for (const word of ['/api/playlists/{id}/publish', '/api/auth/login', '/api/pip'])
    assert.ok(String(body).includes(word), word);
  assert.doesNotMatch(String(body), /(src|href)="https?:/);
});
