import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerAddress } from '../ports.ts';
import { FakeAddresses, FakeTime, MemoryLog } from '../testing/fakes.ts';
import type { Paired } from './identity.ts';
import { Session } from './session.ts';

const SERVER = { id: 'server-1', name: 'Store', fingerprint: 'f1' };
const OTHER = { id: 'server-2', name: 'Other', fingerprint: 'f2' };
const ORIGIN = 'http://10.0.0.1:8710';
const PAIRED = { device_id: 'd', name: 'Till', workspace_id: 'w', server: SERVER, origin: ORIGIN, tls: null } as Paired;
const SECURE = { origin: 'https://10.0.0.1:8711', certificate: 'c1' };

const start = ({ paired = null as Paired | null, signs = true, clear = true } = {}) => {
  const [time, log, addresses] = [new FakeTime(), new MemoryLog(), new FakeAddresses()];
  const picked: unknown[] = [];
  addresses.pick = (...asked) => {
    picked.push(asked);
    return null;
  };
  addresses.seen = () => [{ origin: ORIGIN, server: SERVER, name: 'Store', setup: false }];
  const kit = {
    peer: { origin: ORIGIN, server: SERVER } as ServerAddress | null,
    drops: [] as { reason: string; code?: number; minDelay?: number }[],
    pairs: [] as Paired[],
    /** Called while the pairing is being saved. */
    keeping: () => {},
    told: { changed: 0, welcomed: 0, unpaired: 0 },
    programId: null as string | null,
    clear,
  };
  const keep = async (to: Paired) => {
    kit.pairs.push(to);
    kit.keeping();
    identity.paired = to;
  };
  const identity = {
    paired,
    secret: 's',
    secretHash: 'hash',
    signingPublicKey: signs ? 'public' : null,
    pair: keep,
    renew: keep,
  };
  const session = new Session({
    identity: identity as never,
    addresses,
    choice: {
      get isClear() {
        return kit.clear;
      },
    },
    time,
    log,
    device: () => ({ platform: 'test', version: '1', capabilities: [], screen: { width: 0, height: 0 } }),
    programId: () => kit.programId,
    peer: () => kit.peer,
    drop: (reason, options) => {
      kit.drops.push({ reason, ...options });
      if (options.minDelay) assert.match(log.lines.at(-1) ?? '', /is not the one this screen belongs to: it/);
    },
    changed: () => void kit.told.changed++,
    welcomed: () => void kit.told.welcomed++,
    unpaired: async () => void kit.told.unpaired++,
  });
  return { ...kit, kit, time, log, picked, session };
};

const STRANGER = [{ reason: 'not the server this player belongs to', code: 4_000, minDelay: 30_000 }];
const pairing = (server = SERVER) => ({ type: 'pairing' as const, code: 'ABC', expires_at: 0, server });
const welcome = (over: object = {}) => ({
  type: 'welcome' as const,
  device_id: 'd',
  name: 'Till',
  server_time: 0,
  server: { ...SERVER, version: '1' },
  ...over,
});

test('unpaired player connects only when one server is certain, and a paired player to its own server', () => {
  const doubt = start({ clear: false });
  assert.deepEqual([doubt.session.address(3), doubt.picked], [null, []]);
  const fresh = start();
  fresh.session.address(3);
  const known = start({ paired: PAIRED, clear: false });
  known.session.address(4);
  assert.deepEqual(fresh.picked, [[null, 3]]);
  assert.deepEqual(known.picked, [[{ server_id: 'server-1', fingerprint: 'f1', origin: ORIGIN }, 4]]);
});

test('hello names the visible program, and contains the secret only for the paired server', () => {
  const common = { type: 'hello', protocol: 1, takes: ['program.body'], device: start().session.hello().device };
  assert.deepEqual(start().session.hello(), { ...common, signing_key: 'public', secret_hash: 'hash' });
  const known = start({ paired: PAIRED, signs: false });
  assert.deepEqual(known.session.hello(), { ...common, device_id: 'd', secret: 's' });
  known.kit.programId = 'p';
  assert.deepEqual(known.session.hello(), { ...common, device_id: 'd', secret: 's', program_id: 'p' });
});

test('code is shown unless another server was announced at the address, and for 10 s after a disconnect', async () => {
  const { kit, time, session, drops } = start();
  session.pairing(pairing());
  assert.deepEqual([session.waiting, kit.told.changed], [{ code: 'ABC', server: SERVER, origin: ORIGIN }, 1]);
  session.closed();
  session.closed();
  await time.advance(9_999);
  assert.ok(session.waiting);
  session.pairing(pairing());
  await time.advance(60_000);
  assert.ok(session.waiting, 'it came back');
  session.closed();
  await time.advance(10_000);
  assert.deepEqual([session.waiting, kit.told.changed], [null, 3]);
  session.closed();
  assert.equal(time.waits, 0);
  kit.peer = null;
  session.pairing(pairing());
  assert.deepEqual([session.waiting, drops], [null, []]);
  for (const peer of [
    { origin: ORIGIN, server: SERVER },
    { origin: ORIGIN, server: null },
  ]) {
    const { kit: other, session: doubts } = start();
    other.peer = peer;
    doubts.pairing(pairing(OTHER));
    assert.deepEqual([doubts.waiting, other.drops], [null, STRANGER]);
  }
  const unknown = start();
  unknown.kit.peer = { origin: 'http://else', server: null };
  unknown.session.pairing(pairing(OTHER));
  assert.equal(unknown.session.waiting?.server, OTHER);
  const doubt = start({ clear: false });
  doubt.session.pairing(pairing());
  const unclear = { reason: 'more than one server is heard', code: 1_000 };
  assert.deepEqual([doubt.session.waiting, doubt.drops], [null, [unclear]]);
  const shows = start();
  shows.session.pairing(pairing());
  shows.session.unclear();
  assert.deepEqual([shows.session.waiting, shows.drops], [null, [unclear]], 'not shown on');
  const known = start({ paired: PAIRED });
  known.session.pairing(pairing());
  assert.deepEqual([known.session.waiting, known.drops], [null, STRANGER]);
});

test('player pairs with the server whose code it shows, otherwise with a server that states a matching identity', async () => {
  const paired = { type: 'paired' as const, device_id: 'd', name: 'Till', workspace_id: 'w' };
  const shows = start();
  shows.session.pairing(pairing());
  await shows.session.paired({ ...paired, server: OTHER });
  assert.deepEqual([shows.pairs, shows.session.waiting], [[PAIRED], null]);
  const secure = start();
  secure.kit.peer = { origin: ORIGIN, server: SERVER, secure: SECURE };
  await secure.session.paired({ ...paired, server: SERVER });
  assert.deepEqual(secure.pairs, [{ ...PAIRED, tls: { certificate: 'c1' } }]);
  const plain = start();
  plain.kit.peer = { origin: ORIGIN, server: null };
  await plain.session.paired({ ...paired, server: SERVER });
  assert.deepEqual(plain.pairs, [PAIRED]);
  const stranger = start();
  await stranger.session.paired({ ...paired, server: OTHER });
  assert.deepEqual([stranger.pairs, stranger.drops], [[], STRANGER]);
  const [untold, gone, doubt, known] = [start(), start(), start({ clear: false }), start({ paired: PAIRED })];
  gone.kit.peer = null;
  await untold.session.paired(paired);
  for (const one of [gone, doubt, known]) await one.session.paired({ ...paired, server: SERVER });
  for (const one of [untold, gone, doubt, known]) assert.deepEqual([one.pairs, one.drops], [[], []]);
});

test('session accepts only the welcome of the paired server and saves changes of its data', async () => {
  for (const over of [{ device_id: 'e' }, { server: { ...OTHER, id: SERVER.id, version: '1' } }]) {
    const { session, drops, told } = start({ paired: PAIRED });
    await session.welcome(welcome(over));
    assert.deepEqual([session.welcomed, drops, told.welcomed], [false, STRANGER, 0]);
  }
  for (const [peer, name, kept, lines] of [
    [{ origin: ORIGIN, server: SERVER }, 'Till', [], 0],
    [{ origin: ORIGIN, server: SERVER }, 'Door', [{ ...PAIRED, name: 'Door' }], 0],
    [{ origin: 'http://b', server: SERVER }, 'Till', [{ ...PAIRED, origin: 'http://b' }], 0],
    [{ origin: ORIGIN, server: SERVER, secure: SECURE }, 'Till', [{ ...PAIRED, tls: { certificate: 'c1' } }], 1],
  ] as const) {
    const { kit, session, told, log, pairs } = start({ paired: PAIRED });
    kit.peer = peer;
    await session.welcome(welcome({ name }));
    assert.deepEqual(
      [session.welcomed, told.welcomed, told.changed, pairs, log.lines.length],
      [true, 1, 1, kept, lines],
    );
    session.closed();
    assert.equal(session.welcomed, false);
  }
  const [fresh, gone, going] = [start(), start({ paired: PAIRED }), start({ paired: PAIRED })];
  gone.kit.peer = null;
  going.kit.keeping = () => {
    going.kit.peer = null;
    going.session.closed();
  };
  for (const { session, told } of [fresh, gone, going]) {
    await session.welcome(welcome({ name: 'Door' }));
    assert.deepEqual([session.welcomed, told.welcomed], [false, 0]);
  }
});

test('message that the player is unknown ends the pairing only if it comes from the paired server', async () => {
  for (const [reason, peer, ends] of [
    ['removed', { origin: 'http://b', server: OTHER }, true],
    ['unknown', { origin: 'http://b', server: SERVER }, true],
    ['unknown', { origin: ORIGIN, server: null }, true],
    ['unknown', { origin: 'http://b', server: OTHER }, false],
    ['unknown', null, false],
  ] as const) {
    const { kit, session, told, drops } = start({ paired: PAIRED });
    await session.welcome(welcome());
    kit.peer = peer;
    await session.unpaired({ type: 'unpaired', reason });
    assert.deepEqual(
      [told.unpaired, drops, session.welcomed],
      ends ? [1, [{ reason: 'unpaired', code: 1_000 }], false] : [0, STRANGER, true],
    );
    assert.equal(told.changed, ends ? 2 : 1);
  }
  const fresh = start();
  await fresh.session.unpaired({ type: 'unpaired', reason: 'removed' });
  assert.deepEqual([fresh.told.unpaired, fresh.drops], [0, []]);
  const stopped = start();
  stopped.session.pairing(pairing());
  stopped.session.closed();
  stopped.session.stop();
  await stopped.time.advance(60_000);
  assert.ok(stopped.session.waiting);
});
