/** A chain over NATS: headquarters, a real nats-server, real stores. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  PermissionViolationError,
} from '@nats-io/transport-node';
import BetterSqlite3 from 'better-sqlite3';
import { trustOnly } from '../../server/net/trust-only.ts';
import { HttpsConnection, meet } from '../../server/store-link/connection/https-connection.ts';
import {
  downSubject,
  HUB_VERBS,
  HubAnswer,
  inboxOf,
  requestSubject,
  segmentSubject,
  storePermissions,
  type Whose,
} from '../../shared/chain/subjects.ts';
import type { HubOffer } from '../../shared/chain/wire.ts';
import { tempFolder } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { CutLine } from './cut-line.ts';
import { openHub, noHub as skip } from './hub.ts';
import { enrol, enrolAs, openHq, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 30_000;
/** Opens a store whose HTTPS connection to headquarters can be cut. */
const openCut = async (t: TestContext, hq: Server, name: string) => {
  const store = await openStore(t);
  const https = await CutLine.open(hq.httpsPort);
  t.after(() => https.close());
  const { id } = must(await hq.call('POST', '/api/stores', { name }), 201);
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  must(await store.call('POST', '/api/chain', { address: `https://127.0.0.1:${https.port}`, code }), 201);
  const cut = (isCut: boolean) => {
    https.isCut = isCut;
    https.break();
  };
  return { store, id: id as string, cut, screen: await openScreen(t, store, 'Till') };
};

const told = async (store: Server): Promise<void> => {
  await until('headquarters has everything', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const { link } = await store.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });
};
const sums = async (hq: Server): Promise<[string, number][]> =>
  (await hq.get('/api/stores/plays/sums?by=store')).map((row: { name: string; plays: number }) => [
    row.name,
    row.plays,
  ]);

const whoIs = (store: Server, ref: string): Whose => ({
  store: ref,
  key: store.site.app.identity.publicKey.slice(-64),
});

/** Returns the hub's addresses and credential, which headquarters sends to a store at sign-in. */
const offerTo = async (hq: Server, store: Server, ref: string): Promise<HubOffer> => {
  const met = await meet(`https://127.0.0.1:${hq.httpsPort}`, () => true);
  const { identity } = store.site.app;
  let offer: HubOffer | undefined;
  const offered = (made: HubOffer | undefined) => {
    offer = made;
  };
  const line = new HttpsConnection({ met, store: ref, sign: (text) => identity.sign(text), moved: () => {}, offered });
  await line.request('answer', { id: '0'.repeat(32), answer: {} });
  line.close();
  return offer!;
};

/** Connects to the hub like a compromised store: with the store's own credential, to send any message. */
const comeAs = async (t: TestContext, hq: Server, store: Server, ref: string) => {
  const { servers, jwt, ca } = await offerTo(hq, store, ref);
  const { identity } = store.site.app;
  const options: NodeConnectionOptions = {
    servers,
    reconnect: false,
    inboxPrefix: inboxOf(whoIs(store, ref)),
    tls: trustOnly(ca),
    authenticator: (nonce = '') => ({
      jwt,
      nkey: '',
      sig: Buffer.from(identity.sign(nonce), 'hex').toString('base64url'),
    }),
  };
  const connection = await connect(options);
  t.after(() => connection.close());
  const refused: string[] = [];
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        refused.push(`${status.error.operation} ${status.error.subject}`);
  })();
  /** Connects again with the same credential. */
  const again = async (): Promise<void> => (await connect(options)).close();
  return { connection, refused, again };
};

/** Writes the hub's configuration file as versions without a system account wrote it. Returns the path of the file. */
const earlierConf = (t: TestContext, { site }: Server): string => {
  const conf = readFileSync(join(site.data, 'nats', 'nats.conf'), 'utf8');
  const system = /^system_account: (\w+)$/m.exec(conf)![1]!;
  const file = join(tempFolder(t), 'earlier.conf');
  writeFileSync(
    file,
    conf
      .split('\n')
      .filter((line) => !line.includes(system))
      .join('\n'),
  );
  return file;
};

const heardOn = (connection: NatsConnection, subject: string): string[] => {
  const heard: string[] = [];
  connection.subscribe(subject, { callback: (error, message) => void (error || heard.push(message.string())) });
  return heard;
};
const codeOf = async (connection: NatsConnection, whose: Whose): Promise<string> => {
  const answer = await connection.request(requestSubject(whose, 'listen'), '{}', { timeout: 5_000 });
  return HubAnswer.parse(answer.json()).refused?.code ?? 'well';
};

test('plays of two stores arrive once by NATS while HTTPS is blocked, and headquarters can open the admin window', {
  skip,
}, async (t) => {
  const { hq, hub } = await openHub(t);
  const [mill, dock] = [await openCut(t, hq, 'Mill'), await openCut(t, hq, 'Dock')];
  await hub.has(3);
  for (const { cut } of [mill, dock]) cut(true);
  await mill.screen.show(40);
  await dock.screen.show(25);
  await told(mill.store);
  await mill.screen.show(3);
  await told(mill.store);
  await told(dock.store);
  assert.deepEqual(await sums(hq), [
    ['Mill', 43],
    ['Dock', 25],
  ]);
  const segments = await hub.segments();
  assert.ok(segments >= 3, `${segments} segments`);

  mill.cut(false);
  const inMill = callAs(hq.site, hq.owner.token);
  await until(
    'the store listens',
    WAIT_MS,
    async () => (await inMill('GET', `/store/${mill.id}/api/auth/me`)).status === 200,
  );
  const down = downSubject(whoIs(mill.store, mill.id));
  const lists = (await hub.connections()).flatMap(({ subscriptions_list_detail: list = [] }) => list);
  assert.ok(lists.find(({ subject }) => subject === down)!.msgs >= 1, 'it was told by NATS');
});

test('plays arrive by HTTPS while the hub is dead and by NATS when the hub is back, and leave nothing on its disk', {
  skip,
}, async (t) => {
  const { hq, hub } = await openHub(t);
  const mill = await openCut(t, hq, 'Mill');
  await hub.has(2);
  await mill.screen.show(10);
  await told(mill.store);
  await hub.kill();
  hub.loseFolder();
  await mill.screen.show(7);
  const at = performance.now();
  await told(mill.store);
  t.diagnostic(`by HTTPS ${Math.round(performance.now() - at)} ms after the hub was killed`);
  assert.deepEqual(await sums(hq), [['Mill', 17]]);
  const window = callAs(hq.site, hq.owner.token);
  await until(
    'it listens by HTTPS',
    WAIT_MS,
    async () => (await window('GET', `/store/${mill.id}/api/auth/me`)).status === 200,
  );

  await hub.start();
  const back = performance.now();
  await hub.has(2);
  t.diagnostic(`both are at the hub ${Math.round(performance.now() - back)} ms after it was there again`);
  mill.cut(true);
  await mill.screen.show(5);
  await told(mill.store);
  assert.deepEqual(await sums(hq), [['Mill', 22]]);
  mill.cut(false);
  await until(
    'it listens by NATS',
    WAIT_MS,
    async () => (await window('GET', `/store/${mill.id}/api/auth/me`)).status === 200,
  );
});

test('store on NATS can publish and subscribe only to its own NATS subjects', { skip }, async (t) => {
  const { hq } = await openHub(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const [millId, dockId] = [await enrol(hq, mill, { name: 'Mill' }), await enrol(hq, dock, { name: 'Dock' })];
  const subjectsOf = (whose: Whose) => [
    ...HUB_VERBS.map((verb) => requestSubject(whose, verb)),
    segmentSubject(whose),
    downSubject(whose),
    `${inboxOf(whose)}.x`,
  ];
  const all = [
    '>',
    '*.>',
    'hq.>',
    'hq.*.*.*',
    'up.>',
    'up.*.*.segment',
    'down.>',
    'down.*.*',
    '_INBOX.>',
    '_INBOX.*.*.>',
    '$SYS.>',
  ];
  for (const [one, own, other] of [
    [mill, whoIs(mill, millId), whoIs(dock, dockId)],
    [dock, whoIs(dock, dockId), whoIs(mill, millId)],
  ] as const) {
    const { connection, refused } = await comeAs(t, hq, one, own.store);
    const granted = storePermissions(own);
    const isGranted = (may: 'publish' | 'subscribe', subject: string) =>
      granted[may].some(
        (given) => given === subject || (given.endsWith('>') && subject.startsWith(given.slice(0, -1))),
      );
    // Tries the store's own NATS subjects that it does not need, and all NATS subjects of another store.
    const half = { store: own.store, key: other.key };
    const subjects = [own, other, half].flatMap(subjectsOf);
    const publishes = subjects.filter((subject) => !isGranted('publish', subject));
    const subscribes = [...subjects, ...all, `${inboxOf(other)}.>`].filter(
      (subject) => !isGranted('subscribe', subject),
    );
    assert.ok(subjectsOf(other).every((subject) => publishes.includes(subject) && subscribes.includes(subject)));
    for (const subject of publishes) connection.publish(subject, '{}');
    const heard = subscribes.map((subject) => heardOn(connection, subject));
    await connection.flush();
    const wanted = [...publishes.map((s) => `publish ${s}`), ...subscribes.map((s) => `subscription ${s}`)];
    await until('all of it is refused', WAIT_MS, () => refused.length >= wanted.length);
    assert.deepEqual(refused.toSorted(), wanted.toSorted());
    assert.deepEqual(heard.flat(), []);
  }
});

test('answer goes only to the requesting store, whatever reply subject the request names', { skip }, async (t) => {
  const { hq } = await openHub(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const [millId, dockId] = [await enrol(hq, mill, { name: 'Mill' }), await enrol(hq, dock, { name: 'Dock' })];
  const [own, other] = [whoIs(mill, millId), whoIs(dock, dockId)];
  const { connection } = await comeAs(t, hq, mill, millId);
  const { connection: victim } = await comeAs(t, hq, dock, dockId);
  const heard = [downSubject(other), `${inboxOf(other)}.>`].map((subject) => heardOn(victim, subject));
  await victim.flush();
  for (const reply of [downSubject(other), `${inboxOf(other)}.x`, downSubject(own)])
    connection.publish(requestSubject(own, 'listen'), '{}', { reply });
  // Requests of a connection are answered in order, so the earlier requests have been handled now.
  assert.equal(await codeOf(connection, own), 'well');
  await victim.flush();
  assert.deepEqual(heard, [[], []]);
});

test('hub disconnects and refuses servers that were replaced or removed, that left, or whose workspace is deleted', {
  skip,
}, async (t) => {
  const { hq, hub } = await openHub(t);
  const servers = [await openStore(t), await openStore(t), await openStore(t), await openStore(t)] as const;
  const [before, after, leaving, last] = servers;
  const gone: (() => Promise<void>)[] = [];
  const isEnded = async ({ connection, again }: Awaited<ReturnType<typeof comeAs>>, act: () => Promise<unknown>) => {
    const at = performance.now();
    await act();
    assert.match(String(await connection.closed()), /Revoked/);
    t.diagnostic(`ended after ${Math.round(performance.now() - at)} ms`);
    await assert.rejects(again(), /Authorization/);
    gone.push(again);
  };
  const id = await enrol(hq, before, { name: 'Mill' });
  await isEnded(await comeAs(t, hq, before, id), () => enrolAs(hq, after, id));
  const next = await comeAs(t, hq, after, id);
  assert.equal(await codeOf(next.connection, whoIs(after, id)), 'well');
  await isEnded(next, async () => must(await hq.call('DELETE', `/api/stores/${id}`), 200));
  const dock = await enrol(hq, leaving, { name: 'Dock' });
  await isEnded(await comeAs(t, hq, leaving, dock), async () => must(await leaving.call('DELETE', '/api/chain'), 200));

  const { id: workspace } = must(await hq.call('POST', '/api/workspaces', { name: 'Franchise' }), 201);
  const { token } = must(await hq.call('POST', '/api/auth/switch-workspace', { workspace_id: workspace }));
  const pier = await enrol({ ...hq, call: callAs(hq.site, token) }, last, { name: 'Pier' });
  const pierLine = await comeAs(t, hq, last, pier);
  await isEnded(pierLine, async () => must(await hq.call('DELETE', `/api/workspaces/${workspace}`), 200));

  await hub.kill();
  await hub.start();
  for (const again of gone) await assert.rejects(again(), /Authorization/);
});

test('hub receives revocations of the time when it was down, also when headquarters could not write its file', {
  skip,
}, async (t) => {
  const { hq, hub, server } = await openHub(t);
  const store = await openStore(t);
  const id = await enrol(hq, store, { name: 'Mill' });
  const { connection, again } = await comeAs(t, hq, store, id);
  const conf = join(hq.site.data, 'nats', 'nats.conf');
  const early = join(tempFolder(t), 'early.conf');
  copyFileSync(conf, early);
  // Headquarters stops after it has stored the revocation, before it notifies the hub. The hub still accepts the
  // credential.
  await hq.site.app.stop();
  const db = new BetterSqlite3(join(hq.site.data, 'vitrine.db'));
  const at = Math.floor(Date.now() / 1000);
  db.prepare("INSERT INTO settings (key, value) VALUES ('chain_revoked_keys', json_object(?, ?))").run(
    whoIs(store, id).key,
    at,
  );
  db.close();
  assert.equal(connection.isClosed(), false);
  const data = hq.site.data;
  await openHq(t, { data, httpsPort: hq.httpsPort, as: hq.owner, env: { VITRINE_NATS: server } });
  assert.match(String(await connection.closed()), /Revoked/);

  // The hub starts with an old copy of its configuration file.
  await hub.kill();
  await hub.start(early);
  await until('the hub refuses the credential', WAIT_MS, () =>
    again().then(
      () => false,
      (error) => /Authorization/.test(String(error)),
    ),
  );
});

test('headquarters refuses a replaced or removed server that an older version of the hub does not disconnect', {
  skip,
}, async (t) => {
  const { hq, hub } = await openHub(t);
  await hub.kill();
  await hub.start(earlierConf(t, hq));
  await hub.has(1);
  const [before, after] = [await openStore(t), await openStore(t)];
  const id = await enrol(hq, before, { name: 'Mill' });
  const [old, now] = [whoIs(before, id), whoIs(after, id)];
  const { connection, refused } = await comeAs(t, hq, before, id);
  assert.equal(await codeOf(connection, old), 'well');
  await enrolAs(hq, after, id);
  assert.equal(await codeOf(connection, old), 'not_enrolled');
  const answer = await connection.request(segmentSubject(old), 'plays', { timeout: 5_000 });
  assert.equal(HubAnswer.parse(answer.json()).refused?.code, 'not_enrolled');
  const heard = [heardOn(connection, downSubject(old)), heardOn(connection, downSubject(now))];
  await connection.flush();
  connection.publish(requestSubject(now, 'leave'), '{}');
  await until('it is refused', WAIT_MS, () => refused.length === 2);
  const window = callAs(hq.site, hq.owner.token);
  await until(
    'the new one listens',
    WAIT_MS,
    async () => (await window('GET', `/store/${id}/api/auth/me`)).status === 200,
  );
  assert.deepEqual(heard, [[], []]);

  const { connection: next } = await comeAs(t, hq, after, id);
  assert.equal(await codeOf(next, now), 'well');
  must(await hq.call('DELETE', `/api/stores/${id}`), 200);
  assert.equal(await codeOf(next, now), 'not_enrolled');
  const log = readFileSync(join(hq.site.data, 'logs', 'server.log'), 'utf8');
  assert.match(log, /Authorization Violation","command":"nats-server -c .*The hub does not accept revocations/);
});

test("files of the hub are readable only by the server's user, contain no client key, and survive a restart", {
  skip,
}, async (t) => {
  const { hq } = await openHub(t);
  const folder = join(hq.site.data, 'nats');
  for (const file of [
    ...['nats.conf', 'hub.key', 'hub.crt'].map((name) => join(folder, name)),
    join(hq.site.data, 'keys', 'nats.json'),
  ])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  const before = readFileSync(join(folder, 'nats.conf'), 'utf8');
  assert.doesNotMatch(before, /PRIVATE KEY|\bS[OAU][A-Z2-7]{56}\b/);
  await hq.site.app.stop();
  const again = await openHq(t, {
    data: hq.site.data,
    httpsPort: hq.httpsPort,
    as: hq.owner,
    env: { VITRINE_NATS: portOf(before) },
  });
  await pause(500);
  assert.equal(readFileSync(join(again.site.data, 'nats', 'nats.conf'), 'utf8'), before);
});

/** Returns the address of the hub in a configuration file. */
const portOf = (conf: string): string => `tls://127.0.0.1:${/listen: "0\.0\.0\.0:(\d+)"/.exec(conf)![1]}`;
