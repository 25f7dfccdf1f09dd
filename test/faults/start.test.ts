/**
 * Start and stop of the server as an operator sees them: messages, exit codes, and no files left behind. Uses real
 * processes.
 */
// Suite: journeys
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, connect as tcp } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as tls } from 'node:tls';
import { SUBPROTOCOL } from '../../shared/protocol/messages.ts';
import { freePort, tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { ask, launch, type NotStarted, type Ran, ROOT, registerOwner, run, startServer } from './data-server.ts';

/** Id of the user nobody, which is the same on every Unix. */
const NOBODY = 65_534;
const LIMIT_MS = 5_000;

const whyNoNobody = (): string | false => {
  if (process.getuid?.() !== 0) return 'only root can start a process as somebody else';
  const { status } = spawnSync(process.execPath, ['--version'], { cwd: ROOT, uid: NOBODY, gid: NOBODY });
  const readable = spawnSync('cat', ['package.json'], { cwd: ROOT, uid: NOBODY, gid: NOBODY }).status === 0;
  return status === 0 && readable ? false : 'this folder can be read by its owner only';
};

/** Returns stderr and exit code of a server that cannot start. */
const refused = (args: readonly string[], { env, uid }: { env?: Record<string, string>; uid?: number } = {}) =>
  run(['server/main.ts', '--host', '127.0.0.1', '--no-discovery', ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: '', ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
const isOneSentence = ({ code, stderr: said }: Ran, ...expected: RegExp[]) => {
  assert.equal(code, 1, said);
  assert.equal(said.trimEnd().split('\n').length, 1, said);
  for (const pattern of expected) assert.match(said, pattern);
};

test('used port, file as data folder, or invalid setting ends the start with one sentence and exit code 1', {
  timeout: 60_000,
}, async (t) => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.after(() => busy.close());
  const { port } = busy.address() as { port: number };
  const data = tempFolder(t);
  isOneSentence(
    await refused(['--port', String(port), '--data', data]),
    new RegExp(`Port ${port} is in use`),
    /--port/,
  );
  const file = join(data, 'a-file');
  writeFileSync(file, '');
  isOneSentence(await refused(['--port', '0', '--data', file]), /a-file/, /is a file/, /--data/);
  isOneSentence(await refused(['--data', data], { env: { VITRINE_PORT: 'eighty' } }), /VITRINE_PORT/);
});

test('start refuses a data folder with a part that the user cannot write, names the part and changes nothing', {
  timeout: 60_000,
  skip: whyNoNobody(),
}, async (t) => {
  const folder = tempFolder(t);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const first = await startServer(t, data);
  assert.equal(await first.stop(), 0);
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  for (const path of [data, ...files]) chownSync(path, NOBODY, NOBODY);
  for (const name of ['vitrine.db', 'server.lock', 'keys/server.json', 'media', 'logs/server.log']) {
    const path = join(data, name);
    chownSync(path, 0, 0);
    isOneSentence(
      await refused(['--port', '0', '--data', data], { uid: NOBODY }),
      new RegExp(`${name} cannot be written`),
      /Give this user the right/,
    );
    chownSync(path, NOBODY, NOBODY);
  }
  const readOnly = join(folder, 'read-only');
  mkdirSync(readOnly, { mode: 0o555 });
  isOneSentence(
    await refused(['--port', '0', '--data', readOnly], { uid: NOBODY }),
    /read-only cannot be written/,
    /--data/,
  );
  isOneSentence(
    await refused(['--port', '0', '--data', join(readOnly, 'below')], { uid: NOBODY }),
    /below cannot be written/,
  );
  assert.equal((await startServer(t, data).then((again) => again.stop())) ?? 1, 0);
});

test('data folder serves one server, and only the user of the server can read it', { timeout: 60_000 }, async (t) => {
  const data = join(tempFolder(t), 'data');
  await startServer(t, data);
  isOneSentence(await refused(['--port', '0', '--data', data]), /server is running with the data folder/);
  // Checks the file modes, which Windows does not have.
  if (process.platform !== 'win32')
    for (const name of ['', 'vitrine.db', 'logs', 'keys'])
      assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
});

test('compiled code is cached in the data folder, where no other user can write files', {
  timeout: 60_000,
}, async (t) => {
  const [data, temporary] = [join(tempFolder(t), 'data'), tempFolder(t)];
  const compiled = join(data, 'compiled');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const env = { NODE_COMPILE_CACHE: '', TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const startAndStop = async () => assert.equal(await (await startServer(t, data, env)).stop(), 0);
  await startAndStop();
  assert.equal(existsSync(compiled), false, 'a folder that is none yet is left alone');
  mkdirSync(join(compiled, '0.0.1-older', 'v1'), { recursive: true });
  await startAndStop();
  assert.deepEqual(readdirSync(compiled), [version]);
  assert.ok(readdirSync(compiled, { recursive: true }).length > 100);
  if (process.platform !== 'win32') assert.equal(statSync(join(compiled, version)).mode & 0o077, 0);
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.includes('compile')),
    [],
  );
});

test('program that reads only the first line of stdout and closes the pipe does not end the server', {
  timeout: 60_000,
}, async (t) => {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      'server/main.ts',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--no-discovery',
      '--data',
      join(tempFolder(t), 'data'),
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stderr.destroy();
  // The line about HTTPS is printed a moment later, into a closed pipe. The server must still answer.
  for (let asked = 0; asked < 20; asked++) {
    assert.equal((await ask(`http://127.0.0.1:${port}`, 'GET', '/api/health', {})).status, 200);
    await new Promise((next) => setTimeout(next, 50));
  }
  assert.equal(child.exitCode, null);
});

test('server stops normally within 5 s even if clients no longer respond', { timeout: 60_000 }, async (t) => {
  const [data, httpsPort] = [join(tempFolder(t), 'data'), await freePort()];
  const { child, up, said } = launch(data, { VITRINE_HTTPS_PORT: String(httpsPort) });
  t.after(() => child.kill('SIGKILL'));
  const origin = await up;
  const port = Number(new URL(origin).port);
  const token = await registerOwner(origin);
  const told = Promise.withResolvers<number>();
  const deaf = (head: string, { secure = false, hears = false } = {}) => {
    const socket = secure
      ? tls({ port: httpsPort, host: '127.0.0.1', rejectUnauthorized: false })
      : tcp(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(head);
    const began = Promise.withResolvers<void>();
    socket.on('data', (bytes) => {
      began.resolve();
      // Bytes of a WebSocket close frame: FIN with opcode 8, a length, then the code.
      const at = bytes.indexOf(0x88);
      if (hears && at >= 0 && bytes.length >= at + 4) told.resolve(bytes.readUInt16BE(at + 2));
    });
    return began.promise;
  };
  const upgrade = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${more}\r\n`;
  const halfUpload = `POST /api/content HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n${'x'.repeat(700_000)}`;
  await Promise.all([
    deaf(upgrade('/api/live')),
    deaf(upgrade('/api/player', `Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n`), { hears: true }),
  ]);
  for (const secure of [false, true]) void deaf(halfUpload, { secure });
  const media = join(data, 'media', 'tmp');
  await until('both uploads have begun', LIMIT_MS, () => readdirSync(media).length === 2);
  const asked = performance.now();
  child.kill('SIGTERM');
  assert.equal(await told.promise, 1001);
  assert.ok(performance.now() - asked < 500, 'who listens hears of it at once, whoever else is deaf');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, said());
  assert.ok(performance.now() - asked < LIMIT_MS);
  assert.deepEqual(readdirSync(media), []);
  for (const end of ['-wal', '-shm'])
    assert.equal(existsSync(join(data, `vitrine.db${end}`)), false, `vitrine.db${end} is taken over`);
});

test("folder among the unfinished uploads does not prevent the server's start", { timeout: 60_000 }, async (t) => {
  const data = join(tempFolder(t), 'data');
  mkdirSync(join(data, 'media', 'tmp', 'a-folder'), { recursive: true });
  const server = await startServer(t, data).catch((error: NotStarted) => assert.fail(error.said));
  assert.deepEqual(readdirSync(join(data, 'media', 'tmp')), []);
  assert.equal(await server.stop(), 0);
});
