/** No request blocks the event loop: the largest accepted bodies are sent to every endpoint with a body. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, test } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { longestTurn } from '../longest-turn.ts';
import { fromAnywhere } from '../people.ts';
import { runCount } from '../run-count.ts';
import { bodyIn, paramsIn, pathWith, queryIn, rightful, takesJson } from './examples.ts';
import { nameOf, openWalk } from './walk.ts';

const walk = openWalk();
/** Longest permitted block in milliseconds. The goal is 50 ms, but other programs use the machine too. */
const LIMIT_MS = 150;
/**
 * Size of the large field in bytes. The other fields of the body fit into the remaining 4 KiB of the limit of 1 MiB.
 */
const BYTES = 1024 * 1024 - 4096;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
after(() => agent.destroy());

/** Uses a raw request, so that the client's own work with the answer is not measured. */
const send = (endpoint: Endpoint, body: Buffer): Promise<number> =>
  new Promise((done, failed) => {
    const token = rightful(walk.store, endpoint);
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
      ...fromAnywhere(),
    };
    const path = pathWith(endpoint, paramsIn(endpoint, walk.store.a), queryIn(endpoint, walk.store.a));
    const req = request(`${walk.store.site.origin}${path}`, { method: endpoint.method, agent, headers }, (res) => {
      res.resume();
      res.on('end', () => done(res.statusCode!));
    });
    req.on('error', failed);
    req.end(body);
  });

const filled = (part: string, [open, close]: readonly [string, string]): string =>
  `${open}${`${part},`.repeat(Math.floor((BYTES - 2) / (part.length + 1))).slice(0, -1)}${close}`;
const LIST = ['[', ']'] as const;
let unique = 0;
/** Returns a JSON object with as many different short field names as possible. */
const wide = (): string => {
  const parts: string[] = [];
  for (let size = 0; size < BYTES - 20; size += parts.at(-1)!.length + 1) parts.push(`"${(unique++).toString(36)}":0`);
  return `{${parts.join(',')}}`;
};
/** Large values for one field, as functions that return JSON text. */
const LARGE: Readonly<Record<string, (one: unknown) => string>> = {
  'a long text': () => `"${'x'.repeat(BYTES)}"`,
  'a text of spaces': () => `" ${' '.repeat(BYTES)}x"`,
  'many numbers': () => filled('1', LIST),
  'many texts': () => filled('"x"', LIST),
  'many empty objects': () => filled('{}', LIST),
  'many like the first': (one) => filled(JSON.stringify(one ?? {}), LIST),
  'lists in lists': () => '['.repeat(BYTES / 2) + ']'.repeat(BYTES / 2),
  'objects in objects': () => `${'{"a":'.repeat(BYTES / 6)}0${'}'.repeat(BYTES / 6)}`,
  'many members': () => wide(),
  'a number without end': () => '9'.repeat(BYTES),
};

/**
 * Number of large values for each field. The fields get different values in turn, because sending every value to every
 * field takes three minutes.
 */
const KINDS = Object.entries(LARGE);
const PER_FIELD = Math.min(runCount(3, KINDS.length), KINDS.length);
let turn = 0;
const nextLarge = () => Array.from({ length: PER_FIELD }, () => KINDS[turn++ % KINDS.length]!);

const membersOf = (endpoint: Endpoint): string[] =>
  Object.keys(
    (z.toJSONSchema(endpoint.body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as { properties?: object })
      .properties ?? {},
  );

test('largest accepted bodies do not block the event loop', async (t) => {
  const slow: { what: string; ms: number }[] = [];
  const ready = new Map<string, string>();
  let sent = 0;
  for (const endpoint of walk.endpoints.filter(takesJson)) {
    const example = bodyIn(endpoint, walk.store.a);
    for (const member of [...membersOf(endpoint), 'unknown']) {
      for (const [name, make] of nextLarge()) {
        const value = example[member];
        const one = Array.isArray(value) ? value[0] : undefined;
        if (name === 'many like the first' && one === undefined) continue;
        const large = name === 'many like the first' ? make(one) : (ready.get(name) ?? make(undefined));
        if (name !== 'many like the first') ready.set(name, large);
        const rest = JSON.stringify({ ...example, [member]: undefined }).slice(1, -1);
        const body = Buffer.from(`{${rest}${rest && ','}"${member}":${large}}`);
        let status = 0;
        let ms = Number.POSITIVE_INFINITY;
        for (let attempt = 0; attempt < 3 && ms > LIMIT_MS; attempt++) {
          const answered = send(endpoint, body);
          ms = Math.min(ms, (await longestTurn(answered)).lasted);
          status = await answered;
          sent++;
        }
        slow.push({ what: `${nameOf(endpoint)} ${member}: ${name} (${status})`, ms });
        assert.ok(status > 0 && status < 500, `${nameOf(endpoint)} ${member}: ${name} is ${status}`);
      }
    }
  }
  slow.sort((a, b) => b.ms - a.ms);
  for (const { what, ms } of slow.slice(0, 8)) t.diagnostic(`${ms.toFixed(0)} ms ${what}`);
  assert.ok(sent > 500, 'everything was sent');
  assert.deepEqual(
    slow.filter(({ ms }) => ms > LIMIT_MS).map(({ what, ms }) => `${what} held the loop for ${ms.toFixed(0)} ms`),
    [],
  );
});
