/**
 * Stores and headquarters of different versions: recorded messages of former versions, byte for byte, and possible
 * messages of later versions. No difference of versions interrupts the connection of a store.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { partsOf } from '../../server/headquarters/plays/segment-writer.ts';
import { hashOfSecret } from '../../server/headquarters/stores/stores.service.ts';
import { enrolmentText } from '../../shared/chain/enrolment-code.ts';
import { storeWindowPath } from '../../shared/chain/tunnel.ts';
import { type AskOf, SEGMENT_VERB, sessionText } from '../../shared/chain/wire.ts';
import { TestClock, tempFolder } from '../harness.ts';
import { must, type Person } from '../people.ts';
import { until } from '../until.ts';
import { type Exchange, giveKey, OtherHq, readExchange } from './other-hq.ts';
import { askHq } from './raw-store.ts';
import { openHq } from './rig.ts';
import { Store } from './simulated.ts';

const WAIT_MS = 20_000;
const RECORDED = join(import.meta.dirname, 'testing');
const HOUR_MS = 3_600_000;

/** Starts today's headquarters with the clock, key, store and code of the recording. */
const openThen = async (t: TestContext, { at, store, headquarters, exchange }: Exchange) => {
  const [data, clock] = [tempFolder(t), new TestClock(at)];
  giveKey(data, headquarters);
  const first = await openHq(t, { data, clock });
  const { id } = must(await first.call('POST', '/api/stores', { name: 'Mill', region: 'North' }), 201);
  must(await first.call('POST', `/api/stores/${id}/code`), 201);
  await first.site.app.stop();
  const raw = new BetterSqlite3(join(data, 'vitrine.db'));
  const { secret } = JSON.parse(exchange[0]!.body) as AskOf<'enrol'>;
  raw.prepare('UPDATE hq_stores SET ref = ?').run(store);
  raw.prepare('UPDATE hq_codes SET hash = ?').run(hashOfSecret(secret));
  raw.close();
  const as: Person = first.owner;
  return { hq: await openHq(t, { data, clock, as }), clock };
};

/** Starts today's store for a headquarters of another version. */
const openBeside = async (t: TestContext, exchange: Exchange, made: Parameters<typeof OtherHq.open>[3] = {}) => {
  const clock = new TestClock();
  const hq = await OtherHq.open(t, exchange, clock, made);
  const logged: string[] = [];
  const write = (message: string) => void logged.push(message);
  const log = { debug: write, info: write, warn: write, error: write };
  const store = new Store('Mill', tempFolder(t), [], { clock, log });
  t.after(() => store.end());
  const code = enrolmentText({ secret: randomBytes(8).toString('hex'), fingerprint: hq.identity.fingerprint });
  const enrol = () => store.enrol(`https://127.0.0.1:${hq.port}`, code);
  return { hq, store, clock, logged, enrol };
};

for (const file of readdirSync(RECORDED)) {
  const recorded = readExchange(join(RECORDED, file));

  test(`headquarters counts plays of a store recorded in ${file}, but cannot open the store's admin window`, async (t) => {
    const { hq, clock } = await openThen(t, recorded);
    const own = giveKey(tempFolder(t), recorded.server);
    let token: string | undefined;
    let plays = 0;
    /** Sends a recorded request. Values that depend on a nonce are computed anew. */
    const say = async ({ verb, body }: Exchange['exchange'][number]) => {
      if (verb === SEGMENT_VERB) {
        plays += partsOf(Buffer.from(body, 'base64')).header.plays;
        return askHq(hq, verb, Buffer.from(body, 'base64'), token);
      }
      const said = JSON.parse(body);
      if (verb !== 'session') return askHq(hq, verb, said, token);
      const { nonce } = must((await askHq(hq, 'challenge', { store: recorded.store })) as never);
      const text = sessionText(recorded.store, nonce, hq.site.app.identity.fingerprint);
      const answer = await askHq(hq, verb, { ...said, nonce, signature: own.sign(text) });
      token = answer.body.token;
      return answer;
    };
    const verbs = new Set(recorded.exchange.map(({ verb }) => verb));
    for (const verb of ['enrol', 'challenge', 'session', 'through', 'presence', SEGMENT_VERB, 'leave'])
      assert.ok(verbs.has(verb), `no ${verb} was recorded`);
    const leave = recorded.exchange.findIndex(({ verb }) => verb === 'leave');
    for (const said of recorded.exchange.slice(0, leave)) {
      const { status, body } = await say(said);
      assert.equal(status, said.status, `${said.verb}: ${JSON.stringify(body)}`);
      // The answer must contain all JSON fields that the old version reads. The old version ignores further fields.
      const then = JSON.parse(said.answer);
      for (const member of Object.keys(then)) assert.ok(member in body, `${said.verb} is answered without ${member}`);
      if (said.verb === 'through' || said.verb === SEGMENT_VERB) assert.deepEqual(body, then);
    }
    assert.equal((await hq.get('/api/stores/plays/totals')).plays, plays);
    const told = JSON.parse(recorded.exchange.findLast(({ verb }) => verb === 'presence')!.body) as AskOf<'presence'>;
    const view = await hq.get(`/api/stores/${recorded.store}`);
    assert.deepEqual(
      [view.line, view.version, view.screens_total, view.screens_online, view.waiting, view.disk_free_bytes],
      ['up', told.version, told.screens.total, told.screens.online, told.waiting, told.disk!.free_bytes],
    );

    // An old store cannot receive messages: users get an error message about this, and everything else works.
    const window = await hq.call('GET', `${storeWindowPath(recorded.store)}/api/auth/me`);
    assert.deepEqual([window.status, window.body.code], [503, 'store_away']);
    assert.match(window.body.error, /^Mill cannot be reached at the moment\./);
    const stores = { which: 'named', ids: [recorded.store] };
    const command = { type: 'screen_on' };
    const order = must(await hq.call('POST', '/api/stores/orders', { command, stores, lasts_minutes: 1 }), 201);
    assert.equal(order.states.waiting, 1);
    clock.advance(61_000);
    assert.equal((await hq.get(`/api/stores/orders/${order.id}`)).states.expired, 1);
    must((await askHq(hq, 'presence', told, token)) as never);
    must((await say(recorded.exchange[leave]!)) as never);
    assert.equal((await hq.get(`/api/stores/${recorded.store}`)).line, 'left');
  });

  test(`store enrols at the headquarters recorded in ${file} and sends plays, although it receives no push messages`, async (t) => {
    const { hq, store, clock, logged, enrol } = await openBeside(t, recorded);
    const now = setImmediate;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    /**
     * Advances the test clock by `ms` in steps of a second. After each step, waits until the work of this second is
     * done.
     */
    const pass = async (ms: number) => {
      for (const end = clock.mono() + ms; clock.mono() < end; ) {
        clock.advance(1_000);
        t.mock.timers.tick(1_000);
        const began = performance.now();
        do await new Promise((next) => now(next));
        while (hq.busy > 0 || performance.now() - began < 2);
      }
    };
    await enrol();
    await store.show(10);
    await pass(70_000);
    assert.equal(hq.plays, 20);
    const before = new Map(hq.asked);
    const quiet = logged.length;
    await pass(HOUR_MS / 2);
    await store.show(3);
    await pass(HOUR_MS / 2);
    assert.equal(hq.plays, 26);
    const times = (verb: string) => (hq.asked.get(verb) ?? 0) - (before.get(verb) ?? 0);
    // A store retries the verb `listen` after a pause that grows from 5 s to 5 min with a random spread. So it makes 10
    // to 40 attempts in an hour.
    t.diagnostic(
      `asked for what it is told ${times('listen')} times in an hour; ${logged.length - quiet} lines of log`,
    );
    assert.ok(times('listen') >= 10 && times('listen') <= 40, `listened ${times('listen')} times`);
    assert.ok(times('presence') >= 100 && times('presence') <= 130, `told ${times('presence')} times how it is`);
    assert.equal(times('session'), 0);
    assert.ok(logged.length - quiet <= times('listen') + 5, logged.slice(quiet).join('\n'));
    const { line, trouble, waiting } = store.link!.view;
    assert.deepEqual({ line, trouble, waiting }, { line: 'up', trouble: null, waiting: 0 });
  });

  test(`store of today works with a headquarters newer than ${file}, and answers unknown messages as unsupported`, async (t) => {
    let nats: unknown = { protocol: 3, hubs: [{ at: 'nats://hub.test' }] };
    const more = (verb: string) => ({ later: { of: [verb] }, ...(verb === 'session' && { nats }) });
    const { hq, store, enrol, logged } = await openBeside(t, recorded, { more, speaks: true });
    await enrol();
    await store.show(5);
    await until('it listens, and has told', WAIT_MS, () => hq.isHeard && hq.plays === 10);
    const ids = Array.from({ length: 6 }, (_, i) => `${i}`.repeat(32));
    const unknown = [
      { id: ids[0], verb: 'campaign', said: { doc: 'x' } },
      { id: ids[1], verb: 'constructor', said: {} },
      // Known messages with unknown JSON fields, which are ignored, and known messages without required fields.
      { id: ids[2], verb: 'rewind', said: { generation: 4 }, urgent: true },
      { id: ids[3], verb: 'open', said: { quic: true } },
      { id: ids[4], verb: 'command', said: { id: 'c', visitor: { id: 'v', name: 'V', role: 'overseer' } } },
    ];
    for (const line of [
      '',
      'not JSON',
      '[]',
      '{"id":1}',
      '{"id":"x","verb":"rewind"}',
      ...unknown.map((one) => JSON.stringify(one)),
    ])
      hq.tell(line);
    await until('all are answered', WAIT_MS, () => hq.answers.length === unknown.length);
    hq.tell(JSON.stringify({ id: ids[5], verb: 'rewind', said: {} }));
    await until('it hears still', WAIT_MS, () => hq.answers.length === unknown.length + 1);
    const said = Object.fromEntries(hq.answers.map(({ id, answer, refused }) => [id, refused?.code ?? answer]));
    assert.deepEqual(
      ids.map((id) => said[id]),
      ['unsupported', 'unsupported', {}, 'unsupported', 'unsupported', {}],
    );
    for (const { refused } of hq.answers) if (refused) assert.match(refused.error, /^This store’s version .+\.$/);
    for (const [starts, offer] of [null, 'tls://hub.test', { servers: [], jwt: 7 }].entries()) {
      nats = offer;
      await store.kill();
      await until('it listens again', WAIT_MS, () => hq.asked.get('listen') === starts + 2);
    }
    await store.show(2);
    store.hurry();
    await until('it goes on', WAIT_MS, () => hq.isHeard && hq.plays === 14);
    assert.equal(store.link!.view.line, 'up');
    assert.equal(hq.asked.get('listen'), 4, 'once for each start');
    assert.deepEqual(
      logged.filter((line) => /hub/i.test(line)),
      [],
    );
  });
}
