/** Tests how a store handles a false, unreachable or failing hub. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { sessionText } from '../../../shared/chain/wire.ts';
import { issueServer, makeAuthority } from '../../tls/certificate.ts';
import { newKey } from '../testing/journal.ts';
import { ConnectionDown, RequestRefused } from './connection.ts';
import { Connections, type Transport } from './connections.ts';
import { HubConnection } from './nats-connection.ts';

const authority = makeAuthority({ serverId: 'hq', names: [], now: Date.now() });
const { certificate: cert, private_key: key } = issueServer({
  authority,
  serverId: 'hq',
  names: ['127.0.0.1'],
  now: Date.now(),
});

/** A fake hub that greets with a nonce (random text to sign) of any form, and stores the messages that it receives. */
const falseHub = async (t: TestContext, nonce: string) => {
  const hub = createServer((socket) => {
    socket.on('error', () => {});
    const info = {
      server_id: 'x',
      version: '2.9.10',
      proto: 1,
      headers: true,
      max_payload: 1_024,
      tls_required: true,
      nonce,
    };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    const tls = new TLSSocket(socket, { isServer: true, cert, key });
    tls.on('error', () => {});
    tls.on('data', (data) => {
      if (data.includes('PING')) tls.write('PONG\r\n');
    });
  });
  hub.listen(0, '127.0.0.1');
  await once(hub, 'listening');
  t.after(() => hub.close());
  return `tls://127.0.0.1:${(hub.address() as { port: number }).port}`;
};

const comeTo = async (t: TestContext, nonce: string, ca = authority.certificate) => {
  const own = newKey();
  const signed: string[] = [];
  const sign = (text: string) => {
    signed.push(text);
    return own.sign(text);
  };
  const offer = { servers: [await falseHub(t, nonce)], jwt: 'jwt', ca };
  const connection = await HubConnection.open({
    offer,
    host: '127.0.0.1',
    whose: { store: 's', key: own.key },
    sign,
  }).catch((error: unknown) => error);
  if (connection instanceof HubConnection) connection.close();
  return { connection, signed };
};

test('server signs a hub’s nonce only if the nonce cannot be mistaken for another text that the key signs', async (t) => {
  const good = await comeTo(t, 'hdRezH--MpWrzbU');
  assert.ok(good.connection instanceof HubConnection, String(good.connection));
  assert.deepEqual(good.signed, ['hdRezH--MpWrzbU']);
  for (const nonce of [
    sessionText('s', 'ab'.repeat(32), 'cd'.repeat(32)),
    'vitrine.enrol.1',
    'a\nb',
    '',
    'a'.repeat(200),
  ]) {
    const { connection, signed } = await comeTo(t, nonce);
    assert.ok(connection instanceof ConnectionDown, `${nonce}: ${connection}`);
    assert.deepEqual(signed, [], nonce);
  }
});

test('store sends nothing to a hub whose certificate headquarters did not name', async (t) => {
  const other = makeAuthority({ serverId: 'other', names: [], now: Date.now() });
  const { connection, signed } = await comeTo(t, 'hdRezH--MpWrzbU', other.certificate);
  assert.ok(connection instanceof ConnectionDown, String(connection));
  assert.deepEqual(signed, []);
});

/** Fake transports (NATS and HTTPS) that the test controls. */
const ways = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const went: string[] = [];
  let offered: (offer: { servers: string[]; jwt: string; ca: null } | undefined, host: string) => void;
  let [hubSays, opens, now] = [undefined as Error | undefined, 0, 0];
  let end = () => {};
  const wayOf = (name: string, says: () => Error | undefined): Omit<Transport, 'ended'> => ({
    request: async (verb) => {
      went.push(`${name} ${verb}`);
      const error = says();
      if (error) throw error;
      return {} as never;
    },
    send: () => Promise.reject(new ConnectionDown('none')),
    listen: () => new Promise(() => {}),
    close: () => went.push(`${name} closed`),
  });
  const connections = new Connections({
    mono: () => now,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    https: (told) => {
      offered = told;
      const none = () => Promise.reject(new ConnectionDown('none'));
      return { ...wayOf('https', () => undefined), tunnel: none, blob: none };
    },
    open: async () => {
      opens++;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      end = resolve;
      return { ...wayOf('hub', () => hubSays), ended };
    },
  });
  const settle = () => new Promise((next) => setImmediate(next));
  return {
    connections,
    settle,
    offer: (is = true) => offered(is ? { servers: ['tls://hub:4222'], jwt: 'j', ca: null } : undefined, 'hq'),
    say: (error: Error | undefined) => (hubSays = error),
    end: () => end(),
    went: () => went.splice(0),
    opens: () => opens,
    wait: async (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
      await settle();
    },
  };
};

test('request goes over HTTPS at once when the hub fails, the hub is retried later, and a refusal is not retried', async (t) => {
  const { connections, settle, offer, say, end, went, opens, wait } = ways(t);
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['https leave'], 0]);
  offer();
  await settle();
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['hub leave'], 1]);
  say(new RequestRefused({ code: 'busy', error: 'Later.' }));
  await assert.rejects(connections.request('leave', {}), RequestRefused);
  assert.deepEqual(went(), ['hub leave']);
  say(new ConnectionDown('gone'));
  await connections.request('leave', {});
  assert.deepEqual(went(), ['hub leave', 'hub closed', 'https leave']);
  // New credentials for the hub, from sign-ins in the meantime, do not shorten the pause.
  offer();
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['https leave'], 1]);
  say(undefined);
  await wait(2_000);
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['hub leave'], 2]);
  end();
  await settle();
  await connections.request('leave', {});
  assert.deepEqual(went(), ['hub closed', 'https leave']);
  // After a long pause the credential for the hub has expired, and the next credential is used.
  await wait(16 * 60_000);
  assert.equal(opens(), 2);
  offer();
  await settle();
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['hub leave'], 3]);
  connections.close();
  assert.deepEqual(went(), ['https closed', 'hub closed']);
});

test('hub that refuses connections is retried at growing intervals', async (t) => {
  const { connections, offer, say, opens, wait, settle, went } = ways(t);
  say(new ConnectionDown('headquarters is not there'));
  offer();
  await settle();
  for (let i = 0; i < 600; i++) {
    offer();
    await connections.request('leave', {});
    await wait(1_000);
  }
  assert.ok(opens() > 5 && opens() < 14, `${opens()}`);
  assert.ok(went().filter((one) => one === 'https leave').length === 600);
});

test('store uses only HTTPS when headquarters no longer names a hub', async (t) => {
  const { connections, offer, opens, wait, went } = ways(t);
  offer(false);
  await wait(600_000);
  await connections.request('leave', {});
  assert.deepEqual([went(), opens()], [['https leave'], 0]);
});
