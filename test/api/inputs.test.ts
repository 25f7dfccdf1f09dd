/**
 * An error in a request gives 400 that names the wrong part. The tests are derived from the declarations and call every
 * endpoint.
 */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { type Answer, fromAnywhere } from '../people.ts';
import { bodyIn, paramsIn, pathWith, queryIn, rightful, send, takesJson } from './examples.ts';
import { brokenAnswer, isError, nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();
const { each } = walk;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
const branches = (schema: Schema): Schema[] => {
  const inner = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return inner ? inner.flatMap(branches) : [schema];
};
const jsonType = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
/** Returns the JSON types of a field; undefined for any type. */
const typesOf = (schema: Schema): Set<string> | undefined => {
  const types = new Set<string>();
  for (const branch of branches(schema)) {
    const own =
      branch.const !== undefined
        ? [jsonType(branch.const)]
        : branch.enum
          ? branch.enum.map(jsonType)
          : branch.type === undefined
            ? undefined
            : [branch.type].flat();
    if (!own) return undefined;
    for (const type of own) types.add(type === 'integer' ? 'number' : type);
  }
  return types;
};
const OF_TYPE: Record<string, unknown> = {
  string: 'some text',
  number: 7,
  boolean: true,
  object: { a: 1 },
  array: [1],
  null: null,
};
const names = (answer: Answer, member: string) =>
  answer.body?.error?.startsWith(member) || new RegExp(`\\b${member}\\b`).test(answer.body?.error ?? '');

const members = (endpoint: Endpoint) => Object.entries(schemaOf(endpoint.body as z.ZodType).properties ?? {});
const badNamed = (answer: Answer, member: string) =>
  answer.status !== 400 ? 'not 400' : !names(answer, member) && `does not name ${member}`;
const sendBody = (endpoint: Endpoint, body: unknown) =>
  send(walk.store, endpoint, { token: rightful(walk.store, endpoint), body });

/**
 * For each body field of each endpoint: sends every value that `wrong` returns, and collects the problems that `fault`
 * finds in the answers.
 */
const eachMember = async (
  wrong: (schema: Schema, endpoint: Endpoint, member: string) => { value: unknown; what: string }[],
  fault: (answer: Answer, member: string) => string | false,
) => {
  const problems: string[] = [];
  let sent = 0;
  for (const endpoint of walk.endpoints.filter(takesJson)) {
    for (const [member, schema] of members(endpoint)) {
      for (const { value, what } of wrong(schema, endpoint, member)) {
        const body = { ...bodyIn(endpoint, walk.store.a), [member]: value };
        sent++;
        const answer = await sendBody(endpoint, body);
        const found = brokenAnswer(answer) || fault(answer, member);
        if (found) problems.push(`${nameOf(endpoint)} ${member} ${what}: ${found}; ${shown(answer)}`);
      }
    }
  }
  assert.ok(sent > 50, `only ${sent} were sent`);
  assert.deepEqual(problems, []);
};

test('body field of the wrong type gives 400 that names the field', async () => {
  await eachMember((schema) => {
    const types = typesOf(schema);
    return types
      ? Object.entries(OF_TYPE).flatMap(([type, value]) => (types.has(type) ? [] : [{ value, what: type }]))
      : [];
  }, badNamed);
});

test('missing required body field gives 400 that names the field', async () => {
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter(takesJson)) {
    for (const member of schemaOf(endpoint.body as z.ZodType).required ?? []) {
      const { [member]: _gone, ...body } = bodyIn(endpoint, walk.store.a);
      const answer = await sendBody(endpoint, body);
      const found = badNamed(answer, member);
      if (found) problems.push(`${nameOf(endpoint)} without ${member}: ${found}; ${shown(answer)}`);
    }
  }
  assert.deepEqual(problems, []);
});

test('too long text and numbers outside their bounds give 400 that names the field', async () => {
  await eachMember((schema) => {
    const all = branches(schema);
    const longest = Math.max(...all.map((b) => b.maxLength ?? -1));
    const text = longest > 0 ? [{ value: 'x'.repeat(longest + 1), what: `${longest + 1} characters` }] : [];
    const numbers = all.flatMap(({ maximum, minimum }) => [
      ...(maximum === undefined ? [] : [{ value: maximum + 1, what: 'over its maximum' }]),
      ...(minimum === undefined ? [] : [{ value: minimum - 1, what: 'under its minimum' }]),
    ]);
    return [...text, ...numbers];
  }, badNamed);
});

test('reference to an impossible id in a body or query gives 404, also for an id of 5,000 characters', async () => {
  const noReference = new Set(['pip_id', 'pending_id']);
  await eachMember(
    (schema, endpoint, member) =>
      member.endsWith('_id') &&
      !noReference.has(member) &&
      !endpoint.path.startsWith('/api/server/') &&
      member in bodyIn(endpoint, walk.store.a) &&
      typesOf(schema)?.has('string')
        ? ['x'.repeat(201), 'x'.repeat(5000)].map((value) => ({ value, what: `${value.length} characters` }))
        : [],
    ({ status }) => status !== 404 && 'not 404',
  );
  const asks = (e: Endpoint) =>
    Object.keys(e.query.shape).filter((member) => member.endsWith('_id') && member !== 'folder_id');
  await each(
    (e) => asks(e).length > 0 && e.name !== 'listSchedules',
    (e) => send(walk.store, e, { token: rightful(walk.store, e), query: `${asks(e)[0]}=${'x'.repeat(300)}` }),
    ({ status }) => status !== 404 && 'not 404',
  );
});

test('huge values, fractions and exponents never cause status 500', async () => {
  await eachMember(
    (schema) => {
      const types = typesOf(schema);
      const has = (type: string) => !types || types.has(type);
      return [
        ...(has('string')
          ? [
              { value: 'x'.repeat(100_000), what: '100,000 characters' },
              { value: '\ud800', what: 'half a surrogate pair' },
              { value: '💶'.repeat(1000), what: 'emoji' },
            ]
          : []),
        ...(has('number')
          ? [1e308, -1e308, 2 ** 53 + 2, 0.5, -1].map((value) => ({ value, what: String(value) }))
          : []),
        ...(has('array')
          ? [
              { value: Array.from({ length: 10_001 }, () => 1), what: '10,001 elements' },
              { value: [null, {}, []], what: 'odd elements' },
            ]
          : []),
        ...(has('object')
          ? [
              { value: JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`), what: 'deeply nested' },
              { value: JSON.parse('{"__proto__":{"x":1},"constructor":{}}'), what: 'prototype members' },
            ]
          : []),
      ];
    },
    () => false,
  );
});

test('control characters and NUL in text are refused', async () => {
  const free = new Set([
    'password',
    'current_password',
    'email',
    'credential',
    'access_token',
    'mfa_token',
    'code',
    'pip_id',
    'config',
    'payload',
    // A table is left out: its error names line and column instead of the field.
    'table',
  ]);
  await eachMember(
    (schema, _endpoint, member) =>
      typesOf(schema)?.has('string') && !free.has(member) && !branches(schema).every((b) => b.enum || b.const)
        ? ['a\u0000b', 'a\u0007b', 'a\u007fb'].map((value) => ({ value, what: JSON.stringify(value) }))
        : [],
    (answer) =>
      answer.status < 400 ? 'taken' : answer.status !== 400 && answer.status !== 404 && 'neither 400 nor 404',
  );
});

test('unknown fields are ignored', async () => {
  const harmless = [
    'createPlaylist',
    'createGroup',
    'createFolder',
    'updateMe',
    'updateDevice',
    'createLayout',
    'updateWorkspace',
    'createWall',
  ];
  await each(
    (e) => harmless.includes(e.name),
    (e) => sendBody(e, { ...bodyIn(e, walk.store.a), surprise: { a: 1 }, constructor: 1 }),
    ({ status }) => status >= 300 && 'refused',
  );
});

const raw = (endpoint: Endpoint, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(
    `${walk.store.site.origin}${pathWith(endpoint, paramsIn(endpoint, walk.store.a), queryIn(endpoint, walk.store.a))}`,
    {
      method: endpoint.method,
      headers: {
        ...fromAnywhere(),
        'Content-Type': 'application/json',
        ...(rightful(walk.store, endpoint) && { Authorization: `Bearer ${rightful(walk.store, endpoint)}` }),
      },
      body,
    },
  ).then(
    async (response): Promise<Answer> => ({
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    }),
  );

test('body that is no JSON object gives 400', async () => {
  for (const body of ['{"name":', '[]', '"text"', 'null', '7', '{name: 1}', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])]) {
    await each(
      takesJson,
      (e) => raw(e, body),
      (answer) => (answer.status !== 400 || !isError(answer)) && `${JSON.stringify(body)} is not 400`,
    );
  }
});

test('empty body counts as an empty object, so the error names only required fields', async () => {
  await each(
    (e) => takesJson(e) && (schemaOf(e.body as z.ZodType).required ?? []).length > 0,
    (e) => raw(e, ''),
    (answer) => answer.status !== 400 && 'not 400',
  );
});

test("body over the endpoint's limit (1 MiB by default) gives 413", async () => {
  await each(
    takesJson,
    (e) => raw(e, `{"a":"${'x'.repeat(e.maxBytes)}"}`),
    (answer) => (answer.status !== 413 || !isError(answer)) && 'not 413',
  );
});

test('query parameter that occurs twice gives 400', async () => {
  await each(
    () => true,
    (e) => send(walk.store, e, { token: rightful(walk.store, e), query: `${queryIn(e, walk.store.a)}&q=1&q=2` }),
    (answer) => (answer.status !== 400 || !names(answer, 'q')) && 'not 400 naming it',
  );
});

test('limit and offset outside their range give 400 that names them, and empty values count as absent', async () => {
  const LIMITS: Record<string, [number, number]> = {
    '/api/content': [100, 500],
    '/api/devices': [100, 500],
    '/api/tags': [500, 2000],
    '/api/reports/plays': [500, 5000],
    '/api/activity': [50, 200],
    '/api/search': [10, 50],
    '/api/plans': [100, 500],
    '/api/plans/calendar': [50, 100],
    '/api/alerts': [200, 500],
    '/api/messages': [20, 100],
    '/api/bin': [50, 200],
    '/api/publish-requests': [50, 200],
    '/api/messages/{id}/screens': [100, 500],
    '/api/stores': [100, 1000],
    '/api/stores/{id}/incidents': [50, 500],
    '/api/stores/orders': [20, 100],
    '/api/stores/rollouts': [20, 100],
    '/api/stores/rollouts/{id}/stores': [100, 1000],
    '/api/stores/orders/{id}/stores': [100, 1000],
    '/api/campaigns': [50, 500],
    '/api/campaigns/needs': [50, 200],
    '/api/campaigns/{id}/editions': [20, 100],
    '/api/campaigns/{id}/stores': [100, 1000],
    '/api/stores/plays': [100, 500],
    '/api/stores/plays/sums': [100, 5000],
  };
  const limited = (e: Endpoint) => e.method === 'GET' && 'limit' in e.query.shape;
  const ask = (e: Endpoint, query: string) => send(walk.store, e, { token: rightful(walk.store, e), query });
  await each(
    limited,
    (e) => ask(e, ''),
    (_, e) => !(e.path in LIMITS) && 'has a limit that the decisions do not name',
  );
  for (const bad of ['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999'])
    await each(
      limited,
      (e) => ask(e, `limit=${bad}`),
      (answer) => badNamed(answer, 'limit'),
    );
  // /api/search has no parameter offset: users narrow the result by typing more.
  const paged = (e: Endpoint) => limited(e) && e.path !== '/api/search';
  for (const bad of ['-1', '1.5', 'abc'])
    await each(
      paged,
      (e) => ask(e, `offset=${bad}`),
      (answer) => badNamed(answer, 'offset'),
    );
  await each(
    limited,
    (e) => ask(e, `limit=${LIMITS[e.path]![1] + 1}`),
    (answer) => badNamed(answer, 'limit'),
  );
  for (const good of ['limit=', 'offset=', 'limit=1&offset=0'])
    await each(
      limited,
      (e) => ask(e, good),
      ({ status }) => status !== 200 && `${good} is refused`,
    );
  await each(
    limited,
    (e) => ask(e, `limit=${LIMITS[e.path]![1]}`),
    ({ status }) => status !== 200 && 'its maximum is refused',
  );
});

test('huge or odd query parameters never cause status 500', async () => {
  const reads = (e: Endpoint) => Object.keys(e.query.shape).length > 0 && e.method === 'GET';
  for (const value of ['x'.repeat(3000), '\u0000', '💶', "' OR 1=1 --", '2026-02-30', '-', '[]']) {
    await each(
      reads,
      (e) =>
        send(walk.store, e, {
          token: rightful(walk.store, e),
          query: Object.keys(e.query.shape)
            .map((name) => `${name}=${encodeURIComponent(value)}`)
            .join('&'),
        }),
      () => false,
    );
  }
});

const FORM = '--part\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\nGIF89a\r\n--part--\r\n';

/** Sends the path unchanged, because `fetch` would normalize it. */
const asked = (endpoint: Endpoint, path: string): Promise<Answer> =>
  new Promise((done, fail) => {
    const token = rightful(walk.store, endpoint);
    const type = takesJson(endpoint) ? 'application/json' : 'multipart/form-data; boundary=part';
    const headers = { ...fromAnywhere(), 'Content-Type': type, ...(token && { Authorization: `Bearer ${token}` }) };
    const sent = request(walk.store.site.origin, { method: endpoint.method, path, headers }, async (res) => {
      const body = (await res.toArray()).join('');
      done({ status: res.statusCode ?? 0, headers: new Headers(), body: JSON.parse(body) });
    });
    sent
      .on('error', fail)
      .end(takesJson(endpoint) ? JSON.stringify(bodyIn(endpoint, walk.store.a)) : endpoint.body && FORM);
  });

/** Path segments, already encoded, that cannot be the id of a record. */
const NO_IDS = [
  ...[
    'x'.repeat(201),
    'x'.repeat(300),
    'x'.repeat(5000),
    '%00',
    'a%00b',
    '%0a',
    '..',
    '%2e%2e',
    '%2F',
    '..%2f..%2fetc%2fpasswd',
    '%zz',
    '%',
    '%E0%A4%A',
    "'",
    '%F0%9F%92%B6',
  ],
  ...[
    '0',
    '-1',
    '-0',
    '1e3',
    '1.5',
    '0x10',
    '%2B1',
    '%201',
    '9007199254740992',
    '9007199254740993',
    '99999999999999999999',
    'abc',
    'NaN',
    'null',
    'undefined',
    '[object%20Object]',
  ],
];

test('impossible id gives 404 in every position of every path', async () => {
  const problems: string[] = [];
  for (const endpoint of walk.endpoints) {
    const params = paramsIn(endpoint, walk.store.a);
    for (const name of Object.keys(params)) {
      const path = pathWith(endpoint, { ...params, [name]: '-place-' }, queryIn(endpoint, walk.store.a));
      for (const id of NO_IDS) {
        const answer = await asked(endpoint, path.replace('-place-', id));
        if (answer.status !== 404 || !isError(answer))
          problems.push(`${nameOf(endpoint)} with ${name} ${id.slice(0, 24)}: ${shown(answer)}`);
      }
      const nowhere = await asked(endpoint, path.replace('-place-', ''));
      if (nowhere.status !== 404 || !isError(nowhere))
        problems.push(`${nameOf(endpoint)} with an empty ${name}: ${shown(nowhere)}`);
    }
  }
  assert.deepEqual(problems, []);
});

test('wrong method gives 405 with Allow, and an unknown path 404', async () => {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of walk.endpoints) methods.set(path, (methods.get(path) ?? new Set()).add(method));
  const problems: string[] = [];
  for (const [path, allowed] of methods) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (allowed.has(method)) continue;
      const answer = await walk.store.site.call(method, pathWith({ path }, paramsIn({ path }, walk.store.a)), {
        token: walk.store.tokens.full,
      });
      const allow = (answer.headers.get('allow') ?? '').split(', ').toSorted().join();
      if (answer.status !== 405 || allow !== [...allowed].toSorted().join() || !isError(answer))
        problems.push(`${method} ${path}: Allow ${allow}, ${shown(answer)}`);
    }
  }
  assert.deepEqual(problems, []);
  for (const path of [
    '/api/nothing',
    '/api/',
    '/api/playlists/',
    '/api/playlists/x/y/z',
    '/api//playlists',
    '/api/v1/playlists',
    '/api/CONTENT',
  ]) {
    const answer = await walk.store.site.call('GET', path, { token: walk.store.tokens.full });
    assert.equal(answer.status, 404, path);
    assert.ok(isError(answer), path);
  }
});
