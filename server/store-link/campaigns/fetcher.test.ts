/**
 * Tests that the fetcher receives each file of headquarters complete, once, and within the limits of the store, on any
 * connection.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { diskFull } from '../../../shared/contract/errors.ts';
import type { Block } from '../../../shared/program/program.ts';
import { fill, smallDisk, whyNoMounts } from '../../../test/faults/hooks/small-disk.ts';
import { tempFolder } from '../../../test/harness.ts';
import { until as untilTrue } from '../../../test/until.ts';
import { MediaStore } from '../../media/media-store.ts';
import { type Connection, ConnectionDown } from '../connection/connection.ts';
import { HttpsConnection } from '../connection/https-connection.ts';
import { FakeTime } from '../testing/fake-time.ts';
import { FileServer, type Serving, serveWell, sha256 } from '../testing/file-server.ts';
import type { Missing } from './desired-state.ts';
import { Fetcher, type Limits } from './fetcher.ts';
import { Pace } from './pace.ts';
import { PartialFiles } from './partial-files.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const HOUR = 3_600_000;
const until = (look: () => boolean, ms = 30_000) => untilTrue('what the test waits for', ms, look, 5);

interface Options {
  readonly limits?: Partial<Limits>;
  readonly time?: FakeTime;
  readonly connection?: Pick<Connection, 'blob'>;
  readonly pace?: Pace;
}

const setUp = async (t: TestContext, options: Options = {}) => {
  const hq = await FileServer.open(t);
  const data = tempFolder(t);
  const folder = join(data, 'chain', 'parts', 'w');
  const media = new MediaStore(join(data, 'media'));
  media.start();
  const time = options.time ?? new FakeTime();
  const missing: Missing[] = [];
  const said: string[] = [];
  const came: string[] = [];
  const gone = (hash: string) => {
    for (let i = missing.length - 1; i >= 0; i--) {
      const one = missing[i]!;
      if ((one.what === 'file' ? one.file.sha256 : one.sha256) === hash) missing.splice(i, 1);
    }
  };
  let room = Number.POSITIVE_INFINITY;
  const moved: string[] = [];
  const openFetcher = () => {
    const connection = new HttpsConnection({
      met: hq.met,
      store: 's',
      sign: () => '0'.repeat(128),
      moved: ({ certificate }) => moved.push(certificate),
    });
    const fetcher = new Fetcher({
      db: { durable: () => undefined } as never,
      clock: time,
      mono: time.mono,
      log: silent,
      connection: options.connection ?? connection,
      desired: {
        missing: () => [...missing],
        documentCame: (campaign, bytes) => {
          came.push(`${campaign}: ${bytes}`);
          gone(sha256(bytes));
        },
        fileCame: (file) => {
          came.push(file.sha256);
          gone(file.sha256);
        },
        refuse: (campaign, why) => {
          said.push(`${campaign} refused: ${why}`);
          for (const one of [...missing]) if (one.campaign === campaign && one.what === 'document') gone(one.sha256);
        },
        addIncident: (campaign, why) => void said.push(`${campaign}: ${why}`),
      },
      media: {
        adopt: (file) => media.adopt(file),
        requireRoom: async (bytes) => {
          if (bytes > room) throw diskFull();
        },
      },
      parts: new PartialFiles(folder),
      limits: { fetch_rate: null, fetch_hours: [], ...options.limits },
      pace: options.pace ?? new Pace(time.mono),
      timezone: () => 'UTC',
      pause: time.pause,
      random: () => 1,
    });
    t.after(async () => {
      connection.close();
      await fetcher.stop();
    });
    return fetcher;
  };
  const wantFile = (bytes: Buffer, { campaign = 'advent', size = bytes.length, name = sha256(bytes) } = {}) => {
    missing.push({ what: 'file', campaign, file: { sha256: name, size, mime: 'video/mp4' } });
    return name;
  };
  const wantDocument = (text: string, { campaign = 'advent', bytes = text.length } = {}) => {
    missing.push({ what: 'document', campaign, sha256: hq.put(Buffer.from(text)), bytes });
  };
  const parts = () => (existsSync(folder) ? readdirSync(folder) : []);
  const all = () => until(() => missing.length === 0, 30_000);
  const setRoom = (bytes: number) => (room = bytes);
  return {
    ...{ hq, data, folder, media, time, missing, said, came, moved },
    openFetcher,
    wantFile,
    wantDocument,
    parts,
    all,
    setRoom,
  };
};

/** Server that sends chunks of `bytes` bytes and closes the connection after `times` chunks. */
const cutting =
  (bytes: number, times: number): Serving =>
  async ({ from, whole, reply }) => {
    reply.writeHead(206, {
      'Content-Range': `bytes ${from}-${whole.length - 1}/${whole.length}`,
      'Content-Length': whole.length - from,
    });
    for (let i = 0; i < times; i++) {
      reply.write(whole.subarray(from + i * bytes, from + (i + 1) * bytes));
      await new Promise((next) => setTimeout(next, 3));
    }
    reply.socket?.destroy();
  };

test('fetcher gets documents first and each file once, and leaves no partial files', async (t) => {
  const { hq, media, came, openFetcher, wantFile, wantDocument, parts, all } = await setUp(t);
  const [star, tree] = [randomBytes(200_000), randomBytes(5)];
  for (const bytes of [star, tree, Buffer.alloc(0)]) hq.put(bytes);
  wantDocument('{"a":1}');
  for (const campaign of ['advent', 'easter']) wantFile(star, { campaign });
  wantFile(tree);
  wantFile(Buffer.alloc(0));
  openFetcher().start();
  await all();
  assert.deepEqual(came, ['advent: {"a":1}', sha256(star), sha256(tree), sha256('')]);
  for (const bytes of [star, tree]) assert.deepEqual(readFileSync(media.pathOf(sha256(bytes))), bytes);
  assert.deepEqual(parts(), []);
  assert.deepEqual(
    hq.asked.map(({ range }) => range),
    ['bytes=0-', 'bytes=0-', 'bytes=0-'],
  );
});

test('file whose connection breaks repeatedly causes at most 5 % more traffic than its size', async (t) => {
  const { hq, came, openFetcher, wantFile, all } = await setUp(t);
  const film = randomBytes(6_000_000);
  hq.put(film);
  hq.serving = cutting(20_000, 10);
  wantFile(film);
  openFetcher().start();
  await all();
  assert.deepEqual(came, [sha256(film)]);
  assert.ok(hq.asked.length >= 30, `${hq.asked.length} requests`);
  assert.ok(hq.wire <= film.length * 1.05, `${hq.wire / film.length} times the bytes`);
});

test('fetcher requests no byte twice when the connection ends after every 4 kB', async (t) => {
  const { hq, came, openFetcher, wantFile, all } = await setUp(t);
  const film = randomBytes(300_000);
  hq.put(film);
  let sent = 0;
  const cut = cutting(4_000, 1);
  hq.serving = (ask) => {
    sent += Math.min(4_000, ask.whole.length - ask.from);
    return cut(ask);
  };
  wantFile(film);
  openFetcher().start();
  await all();
  assert.deepEqual(came, [sha256(film)]);
  assert.ok(sent <= film.length * 1.05, `${sent / film.length} times the bytes`);
});

test('partial file continues after a restart of the server, also when headquarters has another certificate', async (t) => {
  const { hq, came, moved, folder, openFetcher, wantFile, all, parts } = await setUp(t);
  const film = randomBytes(1_000_000);
  const name = hq.put(film);
  let held = 0;
  hq.serving = ({ from, whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes ${from}-${whole.length - 1}/${whole.length}` });
    reply.write(whole.subarray(from, 400_000), () => held++);
  };
  wantFile(film);
  const first = openFetcher();
  first.start();
  await until(() => held === 1 && first.has(name) === 400_000);
  await first.stop();
  assert.deepEqual([parts(), came], [[name], []]);
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  hq.renew();
  hq.serving = serveWell;
  openFetcher().start();
  await all();
  assert.equal(hq.asked.at(-1)?.range, 'bytes=400000-');
  assert.deepEqual([came, moved.length], [[name], 1]);
});

test('fetcher keeps the bytes that it has when headquarters ignores the range and sends the whole file', async (t) => {
  const { hq, came, folder, openFetcher, wantFile, all } = await setUp(t);
  const film = randomBytes(500_000);
  const name = hq.put(film);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), film.subarray(0, 123_456));
  hq.serving = ({ whole, reply }) => void reply.writeHead(200, { 'Content-Length': whole.length }).end(whole);
  wantFile(film);
  openFetcher().start();
  await all();
  assert.deepEqual([came, hq.asked.length], [[name], 1]);
});

test('file with wrong bytes is deleted, reported after three attempts, and then fetched once per hour', async (t) => {
  const { hq, came, said, time, openFetcher, wantFile, parts, all } = await setUp(t);
  const [film, star] = [randomBytes(50_000), randomBytes(1_000)];
  const name = hq.put(film);
  hq.put(star);
  let isWrong = true;
  hq.serving = (ask) => {
    const forged = Buffer.from(ask.whole);
    if (isWrong && ask.whole === film) forged[7] = forged[7]! ^ 1;
    return serveWell({ ...ask, whole: forged });
  };
  for (const campaign of ['advent', 'easter']) wantFile(film, { campaign });
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => said.length === 2);
  const why =
    'A file of the campaign cannot be fetched: the received data does not match the checksum from headquarters.';
  assert.deepEqual(said, [`advent: ${why}`, `easter: ${why}`]);
  assert.deepEqual(fetcher.troubleWith(name)?.isWrong, true);
  assert.deepEqual(parts(), []);
  wantFile(star);
  fetcher.hurry();
  await until(() => came.length === 1);
  const asked = () => hq.asked.filter(({ path }) => path.endsWith(name)).length;
  assert.equal(asked(), 3);
  time.advance(HOUR - 60_000);
  const tree = randomBytes(2_000);
  hq.put(tree);
  wantFile(tree);
  fetcher.hurry();
  await until(() => came.length === 2);
  assert.equal(asked(), 3, 'not before an hour');
  isWrong = false;
  time.advance(70_000);
  fetcher.hurry();
  await all();
  assert.deepEqual([asked(), came], [4, [sha256(star), sha256(tree), name]]);
  assert.equal(fetcher.troubleWith(name), undefined);
});

test('fetcher rejects files that are too long or too short, and reports files that headquarters no longer has', async (t) => {
  const { hq, came, said, openFetcher, wantFile, wantDocument, parts, missing } = await setUp(t);
  const film = randomBytes(3_000_000);
  const name = hq.put(film);
  const first = wantFile(film, { size: 10_000 });
  // This server announces no length and never stops sending.
  hq.serving = ({ whole, reply }) => {
    const send = () => {
      while (!reply.destroyed && reply.write(whole));
    };
    reply.writeHead(200).on('drain', send);
    send();
  };
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => said.length === 1);
  assert.match(said[0]!, /longer than headquarters announced/);
  assert.deepEqual([parts(), first], [[], name]);
  hq.serving = serveWell;
  missing.length = 0;
  const other = randomBytes(3_000_000);
  hq.put(other);
  wantFile(other, { size: 4_000_000, campaign: 'short' });
  wantFile(Buffer.from('gone'), { campaign: 'gone' });
  fetcher.hurry();
  await until(() => said.length === 2 && fetcher.troubleWith(sha256('gone')) !== undefined);
  assert.match(said[1]!, /^short: .* not have the length that headquarters announced/);
  assert.match(fetcher.troubleWith(sha256('gone'))!.why, /Headquarters does not have all files of the campaign/);
  missing.length = 0;
  wantDocument('{}', { campaign: 'endless', bytes: 5_000_000 });
  fetcher.hurry();
  await until(() => said.length === 3);
  assert.deepEqual([said[2], came], ['endless refused: The campaign is too large.', []]);
});

test('partial file that is longer than the file at headquarters is fetched again from the beginning', async (t) => {
  const { hq, came, folder, openFetcher, wantFile, all } = await setUp(t);
  const film = randomBytes(10_000);
  const name = hq.put(film);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), randomBytes(9_000));
  let beyond = 1;
  hq.serving = (ask) => (beyond-- > 0 ? void ask.reply.writeHead(416).end() : serveWell(ask));
  wantFile(film);
  openFetcher().start();
  await all();
  assert.deepEqual([came, hq.asked.map(({ range }) => range)], [[name], ['bytes=9000-', 'bytes=0-']]);
});

test('fetcher closes a connection after 30 s without data and continues the file over another connection', async (t) => {
  const { hq, came, time, openFetcher, wantFile, all } = await setUp(t);
  const film = randomBytes(300_000);
  const name = hq.put(film);
  hq.serving = ({ whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes 0-${whole.length - 1}/${whole.length}` });
    reply.write(whole.subarray(0, 100_000));
  };
  wantFile(film);
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => fetcher.has(name) === 100_000);
  time.advance(29_000);
  await until(() => hq.asked.length === 1);
  hq.serving = serveWell;
  time.advance(1_001);
  await all();
  assert.deepEqual([came, hq.asked.at(-1)?.range], [[name], 'bytes=100000-']);
});

test('fetcher reports a full disk as the reason, retries, and still fetches smaller files', async (t) => {
  const { hq, came, time, openFetcher, wantFile, setRoom, all } = await setUp(t);
  const [film, star] = [randomBytes(50_000), randomBytes(100)];
  const name = hq.put(film);
  hq.put(star);
  setRoom(1_000);
  wantFile(film);
  wantFile(star);
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => came.length === 1);
  assert.deepEqual(came, [sha256(star)]);
  assert.match(fetcher.troubleWith(name)!.why, /disk is too full/);
  setRoom(1_000_000);
  time.advance(60_001);
  await all();
});

test('partial files of a campaign that headquarters no longer wants are deleted', async (t) => {
  const { hq, missing, openFetcher, wantFile, wantDocument, parts, came } = await setUp(t);
  const film = randomBytes(300_000);
  hq.put(film);
  const cut = cutting(1_000, 1);
  hq.serving = (ask) => (ask.whole === film ? cut(ask) : serveWell(ask));
  wantFile(film);
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => parts().length === 1);
  missing.length = 0;
  wantDocument('{}');
  fetcher.hurry();
  await until(() => came.length > 0 && parts().length === 0);
  assert.deepEqual(came, ['advent: {}']);
});

test('outside the allowed hours only documents are fetched, and files continue when the hours begin', async (t) => {
  // The fake time starts at 1970-01-01 00:16:40 UTC, a Thursday.
  const time = new FakeTime();
  const night: Block = { days: [4], start: '00:30', end: '00:40', start_date: null, end_date: null };
  const { hq, came, openFetcher, wantFile, wantDocument, all } = await setUp(t, {
    time,
    limits: { fetch_hours: [night] },
  });
  const film = randomBytes(30_000);
  const name = hq.put(film);
  wantFile(film);
  wantDocument('{}');
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => came.length === 1);
  time.advance(12 * 60_000);
  fetcher.hurry();
  await new Promise((next) => setTimeout(next, 50));
  assert.deepEqual(came, ['advent: {}']);
  time.advance(81_000);
  await all();
  assert.deepEqual(came, ['advent: {}', name]);
});

test('complete file from a transfer file needs neither connection nor allowed hours, and its hash is still checked', async (t) => {
  const never = { days: [], start: '22:00', end: '23:00', start_date: null, end_date: null };
  const connection = { blob: () => Promise.reject(new ConnectionDown('It is down.')) };
  const { folder, came, openFetcher, wantFile, wantDocument, parts } = await setUp(t, {
    limits: { fetch_hours: [never] },
    connection,
  });
  wantDocument('{"a":1}');
  const [star, tree] = [randomBytes(200_000), randomBytes(500)];
  mkdirSync(folder, { recursive: true });
  for (const bytes of [star, tree, Buffer.alloc(0)]) {
    const brought = bytes === tree ? randomBytes(500) : bytes;
    writeFileSync(join(folder, wantFile(bytes)), brought);
  }
  openFetcher().start();
  await until(() => came.length === 2 && !parts().includes(sha256(tree)));
  assert.deepEqual(came, [sha256(star), sha256('')]);
});

test('download that is running when the allowed hours end stops within the current piece', async (t) => {
  const time = new FakeTime();
  const night: Block = { days: [4], start: '00:00', end: '00:17', start_date: null, end_date: null };
  const { hq, openFetcher, wantFile } = await setUp(t, { time, limits: { fetch_hours: [night], fetch_rate: 100 } });
  const film = randomBytes(9_000_000);
  const name = hq.put(film);
  wantFile(film);
  const fetcher = openFetcher();
  fetcher.start();
  // At 100 kB/s, this download takes 20 seconds.
  await until(() => time.now() >= 17 * 60_000, 20_000);
  await new Promise((next) => setTimeout(next, 100));
  const has = fetcher.has(name);
  assert.ok(has > 1_800_000 && has < 2_200_000, `${has} bytes`);
});

test('download without a rate limit also stops when the allowed hours end', async (t) => {
  const time = new FakeTime();
  const night: Block = { days: [4], start: '00:00', end: '00:17', start_date: null, end_date: null };
  const { hq, openFetcher, wantFile } = await setUp(t, { time, limits: { fetch_hours: [night] } });
  const film = randomBytes(900_000);
  const name = hq.put(film);
  let isClosed = false;
  let send = () => {};
  hq.serving = ({ whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes 0-${whole.length - 1}/${whole.length}` });
    reply.on('close', () => (isClosed = true)).write(whole.subarray(0, 100_000));
    send = () => void reply.write(whole.subarray(100_000, 100_100));
  };
  wantFile(film);
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => fetcher.has(name) === 100_000);
  time.advance(21_000);
  send();
  await until(() => isClosed);
  assert.equal(fetcher.has(name), 100_100);
});

for (const rate of [8, 100, 50_000])
  test(`download limited to ${rate} kB/s stays within 10 % of this rate in each period of 10 s`, async (t) => {
    const time = new FakeTime();
    const film = randomBytes(rate < 1_000 ? rate * 45_000 : 30_000_000);
    const { hq, openFetcher, wantFile, missing } = await setUp(t, { time, limits: { fetch_rate: rate } });
    const name = hq.put(film);
    wantFile(film);
    const fetcher = openFetcher();
    const seen: { at: number; has: number }[] = [];
    fetcher.start();
    const watch = setInterval(() => seen.push({ at: time.now(), has: fetcher.has(name) }), 1);
    t.after(() => clearInterval(watch));
    const begun = time.now();
    await until(() => missing.length === 0, 60_000);
    const seconds = (time.now() - begun) / 1000;
    const wanted = film.length / (rate * 1000);
    assert.ok(Math.abs(seconds - wanted) <= wanted * 0.1 + 1, `${seconds} s instead of ${wanted}`);
    for (const one of seen)
      for (const other of seen) {
        const span = (other.at - one.at) / 1000;
        if (span <= 0 || span > 10) continue;
        assert.ok(other.has - one.has <= rate * 1000 * 11, `${other.has - one.has} bytes in ${span} s`);
      }
    assert.ok(hq.connections <= 4, `${hq.connections} connections`);
    assert.ok(hq.wire <= film.length * 1.08 + 10_000, `${hq.wire / film.length} times the bytes`);
  });

test('two fetchers that share a rate limit stay within the limit together', async (t) => {
  const time = new FakeTime();
  const shared = { time, limits: { fetch_rate: 100 }, pace: new Pace(time.mono) };
  const both = [await setUp(t, shared), await setUp(t, shared)];
  const begun = time.now();
  for (const { hq, openFetcher, wantFile } of both) {
    const film = randomBytes(1_000_000);
    hq.put(film);
    wantFile(film);
    openFetcher().start();
  }
  await until(() => both.every(({ missing }) => missing.length === 0));
  const seconds = (time.now() - begun) / 1000;
  assert.ok(seconds >= 18 && seconds <= 25, `${seconds} s instead of 20`);
});

test('rate limit that is set during a download takes effect at once', async (t) => {
  const time = new FakeTime();
  const { hq, openFetcher, wantFile, missing } = await setUp(t, { time });
  const film = randomBytes(2_000_000);
  const name = hq.put(film);
  let sent: (() => void) | undefined;
  hq.serving = ({ whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes 0-${whole.length - 1}/${whole.length}` });
    reply.write(whole.subarray(0, 1_000_000));
    sent = () => void reply.write(whole.subarray(1_000_000, 1_001_000));
  };
  wantFile(film);
  const fetcher = openFetcher();
  fetcher.start();
  await until(() => fetcher.has(name) === 1_000_000);
  hq.serving = serveWell;
  fetcher.limit({ fetch_rate: 10, fetch_hours: [] });
  const begun = time.now();
  sent!();
  await until(() => missing.length === 0, 30_000);
  const seconds = (time.now() - begun) / 1000;
  assert.ok(seconds > 90 && seconds < 110, `${seconds} s for a megabyte`);
});

test('process that is killed during a download loses no byte', { timeout: 60_000 }, async (t) => {
  const hq = await FileServer.open(t);
  const data = tempFolder(t);
  const film = randomBytes(8_000_000);
  const name = hq.put(film);
  let sent = 0;
  hq.serving = async ({ from, whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes ${from}-${whole.length - 1}/${whole.length}` });
    for (let at = from; at < whole.length && !reply.destroyed; at += 100_000) {
      reply.write(whole.subarray(at, at + 100_000));
      sent += 100_000;
      await new Promise((next) => setTimeout(next, 10));
    }
    reply.end();
  };
  const begin = () => {
    const args = [JSON.stringify(hq.met), data, name, String(film.length)];
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'testing', 'fetching-process.ts'), ...args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const part = join(data, 'chain', 'parts', 'w', name);
  for (const least of [1_000_000, 4_000_000]) {
    const child = begin();
    await until(() => existsSync(part) && statSync(part).size > least);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const child = begin();
  await once(child.stdout, 'data');
  const media = new MediaStore(join(data, 'media'));
  assert.equal(sha256(readFileSync(media.pathOf(name))), name);
  assert.equal(existsSync(part), false);
  assert.ok(sent <= film.length * 1.05 + 200_000, `${sent / film.length} times the bytes`);
});

test('download waits for room on a full disk, and then completes', {
  skip: whyNoMounts,
}, async (t) => {
  const data = smallDisk(t, 48);
  const hq = await FileServer.open(t);
  const media = new MediaStore(join(data, 'media'));
  media.start();
  const time = new FakeTime();
  const film = randomBytes(30_000_000);
  const name = hq.put(film);
  const came: string[] = [];
  const file = { sha256: name, size: film.length, mime: 'video/mp4' };
  const parts = join(data, 'chain', 'parts', 'w');
  const connection = new HttpsConnection({ met: hq.met, store: 's', sign: () => '0'.repeat(128), moved: () => {} });
  const fetcher = new Fetcher({
    ...{ db: { durable: () => undefined } as never, clock: time, mono: time.mono, log: silent, connection, media },
    desired: {
      missing: () => (came.length > 0 ? [] : [{ what: 'file', campaign: 'advent', file }]),
      documentCame: assert.fail,
      fileCame: ({ sha256 }) => void came.push(sha256),
      refuse: assert.fail,
      addIncident: assert.fail,
    },
    parts: new PartialFiles(parts),
    limits: { fetch_rate: null, fetch_hours: [] },
    pace: new Pace(time.mono),
    ...{ timezone: () => 'UTC', pause: time.pause, random: () => 1 },
  });
  t.after(async () => {
    connection.close();
    await fetcher.stop();
  });
  hq.serving = ({ from, whole, reply }) => {
    reply.writeHead(206, { 'Content-Range': `bytes ${from}-${whole.length - 1}/${whole.length}` });
    reply.write(whole.subarray(from, 5_000_000));
    send = () => void reply.end(whole.subarray(5_000_000));
  };
  let send = () => {};
  fetcher.start();
  await until(() => fetcher.has(name) === 5_000_000);
  const makeRoom = fill(data);
  send();
  await until(() => fetcher.troubleWith(name) !== undefined);
  assert.match(fetcher.troubleWith(name)!.why, /too full/);
  makeRoom();
  hq.serving = serveWell;
  time.advance(60_001);
  await until(() => came.length === 1);
  assert.equal(sha256(readFileSync(media.pathOf(name))), name);
});
