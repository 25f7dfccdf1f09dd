import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CloseCode, type Hello, MAX_FRAME_BYTES } from '../../../shared/protocol/messages.ts';
import { Stranger } from '../errors.ts';
import { type ServerAddress, type SocketEvents, type Trust, UNTRUSTED } from '../ports.ts';
import { FakeCrypto, FakeTime, MemoryLog, settle } from '../testing/fakes.ts';
import { Link } from './link.ts';

const plain: ServerAddress = { origin: 'http://10.0.0.1:8710', server: null };
const secure = { origin: 'https://10.0.0.1:8711', certificate: 'c0ffee' };
const hello: Hello = {
  type: 'hello',
  protocol: 1,
  secret_hash: 'h',
  device: { name: 'x', platform: 'test', version: '1', capabilities: [], screen: { width: 0, height: 0 } },
};
const ack = { type: 'heartbeat.ack', server_time: 5 };

interface Socket {
  readonly url: string;
  readonly trust: Trust | undefined;
  readonly events: SocketEvents;
  readonly sent: string[];
  closed: string | undefined;
}

/** Starts a link and records its calls. The fake random numbers make each delay 3/4 of the longest delay. */
async function start({ check = async (address: ServerAddress) => address, to = plain as ServerAddress | null } = {}) {
  const time = new FakeTime();
  const log = new MemoryLog();
  const sockets: Socket[] = [];
  const told: unknown[] = [];
  const attempts: number[] = [];
  const at = { address: to, check };
  const link = new Link({
    time,
    crypto: new FakeCrypto(),
    log,
    connect: (url, _subprotocol, events, trust) => {
      const socket: Socket = { url, trust, events, sent: [], closed: undefined };
      sockets.push(socket);
      return {
        send: (text) => void socket.sent.push(text),
        close: (code, reason) => (socket.closed = `${code} ${reason}`),
      };
    },
    address: (attempt) => {
      attempts.push(attempt);
      return at.address;
    },
    check: (address) => at.check(address),
    unreached: ({ origin }) => told.push(`unreached ${origin}`),
    hello: () => hello,
    opened: () => told.push('opened'),
    message: (message, when) => told.push([message, when]),
    newer: ({ message }) => told.push(`newer ${message.type}`),
    closed: () => told.push('closed'),
  });
  link.addressChanged();
  assert.equal(attempts.length, 0, 'it has not started');
  link.start();
  await settle();
  const last = () => sockets.at(-1) ?? assert.fail('it has not connected');
  const open = async () => {
    last().events.opened();
    await settle();
  };
  /** Returns the delay before the next connection in ms. */
  const waits = async () => {
    const [before, began] = [sockets.length, time.mono()];
    while (sockets.length === before && time.mono() - began < 120_000) await time.advance(500);
    return time.mono() - began;
  };
  return { time, log, sockets, told, attempts, at, link, last, open, waits };
}

test('Link sends the hello first, and has an address and accepts messages only while open', async () => {
  const { link, last, open, told } = await start();
  assert.deepEqual([last().url, last().trust, link.address], ['ws://10.0.0.1:8710/api/player', undefined, null]);
  assert.equal(link.send({ type: 'clock', t0: 1 }), false);
  await open();
  assert.equal(link.send({ type: 'clock', t0: 1 }), true);
  assert.deepEqual(
    last().sent.map((text) => JSON.parse(text)),
    [hello, { type: 'clock', t0: 1 }],
  );
  assert.deepEqual([link.address, told], [plain, ['opened']]);
});

test('Link connects by HTTPS and pins the certificate once the server has proved that the certificate is its own', async () => {
  const { link, last, open } = await start({ check: async (address) => ({ ...address, secure }) });
  assert.deepEqual([last().url, last().trust], ['wss://10.0.0.1:8711/api/player', { certificate: 'c0ffee' }]);
  await open();
  assert.deepEqual(link.address?.secure, secure);
});

test('messages are passed on with their time of arrival, newer messages are reported, unknown ones are logged', async () => {
  const { time, last, open, told, log, link } = await start();
  await open();
  await time.advance(700);
  last().events.text(JSON.stringify(ack));
  last().events.text(
    JSON.stringify({
      type: 'program',
      id: 'a'.repeat(64),
      url: '/p',
      placement: { orientation: '45', timezone: 'UTC', wall: null },
    }),
  );
  last().events.text('{"type":"dance"}');
  assert.deepEqual(told, ['opened', [ack, time.mono()], 'newer program']);
  assert.equal(log.lines.filter((line) => line.includes('is newer than this player')).length, 2);
  assert.ok(link.address, 'and the connection stays');
});

test('Link closes with 4400 (malformed) after a malformed message, and sends at most 1 MiB per message', async () => {
  const { last, open, link, log } = await start();
  await open();
  const fits = (message: string) => {
    const before = last().sent.length;
    assert.equal(link.send({ type: 'log', level: 'info', message }), true);
    return last().sent.length > before;
  };
  const frame = JSON.stringify({ type: 'log', level: 'info', message: '' }).length;
  assert.deepEqual(
    [
      fits('a'.repeat(MAX_FRAME_BYTES - frame)),
      fits('a'.repeat(MAX_FRAME_BYTES - frame + 1)),
      fits('€'.repeat(MAX_FRAME_BYTES / 3)),
    ],
    [true, false, false],
  );
  assert.equal(log.lines.filter((line) => line.includes('too large')).length, 2);
  last().events.text('{');
  assert.equal(last().closed, `${CloseCode.malformed} malformed message`);
  assert.equal(link.address, null);
});

test('Link gives up a connection that does not open within 10 s, or that receives nothing for 25 s', async () => {
  const { time, last, open, told, sockets, log, link } = await start();
  await time.advance(9_999);
  assert.equal(last().closed, undefined);
  await time.advance(1);
  assert.deepEqual([last().closed, told], ['4000 no connection in 10 s', [`unreached ${plain.origin}`]]);
  last().events.opened();
  assert.equal(link.address, null, 'too late');
  await time.advance(1_500);
  assert.equal(sockets.length, 2);
  await open();
  await time.advance(24_999);
  last().events.text(JSON.stringify(ack));
  await time.advance(24_999);
  assert.equal(last().closed, undefined);
  await time.advance(1);
  assert.equal(last().closed, '4000 server silent for 25 s');
  assert.deepEqual(
    told.slice(1).filter((each) => typeof each === 'string'),
    ['opened', 'closed'],
  );
  assert.ok(log.lines.includes('connection closed: 4000 server silent for 25 s'));
});

test('reconnects wait 1–2, 2–4 … 15–30 s, and begin with 1–2 s again after the server accepted the player', async () => {
  const { waits, last, open, attempts, link } = await start();
  const again = async () => {
    last().events.closed(1006, '');
    return waits();
  };
  const waited = [await again(), await again(), await again(), await again(), await again(), await again()];
  assert.deepEqual(waited, [1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
  assert.deepEqual(attempts, [0, 1, 2, 3, 4, 5, 6]);
  await open();
  assert.equal(await again(), 22_500, 'open is not yet taken in');
  await open();
  link.settled();
  assert.equal(await again(), 1_500);
});

test('Link waits 30 to 60 s after a close as `replaced` or `too fast`, and once at least the requested time', async () => {
  for (const [end, ms] of [
    [({ events }: Socket) => events.closed(CloseCode.replaced, ''), 45_000],
    [({ events }: Socket) => events.closed(CloseCode.tooFast, ''), 45_000],
    [({ events }: Socket) => events.closed(CloseCode.serverStops, ''), 1_500],
  ] as const) {
    const { last, open, waits } = await start();
    await open();
    end(last());
    assert.equal(await waits(), ms);
    last().events.closed(1006, '');
    assert.equal(await waits(), 3_000);
  }
  const { link, open, waits, last } = await start();
  await open();
  link.drop('not the right one', { code: 4001, minDelay: 20_000 });
  assert.equal(last().closed, '4001 not the right one');
  link.drop('again');
  assert.equal(await waits(), 30_000);
});

test('Link does not report an untrusted server as unreachable, and retries after 30 to 60 s', async () => {
  const { last, told, log, waits } = await start({ check: async (address) => ({ ...address, secure }) });
  last().events.closed(UNTRUSTED, 'another certificate');
  assert.deepEqual(told, []);
  assert.match(log.lines.join(), /who answers at https:\/\/10.0.0.1:8711 is not the server .*: another certificate/);
  assert.equal(await waits(), 45_000);
});

test('no hello is sent to a wrong server, and Link retries after 30 to 60 s, or 1 to 2 s without an answer', async () => {
  const stranger = await start({ check: () => Promise.reject(new Stranger('it is another one')) });
  assert.match(stranger.log.lines.join(), /10\.0\.0\.1:8710 is not talked to: it is another one/);
  stranger.at.check = async (address) => address;
  assert.equal(await stranger.waits(), 45_000);

  const away = await start({ check: () => Promise.reject(new Error('unreachable')) });
  const said = () => away.log.lines.filter((line) => line.startsWith('no answer from')).length;
  await away.time.advance(10_000);
  assert.deepEqual([away.attempts, said(), away.sockets.length], [[0, 1, 2], 1, 0]);
  away.at.address = { origin: 'http://10.0.0.2:8710', server: null };
  away.at.check = async (address) => address;
  await away.time.advance(1_000);
  assert.equal(away.last().url, 'ws://10.0.0.2:8710/api/player');
  away.last().events.closed(1006, '');
  assert.equal(said(), 2, 'another one is said anew');
  await away.waits();
  await away.open();
  away.last().events.closed(1006, '');
  await away.waits();
  away.last().events.closed(1006, '');
  assert.equal(said(), 3, 'and so is one that was open since');
});

test('Link without an address connects once the address book has changed', async () => {
  let answer: (() => void) | undefined;
  const { link, sockets, at, time, last, open, attempts } = await start({ to: null });
  await time.advance(60_000);
  assert.equal(attempts.length, 1);
  at.address = plain;
  at.check = (address) => new Promise((resolve) => (answer = () => resolve(address)));
  link.addressChanged();
  link.addressChanged();
  assert.equal(attempts.length, 2, 'asked once, while it is being looked who it is');
  answer?.();
  await settle();
  link.addressChanged();
  await open();
  link.addressChanged();
  await settle();
  assert.equal(sockets.length, 1);
  at.check = async (address) => address;
  last().events.closed(1006, '');
  link.addressChanged();
  await time.advance(10_000);
  assert.equal(sockets.length, 2, 'at once, and the wait is over');
  assert.equal(last().closed, '4000 no connection in 10 s');
});

test('stopped Link closes with 1000 (normal) and does not reconnect', async () => {
  const { link, sockets, last, open, told, time } = await start();
  await open();
  link.stop();
  assert.equal(time.waits, 0);
  assert.deepEqual([last().closed, told], ['1000 player stops', ['opened', 'closed']]);
  last().events.text(JSON.stringify(ack));
  last().events.closed(1006, '');
  link.addressChanged();
  await time.advance(300_000);
  assert.deepEqual([sockets.length, told.length], [1, 2]);

  let answer: ((error: Error) => void) | undefined;
  const late = await start({ check: () => new Promise((_, reject) => (answer = reject)) });
  late.link.stop();
  answer?.(new Error('unreachable'));
  await settle();
  assert.deepEqual([late.log.lines, late.time.waits], [[], 0]);
  const waiting = await start({ check: () => Promise.reject(new Error('unreachable')) });
  waiting.link.stop();
  await waiting.time.advance(300_000);
  assert.deepEqual([late.sockets.length, waiting.attempts.length], [0, 1]);
});
