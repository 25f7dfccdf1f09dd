/** Tests that requests of headquarters through a tunnel have only the credential of the visitor that they name. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { VISITOR_HEADER } from '../../../shared/chain/tunnel.ts';
import type { Visitor } from '../../../shared/chain/wire.ts';
import { DownlinkRefused } from './requests.ts';
import { createTunnelServer } from './tunnel-server.ts';

const OLGA: Visitor = { id: 'olga', name: 'Olga', role: 'workspace_admin' };
const headerOf = (visitor: unknown) => ({ [VISITOR_HEADER]: encodeURIComponent(JSON.stringify(visitor)) });

const setUp = async (t: TestContext) => {
  const reached: string[] = [];
  const server = createTunnelServer({
    workspaceId: 'w',
    visitors: {
      enter: (workspaceId, { id }) => {
        if (id === 'nobody') throw new DownlinkRefused('not_allowed', 'Nobody comes in.');
        return `of ${id} in ${workspaceId}`;
      },
    },
    answering: {
      api: {
        handle: async (req, res) => {
          reached.push(`${req.method} ${req.url} ${req.headers.authorization}`);
          res.writeHead(200).end('{}');
        },
      },
      upgrades: new Map([
        [
          '/api/live',
          (req: IncomingMessage, socket) => socket.end(`HTTP/1.1 418 ${req.headers.authorization}\r\n\r\n`),
        ],
        ['/api/player', (_req: IncomingMessage, socket) => socket.end('HTTP/1.1 418 player\r\n\r\n')],
      ]),
    },
  });
  t.after(() => server.close());
  const listener = createServer((socket: Socket) => server.accept(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => listener.close());
  const { port } = listener.address() as { port: number };
  const ask = async (method: string, path: string, headers: Record<string, string> = headerOf(OLGA)) => {
    const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false });
    const answered = once(asked, 'response');
    asked.end();
    const [reply] = (await answered) as [IncomingMessage];
    let text = '';
    for await (const part of reply) text += part;
    return { status: reply.statusCode!, said: text };
  };
  return { ask, reached, port };
};

test('request through a tunnel gets the credential of its visitor, and its own credentials are removed', async (t) => {
  const { ask, reached } = await setUp(t);
  await ask('GET', '/api/playlists', { ...headerOf(OLGA), authorization: 'Bearer stolen', cookie: 'vitrine_ticket=x' });
  assert.deepEqual(reached, ['GET /api/playlists Bearer of olga in w']);
  const shut = await ask('GET', '/api/playlists', headerOf({ ...OLGA, id: 'nobody' }));
  assert.deepEqual([shut.status, JSON.parse(shut.said).error], [403, 'Nobody comes in.']);
});

test('tunnel request without a valid visitor is refused, except for a file for which the store issued a ticket', async (t) => {
  const { ask, reached } = await setUp(t);
  const nobody = [
    {},
    { authorization: 'Bearer stolen' },
    { [VISITOR_HEADER]: '%' },
    { [VISITOR_HEADER]: 'Olga' },
    headerOf({ ...OLGA, role: 'platform_admin' }),
    headerOf({ ...OLGA, id: '../x' }),
    headerOf(null),
  ] as Record<string, string>[];
  for (const headers of nobody)
    for (const path of ['/api/playlists', '/api/health', '/api/auth/config'])
      assert.equal((await ask('GET', path, headers)).status, 403, `${path} ${JSON.stringify(headers)}`);
  assert.equal((await ask('POST', '/api/content/c/file?access=1.w.s', {})).status, 403);
  assert.equal((await ask('GET', '/api/content/c?access=1.w.s', {})).status, 403);
  assert.deepEqual(reached, []);
  await ask('GET', '/api/content/c/file?access=1.w.s', { authorization: 'Bearer stolen' });
  assert.deepEqual(reached, ['GET /api/content/c/file?access=1.w.s undefined']);
});

test('tunnel request cannot sign in, act as a player, or reach pages and other sockets', async (t) => {
  const { ask, reached, port } = await setUp(t);
  for (const [method, path] of [
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/totp/verify'],
    ['PUT', '/api/auth/me'],
    ['DELETE', '/api/auth/users/u'],
    ['GET', '/api/player/identity?nonce=0'],
    ['GET', '/api/player/programs/p'],
  ] as const)
    assert.equal((await ask(method, path)).status, 403, path);
  for (const path of ['/', '/player/', '/api/docs', '/store/x/'])
    assert.equal((await ask('GET', path)).status, 404, path);
  assert.deepEqual(reached, []);
  await ask('GET', '/api/auth/me');
  assert.equal(reached.length, 1);
  const upgraded = async (path: string, visitor: unknown): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    const header = encodeURIComponent(JSON.stringify(visitor));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${VISITOR_HEADER}: ${header}\r\n\r\n`,
    );
    let text = '';
    for await (const part of socket) {
      text += part;
      if (text.includes('\r\n\r\n')) break;
    }
    socket.destroy();
    return text.split('\r\n')[0]!;
  };
  assert.equal(await upgraded('/api/live', OLGA), 'HTTP/1.1 418 Bearer of olga in w');
  assert.equal(await upgraded('/api/live', 'nobody'), '');
  assert.ok(!(await upgraded('/api/player', OLGA)).includes('418'));
});
