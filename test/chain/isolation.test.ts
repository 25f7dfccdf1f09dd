/**
 * Forbidden requests over HTTPS: each verb (request type) of a chain, each request to a store through headquarters, and
 * each endpoint that names a store, with every credential that must not work. The tests are derived from the
 * declarations, so new verbs and endpoints are covered. For NATS, see nats.test.ts.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { epochOf, playOf, segmentOf } from '../../server/headquarters/testing/rig.ts';
import { SPKI } from '../../server/kernel/trust/signed-by.ts';
import { newKey } from '../../server/store-link/testing/journal.ts';
import { enrolmentAsk } from '../../server/store-link/testing/store.ts';
import { blobsOf, CampaignDoc } from '../../shared/chain/campaign.ts';
import { STORE_LIVE, storeWindowPath, TICKETED } from '../../shared/chain/tunnel.ts';
import {
  type AskOf,
  CHAIN_VERBS,
  type ChainVerb,
  LISTEN_VERB,
  REFUSALS,
  SEGMENT_VERB,
} from '../../shared/chain/wire.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import * as orderEndpoints from '../../shared/contract/headquarters/remote-commands.ts';
import * as storeEndpoints from '../../shared/contract/headquarters/stores.ts';
import { bodyIn, NOWHERE, pathWith, takesJson } from '../api/examples.ts';
import type { Room } from '../api/site.ts';
import { type Answer, callAs, colleague, must, person } from '../people.ts';
import { until } from '../until.ts';
import { campaignOf, playlistOf } from './campaign-rig.ts';
import {
  addRaw,
  askHq,
  comeByTunnel,
  enrolRaw,
  fetchBlob,
  listenRaw,
  type RawStore,
  type Reply,
  sessionAsk,
} from './raw-store.ts';
import { openHq, type Server } from './rig.ts';

const WAIT_MS = 20_000;
const TUNNEL = 'tunnel';
/** All verbs that stores send to headquarters with a session. */
const SIGNED_IN = [
  ...Object.keys(CHAIN_VERBS).filter((verb) => !CHAIN_VERBS[verb as ChainVerb].open),
  SEGMENT_VERB,
  LISTEN_VERB,
  TUNNEL,
];
const OPEN = Object.keys(CHAIN_VERBS).filter((verb) => CHAIN_VERBS[verb as ChainVerb].open);

/** Values of a store for the requests below. */
interface Named {
  readonly epoch: string;
  /** The next segment (batch of plays) of the store, signed. */
  readonly segment: Buffer;
  /** Id of a remote command that the store has not answered. */
  readonly told: string;
  /** Id of a tunnel that headquarters has requested. */
  readonly tunnel: string;
}
const PRESENCE: AskOf<'presence'> = {
  version: '1',
  clock_ms: Date.now(),
  screens: { total: 7, online: 6, dark: 1, behind: 0 },
  dark_names: ['Till'],
  disk: null,
  waiting: 3,
  incidents: [],
};
/** For each verb, a request body that headquarters accepts from the named store. */
const ASKS: Readonly<Record<string, (named: Named) => unknown>> = {
  through: ({ epoch }) => ({ epochs: [{ epoch, first: 1 }] }),
  presence: () => PRESENCE,
  answer: ({ told }) => ({ id: told, answer: { screens: 1, acked: 1, failed: 0 } }),
  desired: () => ({ rev: 0 }),
  leave: () => ({}),
  [SEGMENT_VERB]: ({ segment }) => segment,
  [LISTEN_VERB]: () => ({}),
};

const ask = async (hq: Server, verb: string, named: Named, token?: string): Promise<Reply> => {
  if (verb === TUNNEL) return comeByTunnel(hq, named.tunnel, token);
  const make = ASKS[verb];
  assert.ok(make, `nobody has said how ${verb} is asked`);
  return askHq(hq, verb, make(named), token);
};

/** Returns all rows at headquarters about stores and actions on them; with `ref`, only the rows of this store. */
const kept = (hq: Server, ref?: string): Record<string, unknown[]> => {
  const { raw } = hq.site.app.db;
  const tables = raw
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'hq\\_%' ESCAPE '\\' OR name LIKE 'activity%') ORDER BY name",
    )
    .pluck()
    .all() as string[];
  assert.ok(tables.length > 10, tables.join());
  const found = tables.map((table) => {
    const columns = raw.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
    const own = table === 'hq_stores' ? 'id' : columns.find((name) => name === 'store');
    if (ref === undefined) return [table, raw.prepare(`SELECT * FROM ${table}`).all()];
    const where = own === undefined ? 'false' : `${own} = (SELECT id FROM hq_stores WHERE ref = ?)`;
    return [table, raw.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(...(own === undefined ? [] : [ref]))];
  });
  return Object.fromEntries(found);
};

/** Opens a headquarters with a store that has plays there, waits for messages, and has an unanswered command. */
const setUp = async (t: TestContext) => {
  const hq = await openHq(t);
  const dock = await addRaw(hq, 'Dock');
  const epoch = epochOf(1);
  const plays = Array.from({ length: 20 }, (_, i) => playOf(i + 1, i + 1));
  const segment = (first: number, last: number) => segmentOf(dock.key, dock.ref, { epoch, first, last, plays }).file;
  must((await askHq(hq, 'through', { epochs: [{ epoch, first: 1 }] }, dock.token)) as never);
  must((await askHq(hq, SEGMENT_VERB, segment(1, 10), dock.token)) as never);
  must(
    (await askHq(
      hq,
      'presence',
      { ...PRESENCE, screens: { total: 2, online: 2, dark: 0, behind: 0 } },
      dock.token,
    )) as never,
  );
  const heard = await listenRaw(hq, dock.token);
  t.after(() => heard.end());
  const told = (verb: string) =>
    until(`it is told to ${verb}`, WAIT_MS, () => heard.lines.findLast((line) => line.verb === verb));
  const { id: order } = must(
    await hq.call('POST', '/api/stores/orders', {
      command: { type: 'screen_on' },
      stores: { which: 'named', ids: [dock.ref] },
    }),
    201,
  );
  const command = await told('command');
  const look = hq.call('GET', `${storeWindowPath(dock.ref)}/api/auth/me`).catch(() => {});
  t.after(() => look);
  const open = await told('open');
  // The store's report is written to disk some seconds later.
  await until(
    'headquarters has written how it is',
    WAIT_MS,
    () =>
      hq.site.app.db.raw.prepare('SELECT presence IS NOT NULL FROM hq_stores WHERE ref = ?').pluck().get(dock.ref) ===
      1,
  );
  const named: Named = {
    epoch,
    segment: segment(11, 20),
    told: command.id,
    tunnel: (open.said as { tunnel: string }).tunnel,
  };
  const view = async () => ({
    store: await hq.get(`/api/stores/${dock.ref}`),
    order: (await hq.get(`/api/stores/orders/${order}`)).states,
    heard: heard.lines.length,
    isEnded: heard.isEnded,
  });
  return { hq, dock, named, view };
};

/** Checks that the request is refused with the declared status and code, and with a message. */
const assertRefused = ({ status, body }: Reply, [wanted, code]: readonly [number, string], what: string): void => {
  assert.deepEqual([status, body?.code], [wanted, code], `${what}: ${JSON.stringify(body)}`);
  assert.ok((REFUSALS as readonly string[]).includes(code));
  assert.match(body.error, /^\S.{20,}\.$/s, what);
};

test('every verb without a valid store session is refused, and nothing changes', async (t) => {
  const { hq, dock, named, view } = await setUp(t);
  const [replaced, left, removed] = [
    await addRaw(hq, 'Replaced'),
    await addRaw(hq, 'Left'),
    await addRaw(hq, 'Removed'),
  ];
  await enrolRaw(hq, replaced.ref);
  must((await askHq(hq, 'leave', {}, left.token)) as never);
  must(await hq.call('DELETE', `/api/stores/${removed.ref}`));
  const before = [kept(hq), await view()];
  for (const verb of SIGNED_IN) {
    for (const [who, token] of [
      ['nobody', undefined],
      ['an invented session', 'ab'.repeat(32)],
      ['no session', 'x'],
      ['a person', hq.owner.token],
    ] as const)
      assertRefused(await ask(hq, verb, named, token), [401, 'session_ended'], `${verb} by ${who}`);
    for (const [who, { token }] of Object.entries({ replaced, left, removed }))
      assertRefused(await ask(hq, verb, named, token), [403, 'not_enrolled'], `${verb} by what was ${who}`);
    assert.deepEqual([kept(hq), await view()], before, verb);
  }
  // Control: the same requests with the session succeed.
  for (const verb of SIGNED_IN.filter((verb) => verb !== LISTEN_VERB && verb !== 'leave'))
    assert.ok([200, 101].includes((await ask(hq, verb, named, dock.token)).status), verb);
  assert.equal((await view()).order.done, 1);
  assert.equal((await view()).store.screens_total, 7);
});

test('store with its own session reaches nothing of another store, whichever store its requests name', async (t) => {
  const { hq, dock, named, view } = await setUp(t);
  const { head } = kept(hq, dock.ref)['hq_cursors']![0] as { head: string };
  for (const verb of SIGNED_IN) {
    const mill = await addRaw(hq, `Mill that asks ${verb}`);
    const before = [kept(hq, dock.ref), await view()];
    if (verb === LISTEN_VERB) {
      const heard = await listenRaw(hq, mill.token);
      t.after(() => heard.end());
      assert.deepEqual(heard.lines, []);
    } else {
      const { status, body } = await ask(hq, verb, named, mill.token);
      // The requests of these two verbs contain a segment or a tunnel of the other store, so they are refused. All
      // other requests are answered for the store of the session.
      if (verb === SEGMENT_VERB) assertRefused({ status, body }, [400, 'bad_segment'], verb);
      else if (verb === TUNNEL) assertRefused({ status, body }, [404, 'bad_request'], verb);
      else assert.equal(status, 200, verb);
      assert.doesNotMatch(JSON.stringify(body), new RegExp(`Dock|${dock.ref}|${head}`), verb);
    }
    assert.deepEqual([kept(hq, dock.ref), await view()], before, verb);
  }
  for (const verb of [SEGMENT_VERB, TUNNEL, 'answer'])
    assert.ok([200, 101].includes((await ask(hq, verb, named, dock.token)).status), verb);
  assert.equal((await view()).order.done, 1);
});

test('content for a store is fetched only with its own session, and other sessions cannot find out if it exists', async (t) => {
  const hq = await openHq(t);
  const [dock, mill, left] = [await addRaw(hq, 'Dock'), await addRaw(hq, 'Mill'), await addRaw(hq, 'Left')];
  const desiredStates = [];
  for (const [{ ref }, color] of [
    [dock, '#aa0000'],
    [mill, '#0000aa'],
  ] as const) {
    const { playlist } = await playlistOf(hq, `For ${ref}`, color);
    const where = { regions: [], tags: [], store_ids: ref === dock.ref ? [dock.ref, left.ref] : [ref] };
    const { id } = must(
      await hq.call('POST', '/api/campaigns', campaignOf({ name: ref, playlist_id: playlist, where })),
      201,
    );
    must(await hq.call('POST', `/api/campaigns/${id}/start`));
  }
  for (const { ref, token } of [dock, mill, left]) {
    const signed = await until('it is signed', WAIT_MS, async () => {
      const { body } = await askHq(hq, 'desired', { rev: 0 }, token);
      return body.desired;
    });
    const { store, campaigns } = JSON.parse(signed.text);
    assert.deepEqual([store, campaigns.length], [ref, 1]);
    const { status, bytes } = await fetchBlob(hq, campaigns[0].sha256, token);
    assert.equal(status, 200);
    const blobs = [
      campaigns[0].sha256,
      ...blobsOf(CampaignDoc.parse(JSON.parse(String(bytes)))).map((one) => one.sha256),
    ];
    assert.ok(blobs.length >= 2, 'a document, and its picture');
    desiredStates.push({ token, blobs });
  }
  must((await askHq(hq, 'leave', {}, left.token)) as never);
  const before = kept(hq);
  const [docks, mills] = desiredStates as [(typeof desiredStates)[number], (typeof desiredStates)[number]];
  const nothing = await fetchBlob(hq, '0'.repeat(64), dock.token);
  assertRefused(nothing, [404, 'bad_request'], 'what there is not');
  for (const sha256 of docks.blobs) {
    const others = await fetchBlob(hq, sha256, mills.token);
    assert.deepEqual([others.status, others.body], [nothing.status, nothing.body], 'as what there is not');
    assertRefused(await fetchBlob(hq, sha256, left.token), [403, 'not_enrolled'], 'by what left');
    for (const token of [undefined, 'ab'.repeat(32), hq.owner.token])
      assertRefused(await fetchBlob(hq, sha256, token), [401, 'session_ended'], 'by nobody');
    const own = await fetchBlob(hq, sha256, docks.token);
    assert.equal(createHash('sha256').update(own.bytes).digest('hex'), sha256);
  }
  for (const sha256 of mills.blobs) assert.equal((await fetchBlob(hq, sha256, docks.token)).status, 404);
  assert.deepEqual(kept(hq), before);
});

test('no server signs in or enrols as another store, and nothing changes', async (t) => {
  const hq = await openHq(t);
  const [dock, mill, left, removed] = [
    await addRaw(hq, 'Dock'),
    await addRaw(hq, 'Mill'),
    await addRaw(hq, 'Left'),
    await addRaw(hq, 'Removed'),
  ];
  must((await askHq(hq, 'leave', {}, left.token)) as never);
  must(await hq.call('DELETE', `/api/stores/${removed.ref}`));
  const replaced = await addRaw(hq, 'Replaced');
  await enrolRaw(hq, replaced.ref);
  const { fingerprint } = hq.site.app.identity;
  const codeOf = async ({ ref }: RawStore): Promise<string> =>
    must(await hq.call('POST', `/api/stores/${ref}/code`), 201).code;
  const enrolBy = (code: string, key = newKey(), signs = key) =>
    enrolmentAsk(code, { publicKey: SPKI + key.key, sign: signs.sign }, 'Raw').ask(fingerprint);
  const used = await codeOf(dock);
  must((await askHq(hq, 'enrol', enrolBy(used, dock.key))) as never);
  const [fresh, old] = [await codeOf(dock), await codeOf(mill)];
  const newer = await codeOf(mill);
  const ours = await sessionAsk(hq, dock.ref, dock.key);
  must((await askHq(hq, 'session', ours)) as never);
  const WRONG = [403, 'code_refused'] as const;
  const GONE = [403, 'not_enrolled'] as const;
  const LATE = [401, 'session_ended'] as const;
  /** Refused requests by verb. The verb `challenge` refuses no caller: its answer reveals nothing. */
  const refused: Readonly<Record<string, readonly [what: string, ask: unknown, as: readonly [number, string]][]>> = {
    enrol: [
      ['a code that was used', enrolBy(used), WRONG],
      ['a code in whose place there is another', enrolBy(old), WRONG],
      ['a key that did not sign it', enrolBy(newer, newKey(), newKey()), WRONG],
      ['a code for another headquarters', { ...enrolBy(newer), signature: '0'.repeat(128) }, WRONG],
      ['a server that is another store', enrolBy(fresh, mill.key), [409, 'code_refused']],
    ],
    challenge: [],
    session: [
      ['a nonce that was used', ours, LATE],
      ['a nonce of another store', await sessionAsk(hq, dock.ref, dock.key, mill.ref), LATE],
      ['an invented nonce', { ...ours, nonce: 'ab'.repeat(32) }, LATE],
      ['another store’s key', await sessionAsk(hq, dock.ref, mill.key), GONE],
      ['the key of a server that was replaced', await sessionAsk(hq, replaced.ref, replaced.key), GONE],
      ['a store that left', await sessionAsk(hq, left.ref, left.key), GONE],
      ['a store that was removed', await sessionAsk(hq, removed.ref, removed.key), GONE],
    ],
  };
  const before = kept(hq);
  for (const verb of OPEN) {
    const asks = refused[verb];
    assert.ok(asks, `nobody has said how ${verb} is refused`);
    for (const [what, said, as] of asks) assertRefused(await askHq(hq, verb, said), as, `${verb} with ${what}`);
  }
  for (const store of [dock.ref, removed.ref, left.ref, NOWHERE]) {
    const { status, body } = await askHq(hq, 'challenge', { store });
    assert.deepEqual([status, Object.keys(body), body.nonce.length], [200, ['nonce'], 64]);
  }
  assert.deepEqual(kept(hq), before);
});

test('user without rights cannot send requests to a store through headquarters, and the store receives nothing', async (t) => {
  const { hq, dock, view } = await setUp(t);
  const stranger = await person(hq.site, 'other@hq.test');
  const [left, removed] = [await addRaw(hq, 'Left'), await addRaw(hq, 'Removed')];
  must((await askHq(hq, 'leave', {}, left.token)) as never);
  must(await hq.call('DELETE', `/api/stores/${removed.ref}`));
  const before = [kept(hq), await view()];
  for (const endpoint of hq.site.app.endpoints as readonly Endpoint[]) {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, NOWHERE);
    for (const [who, ref, token, status] of [
      ['nobody', dock.ref, undefined, 401],
      ['an invented session', dock.ref, 'ab'.repeat(32), 401],
      ['the store itself', dock.ref, dock.token, 401],
      ['a person of another workspace', dock.ref, stranger.token, 404],
      ['somebody, of a store that was removed', removed.ref, hq.owner.token, 404],
      ['somebody, of a store that left', left.ref, hq.owner.token, 503],
    ] as const) {
      const answer = await callAs(hq.site, token)(endpoint.method, `${storeWindowPath(ref)}${path}`);
      const what = `${endpoint.name} by ${who}: ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, status, what);
      assert.match(answer.body.error, /^\S.{4,}/, what);
    }
  }
  const closedWith = async (ref: string, token: string): Promise<number> => {
    const socket = new WebSocket(`${hq.site.origin.replace('http', 'ws')}${STORE_LIVE}?store=${ref}`);
    t.after(() => socket.terminate());
    await once(socket, 'open');
    const closed = once(socket, 'close');
    socket.send(JSON.stringify({ type: 'auth', token }));
    return (await closed)[0] as number;
  };
  assert.equal(await closedWith(dock.ref, dock.token), 4401);
  assert.equal(await closedWith(dock.ref, stranger.token), 1001);
  assert.equal(await closedWith(removed.ref, hq.owner.token), 1001);
  // Only the store itself checks a ticket (a link with a temporary key). Without a reachable store, the ticket cannot
  // be checked.
  const ticket = `/api/content/${NOWHERE}/file?access=1.x`;
  assert.match(ticket, TICKETED);
  const nobody = callAs(hq.site, undefined);
  assert.equal((await nobody('GET', `${storeWindowPath(removed.ref)}${ticket}`)).status, 404);
  assert.equal((await nobody('GET', `${storeWindowPath(left.ref)}${ticket}`)).status, 503);
  assert.deepEqual([kept(hq), await view()], before);
});

/** Returns which parts of a request contain an id of a store, or of something that was sent to a store. */
const namesStore = ({ path, query, body }: Endpoint): readonly ('path' | 'query' | 'body')[] => {
  const members = body instanceof z.ZodType ? z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) : {};
  return [
    ...(path.includes('{') ? (['path'] as const) : []),
    ...('store_id' in query.shape ? (['query'] as const) : []),
    ...('stores' in ((members as { properties?: object }).properties ?? {}) ? (['body'] as const) : []),
  ];
};

test('members of another workspace cannot see in any request or list that the store exists', async (t) => {
  const { hq, dock, view } = await setUp(t);
  const [order] = await hq.get('/api/stores/orders');
  const stranger = await person(hq.site, 'other@hq.test');
  const viewer = await colleague(hq.site, hq.owner, 'viewer@hq.test', 'workspace_viewer');
  const endpoints = [...Object.values(storeEndpoints), ...Object.values(orderEndpoints)].filter(
    (one): one is Endpoint & typeof one => typeof one === 'object' && 'path' in one && 'method' in one,
  ) as unknown as readonly Endpoint[];
  assert.ok(endpoints.length > 15);
  const send = (endpoint: Endpoint, id: string, token?: string, query = ''): Promise<Answer> => {
    const body = takesJson(endpoint) ? bodyIn(endpoint, { store: id } as Room) : undefined;
    return callAs(hq.site, token)(endpoint.method, pathWith(endpoint, { id }, query), body);
  };
  const before = [kept(hq, dock.ref), await view()];
  let named = 0;
  for (const endpoint of endpoints) {
    const theirs = endpoint.path.startsWith('/api/stores/orders/{') ? order.id : dock.ref;
    assert.equal((await send(endpoint, theirs)).status, 401, endpoint.name);
    const { access } = endpoint;
    if (access.kind === 'session' && access.role !== 'viewer')
      assert.equal((await send(endpoint, theirs, viewer.token)).status, 403, endpoint.name);
    for (const where of namesStore(endpoint)) {
      named++;
      const by = (id: string) =>
        where === 'query' ? send(endpoint, '', stranger.token, `store_id=${id}`) : send(endpoint, id, stranger.token);
      const [answer, nobodys] = [await by(theirs), await by(NOWHERE)];
      assert.deepEqual([answer.status, answer.body], [404, nobodys.body], `${endpoint.name} by ${where}`);
      assert.match(answer.body.error, /\w{4}/);
    }
    if (namesStore(endpoint).includes('path')) continue;
    const { body } = await send(endpoint, NOWHERE, stranger.token);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(`Dock|${dock.ref}|${order.id}`), endpoint.name);
  }
  assert.ok(named >= 14, `${named} names`);
  assert.deepEqual([kept(hq, dock.ref), await view()], before);
});
