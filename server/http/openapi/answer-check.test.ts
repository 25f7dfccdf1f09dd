/**
 * Tests the answer check: in tests, an answer that does not match its declared schema fails. All other tests rely on
 * this check.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { type Endpoint, endpointsOf, open, stream } from '../../../shared/contract/endpoint.ts';
import { ApiError, conflict } from '../../../shared/contract/errors.ts';
import { Api, type Bound, bind, RawJson, Reply } from '../api.ts';
import { ClientAddresses } from '../hosts/client-address.ts';
import { SameOrigin } from '../hosts/same-origin.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { Tickets } from '../tickets.ts';

const clock = { now: () => 0, mono: () => 0 };
const Row = z.object({ name: z.string() });
const endpoint = endpointsOf('T');
const said = { summary: 'S', access: open };
const record = endpoint('GET /api/one', { name: 'record', ...said, response: Row });
const tagged = endpoint('GET /api/tagged', { name: 'tagged', ...said, response: Row, etag: true });
const list = endpoint('GET /api/list', { name: 'list', ...said, response: z.array(Row) });
const page = endpoint('GET /api/page', {
  name: 'page',
  ...said,
  query: z.object({ limit: z.string().optional() }),
  response: z.array(Row),
});
const file = endpoint('GET /api/file', { name: 'file', ...said, response: stream('image/png') });
const busy = endpoint('GET /api/busy', { name: 'busy', ...said, response: Row, errors: [429] });

const ROW = { name: 'n' };
const refuse = (status: number, more?: { retryAfter: number }) => () => {
  throw new ApiError(status, 'No', more);
};
const sends = (headers: Record<string, string>) =>
  bind(file, ({ res }) => {
    res.writeHead(200, headers).end();
    return undefined;
  });

/** Each case has the bound endpoint, the expected status and, for a wrong answer, the logged error. */
const CASES: readonly [what: string, bound: Bound, status: number, fault?: RegExp][] = [
  ['a record as declared', bind(record, () => ROW), 200],
  ['a member that is missing', bind(record, () => ({}) as never), 500, /answered what it does not declare/],
  [
    'an ETag that is not declared',
    bind(record, () => new Reply(ROW, { etag: 1 })),
    500,
    /answered with the status 200, with ETag/,
  ],
  ['an ETag as declared', bind(tagged, () => new Reply(ROW, { etag: 1 })), 200],
  ['an ETag that is missing', bind(tagged, () => ROW), 500, /without ETag/],
  ['a list, counted by itself', bind(list, () => [ROW]), 200],
  [
    'ready bytes of a list without their number',
    bind(list, () => new RawJson(Buffer.from('[]'))),
    500,
    /how many there are in all/,
  ],
  ['a page without the number of all', bind(page, () => [ROW]), 500, /how many there are in all/],
  ['a page with it', bind(page, () => new Reply([ROW], { total: 7 })), 200],
  [
    'an error that is not declared',
    bind(record, () => Promise.reject(conflict('No'))),
    500,
    /answered with the status 409, a status/,
  ],
  ['an error as declared', bind(busy, refuse(503)), 503],
  ['429 that does not tell when to come again', bind(busy, refuse(429)), 500, /without Retry-After/],
  ['429 that does', bind(busy, refuse(429, { retryAfter: 3 })), 429],
  ['a stream of the declared type', sends({ 'Content-Type': 'image/png' }), 200],
  ['a stream of another type', sends({ 'Content-Type': 'text/html' }), 500, /with text\/html/],
  [
    'a stream with a name that is not declared',
    sends({ 'Content-Type': 'image/png', 'Content-Disposition': 'inline' }),
    500,
    /with Content-Disposition/,
  ],
];

/** @returns the status, and the logged error of a failure */
const ask = async (
  t: TestContext,
  bound: Bound,
): Promise<{ status: number; total: string | null; failure: string }> => {
  let failure = '';
  const api = new Api([bound], {
    db: { durable: async () => {} },
    authenticate: () => null,
    rights: { require: () => {} },
    rateLimits: new RateLimits(clock),
    tickets: new Tickets(clock),
    log: {
      failed: ({ error }) => {
        failure = String(error);
      },
    },
    newRequestId: () => 'request',
    addresses: new ClientAddresses({ trustedProxies: new BlockList(), warn: () => {} }),
    sameOrigin: new SameOrigin({ publicUrl: undefined, trustedProxies: new BlockList() }),
    checkAnswers: true,
  });
  const server = createServer((req, res) => void api.handle(req, res)).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const answer = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${(bound.endpoint as Endpoint).path}`,
  );
  await answer.body?.cancel();
  return { status: answer.status, total: answer.headers.get('x-total-count'), failure };
};

for (const [what, bound, status, fault] of CASES) {
  test(`answer check in tests handles ${what} with status ${status}`, async (t) => {
    const answer = await ask(t, bound);
    assert.equal(answer.status, status, answer.failure);
    if (fault) assert.match(answer.failure, fault);
    if (status === 200 && (bound.endpoint === list || bound.endpoint === page)) assert.ok(Number(answer.total) >= 1);
  });
}
