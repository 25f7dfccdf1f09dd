import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Api } from './api.ts';
import { answerAll, listen, serverOptions } from './server.ts';

const SILENCE_MS = 200;

/** Starts a server that reads the whole body and answers with its size. The path `/socket` accepts upgrades. */
const start = async (t: TestContext) => {
  const cut = Promise.withResolvers<void>();
  const api = {
    handle: async (req, res) => {
      // Acts like the API when it refuses a request: answers without reading the body.
      if (req.url === '/api/refused') return void res.writeHead(401).end();
      let size = 0;
      try {
        for await (const chunk of req as AsyncIterable<Buffer>) size += chunk.length;
        // Waits longer than the maximum pause within a body, because this limit must not apply to the server's own
        // work.
        await new Promise((later) => setTimeout(later, 2 * SILENCE_MS));
        res.end(`took ${size}`);
      } catch {
        cut.resolve();
      }
    },
  } as Pick<Api, 'handle'> as Api;
  const upgrades = new Map([
    [
      '/socket',
      (_req: unknown, socket: { end(text: string): void }) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nclaimed'),
    ],
  ]);
  const hosts = { refusal: () => undefined };
  const answering = {
    hosts,
    api,
    pages: (_req: unknown, res: { end(text: string): void }) => res.end('a page'),
    upgrades,
  } as Parameters<typeof answerAll>[1];
  const server = createServer(serverOptions(answering));
  answerAll(server, answering, SILENCE_MS);
  await listen(server, '127.0.0.1', 0);
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const say = (text: string): { socket: Socket; said: Promise<string> } => {
    const socket = connect(port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part)).on('error', () => {});
    socket.write(text);
    return { socket, said: once(socket, 'close').then(() => Buffer.concat(parts).toString()) };
  };
  return { say, server, cut: cut.promise };
};
const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

test('client that announces a body and then sends only a part is disconnected, and the handler gets an error', {
  timeout: 10_000,
}, async (t) => {
  const { say, cut } = await start(t);
  const { said } = say('POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it');
  assert.equal(await said, '');
  await cut;
});

test('slow body is accepted, and the server may take longer to answer than the maximum pause within a body', {
  timeout: 10_000,
}, async (t) => {
  const { say } = await start(t);
  const { socket, said } = say('POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n');
  for (const letter of 'hello') {
    await new Promise((later) => setTimeout(later, SILENCE_MS / 2));
    socket.write(letter);
  }
  assert.match(await said, /took 5$/);
});

test('connection is closed when its request was refused unread and the client stops sending the body', {
  timeout: 10_000,
}, async (t) => {
  const { say, server } = await start(t);
  server.keepAliveTimeout = SILENCE_MS;
  const { said } = say('POST /api/refused HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
  assert.match(await said, /^HTTP\/1\.1 401/);
});

test('request that offers HTTP/2, or WebSocket on another path, is answered by HTTP/1.1', {
  timeout: 10_000,
}, async (t) => {
  const { say } = await start(t);
  for (const offer of [
    'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'Connection: Upgrade, close\r\nUpgrade: websocket',
  ])
    assert.match(await say(get('/page', offer)).said, /^HTTP\/1\.1 200 OK[\s\S]*a page/);
  assert.match(await say(get('/socket?token=1', 'Connection: Upgrade\r\nUpgrade: WebSocket')).said, /claimed$/);
});

const withoutSs = spawnSync('ss', ['-ltn']).status !== 0 && 'ss is not here';
for (const host of ['127.0.0.1', '::1', '::'])
  test(`server on ${host} queues thousands of simultaneous connections`, { skip: withoutSs }, async (t) => {
    const server = createServer();
    await listen(server, host, 0);
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { stdout } = spawnSync('ss', ['-ltnH', `sport = :${port}`], { encoding: 'utf8' });
    const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    // Reads these columns from the output of ss: state (LISTEN), number of waiting connections, maximum number of
    // waiting connections.
    assert.equal(Number(stdout.trim().split(/\s+/)[2]), Math.min(4_096, most));
  });
