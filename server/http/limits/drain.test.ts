/** Tests that a client receives a refusal even if it was still sending the body when the server answered. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { firstUser, type Site, startSite } from '../../../test/harness.ts';
import { type DrainLimits, endRaw, endWhenRead } from './drain.ts';

const run = promisify(execFile);
/** Size in bytes of the body: much more than the buffers of a connection can contain. */
const BODY = Buffer.alloc(5_000_000, 'x');
const TIMES = 20;

interface Refused {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** Returns requests that the server refuses: in the API, in uploads, in the pages, and before any of these. */
const refusals = async (site: Site): Promise<Refused[]> => {
  const { token } = await firstUser(site);
  const { body } = await site.call('POST', '/api/tokens', { token, body: { name: 'reader', scope: 'read' } });
  // Exceeds the limit of the endpoint, which is ten requests per minute.
  for (let i = 0; i < 11; i++) await site.call('POST', '/api/auth/login', { body: {} });
  const json = { 'Content-Type': 'application/json' };
  const bearer = { Authorization: `Bearer ${token}` };
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
  return [
    { status: 401, method: 'POST', path: '/api/playlists', headers: json },
    { status: 401, method: 'POST', path: '/api/content', headers: multipart },
    {
      status: 403,
      method: 'POST',
      path: '/api/playlists',
      headers: { ...json, Authorization: `Bearer ${body.token}` },
    },
    { status: 404, method: 'POST', path: '/api/nothing', headers: json },
    { status: 404, method: 'POST', path: '/nothing', headers: json },
    { status: 405, method: 'PUT', path: '/api/health', headers: json },
    { status: 413, method: 'POST', path: '/api/playlists', headers: { ...json, ...bearer } },
    { status: 400, method: 'POST', path: '/api/content', headers: { 'Content-Type': 'text/plain', ...bearer } },
    { status: 421, method: 'POST', path: '/api/playlists', headers: { ...json, Host: 'evil.test' } },
    { status: 421, method: 'POST', path: '/', headers: { ...json, Host: 'evil.test' } },
    { status: 429, method: 'POST', path: '/api/auth/login', headers: json },
  ];
};

/** Sends the whole body before reading the answer, as simple clients do, then reads to the end. */
const sendAll = async (port: number, { method, path, headers }: Refused, chunked: boolean): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${BODY.length}`;
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}Connection: close\r\n${length}\r\n\r\n`);
  const ended = new Promise<string>((done) =>
    socket.on('error', (error) => done(String(error))).on('close', () => done('')),
  );
  const sent = new Promise<string>((done) => {
    if (chunked) socket.write(`${BODY.length.toString(16)}\r\n`);
    socket.write(BODY, () => done(''));
    if (chunked) socket.write('\r\n0\r\n\r\n');
  });
  const early = await Promise.race([sent, ended]);
  if (early) return early;
  // Waits until the answer is in the client's system buffer. A connection reset would discard the answer there.
  await new Promise((later) => setTimeout(later, 20));
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part)).resume();
  return (await ended) || Buffer.concat(parts).toString();
};

const portOf = (site: Site) => Number(new URL(site.origin).port);

test('client that sends its whole body before it reads receives each kind of refusal, in each body encoding', {
  timeout: 60_000,
}, async (t) => {
  const site = await startSite(t);
  for (const refused of await refusals(site)) {
    for (const chunked of [false, true]) {
      const answer = await sendAll(portOf(site), refused, chunked);
      assert.match(
        answer,
        new RegExp(`^HTTP/1.1 ${refused.status} `),
        `${refused.status} ${refused.path} ${chunked ? 'chunked' : 'announced'}`,
      );
      assert.match(answer, /\{"error":|<!doctype html>/, 'with its sentence');
    }
  }
});

test(`fetch receives all ${TIMES} of ${TIMES} refusals of each kind`, { timeout: 120_000 }, async (t) => {
  const site = await startSite(t);
  for (const { status, method, path, headers } of await refusals(site)) {
    // The header Host is omitted, because fetch sets it itself.
    if (status === 421) continue;
    const heard = { good: 0, bad: [] as string[] };
    for (let i = 0; i < TIMES; i++) {
      await fetch(site.origin + path, { method, headers, body: BODY }).then(
        async (answer) => {
          await answer.text();
          if (answer.status === status) heard.good++;
          else heard.bad.push(String(answer.status));
        },
        (error: Error) => heard.bad.push(String(error.cause ?? error)),
      );
    }
    assert.deepEqual(heard, { good: TIMES, bad: [] }, `${status} ${path}`);
  }
});

const PYTHON = `
import json, sys, urllib.request, urllib.error
origin, wanted = sys.argv[1], json.loads(sys.argv[2])
heard = []
for one in wanted:
    for _ in range(10):
        request = urllib.request.Request(origin + one['path'], data=b'x' * 5000000, method=one['method'], headers=one['headers'])
        try:
            urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            error.read()
            heard.append(error.code)
        except Exception as error:
            heard.append(str(error))
print(json.dumps(heard))
`;
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

test('Python’s urllib receives all refusals', {
  timeout: 120_000,
  skip: hasPython ? false : 'needs python3',
}, async (t) => {
  const site = await startSite(t);
  const wanted = await refusals(site);
  const { stdout } = await run('python3', ['-c', PYTHON, site.origin, JSON.stringify(wanted)]);
  assert.deepEqual(
    JSON.parse(stdout),
    wanted.flatMap(({ status }) => Array.from({ length: 10 }, () => status)),
  );
});

/** Starts a server that refuses every request without reading its body. */
const refuseAll = async (t: TestContext, limits: DrainLimits): Promise<number> => {
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    endWhenRead(req, res, limits);
    res.writeHead(401, { 'Content-Length': 2 }).end('no');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
};
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n';

test('server sends a refusal at once, and disconnects a client that keeps sending slowly after the time limit', {
  timeout: 10_000,
}, async (t) => {
  const port = await refuseAll(t, { bytes: 1_000_000, ms: 300 });
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(POST);
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 401[\s\S]*no$/);
  const drip = setInterval(() => socket.write('x'), 20);
  t.after(() => clearInterval(drip));
  await new Promise((closed) => socket.once('close', closed));
});

test('server stops reading a refused body at the byte limit, and the client can still read the answer', {
  timeout: 10_000,
}, async (t) => {
  const port = await refuseAll(t, { bytes: 100_000, ms: 1_000 });
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => {});
  const answered = once(socket, 'data');
  socket.write(POST);
  let sent = 0;
  const pour = (): void => {
    if (!socket.writable) return;
    socket.write(BODY, () => {
      sent += BODY.length;
      pour();
    });
  };
  pour();
  assert.match(String((await answered)[0]), /^HTTP\/1\.1 401/);
  await new Promise((closed) => socket.once('close', closed));
  assert.ok(sent < 30_000_000, `${sent} bytes were taken`);
});

test('server keeps the connection open when the whole refused body has arrived', { timeout: 10_000 }, async (t) => {
  const port = await refuseAll(t, { bytes: 1_000_000, ms: 5_000 });
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  for (let i = 0; i < 3; i++) {
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 401[\s\S]*no$/);
    socket.write('hello');
  }
});

test('server closes connections with refused upgrades or invalid HTTP even if the client does not close them', {
  timeout: 10_000,
}, async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (_req, socket) => endRaw(socket, '403 Forbidden'));
  server.on('clientError', (_error, socket) => endRaw(socket, '400 Bad Request'));
  await once(server, 'listening');
  t.after(() => server.close());
  for (const text of [
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'rubbish\r\n\r\n',
  ]) {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}).write(text);
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 40[03]/);
    const more = setInterval(() => socket.write('rubbish'), 50);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(more);
  }
  assert.equal(await new Promise((done) => server.getConnections((_error, count) => done(count))), 0);
});
