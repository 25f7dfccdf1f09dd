import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { tempFolder } from '../../test/harness.ts';
import { createPages } from './pages.ts';

const SCRIPT = 'console.log("the same words again and again, again and again");';
const PAGE = '<!doctype html><title>Vitrine</title>';

/** Built pages of an admin window and a player. The test client does not decompress answers. */
const site = async (t: TestContext) => {
  const dist = tempFolder(t);
  for (const name of ['secret.js', 'secret.js.br']) writeFileSync(join(dist, name), 'secret');
  for (const app of ['admin', 'player']) {
    mkdirSync(join(dist, app, 'assets'), { recursive: true });
    for (const [name, text] of [
      ['index.html', PAGE],
      ['assets/app-1a2b.js', SCRIPT],
      ['assets/frame-9f8e.html', PAGE],
    ] as const) {
      writeFileSync(join(dist, app, name), text);
      writeFileSync(join(dist, app, `${name}.br`), brotliCompressSync(text));
      writeFileSync(join(dist, app, `${name}.gz`), gzipSync(text));
    }
    writeFileSync(join(dist, app, 'assets/font.woff2'), 'font');
    writeFileSync(join(dist, app, 'assets/plain-9.css'), 'a{}');
  }
  const server = createServer(createPages({ endpoints: [], openApi: () => ({}) }, '0', dist)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; bytes: Buffer }>((done, failed) => {
      const asked = request({ port, path, method, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () => done({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }));
      });
      asked.on('error', failed).end();
    });
};

test('browser that accepts brotli gets the compressed file with the original media type', async (t) => {
  const get = await site(t);
  const { status, headers, bytes } = await get('/assets/app-1a2b.js', { 'Accept-Encoding': 'gzip, deflate, br' });
  assert.deepEqual(
    [status, headers['content-encoding'], headers['content-type'], headers['vary']],
    [200, 'br', 'text/javascript; charset=utf-8', 'Accept-Encoding'],
  );
  assert.match(headers['cache-control'] ?? '', /immutable/);
  assert.equal(brotliDecompressSync(bytes).toString(), SCRIPT);
  const again = await get('/assets/app-1a2b.js', { 'Accept-Encoding': 'br', 'If-None-Match': headers.etag ?? '' });
  assert.equal(again.status, 304);
});

test('browser without brotli gets gzip or the plain file, each with a different ETag', async (t) => {
  const get = await site(t);
  const zipped = await get('/', { 'Accept-Encoding': 'gzip, br;q=0' });
  assert.deepEqual(
    [zipped.headers['content-encoding'], zipped.headers['content-type'], gunzipSync(zipped.bytes).toString()],
    ['gzip', 'text/html; charset=utf-8', PAGE],
  );
  const plain = await get('/');
  assert.deepEqual(
    [plain.headers['content-encoding'], plain.headers['vary'], plain.bytes.toString()],
    [undefined, 'Accept-Encoding', PAGE],
  );
  assert.notEqual(plain.headers.etag, zipped.headers.etag);
});

test('file is sent unchanged when it has no compressed copy or is binary', async (t) => {
  const get = await site(t);
  for (const path of ['/assets/plain-9.css', '/assets/font.woff2']) {
    const { status, headers } = await get(path, { 'Accept-Encoding': 'br' });
    assert.deepEqual([status, headers['content-encoding']], [200, undefined]);
  }
  assert.equal((await get('/assets/font.woff2', { 'Accept-Encoding': 'br' })).headers['vary'], undefined);
});

test('player’s pages are compressed, /player redirects to /player/, and no path leads out of the folder of the pages', async (t) => {
  const get = await site(t);
  const encoded = { 'Accept-Encoding': 'br' };
  const away = await get('/player', encoded);
  assert.deepEqual([away.status, away.headers.location], [301, '/player/']);
  assert.equal((await get('/player/', encoded)).headers['content-encoding'], 'br');
  for (const path of [
    '/player/../secret.js',
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/player/..%5c..%5csecret.js',
    '/player/../../secret.js',
  ]) {
    const { status, bytes } = await get(path, encoded);
    assert.ok(status >= 400 && !bytes.includes('secret"') && bytes.toString() !== 'secret', path);
  }
});

test('no page may run inline script, except the player’s empty frame, which has a separate origin', async (t) => {
  const get = await site(t);
  const policyOf = async (path: string) => String((await get(path)).headers['content-security-policy']);
  for (const path of ['/', '/player/', '/player/assets/app-1a2b.js']) {
    const policy = await policyOf(path);
    assert.doesNotMatch(policy, /unsafe|script-src[^;]*(http|blob|data)/, path);
    assert.match(policy, /script-src 'self'/, path);
  }
  assert.doesNotMatch(await policyOf('/'), /img-src[^;]*http/);
  assert.match(await policyOf('/player/'), /img-src[^;]*http:/, 'overlays come from anywhere');
  for (const encoding of ['identity', 'br']) {
    const { headers } = await get('/player/assets/frame-9f8e.html', { 'Accept-Encoding': encoding });
    assert.match(String(headers['content-security-policy']), /^sandbox allow-scripts allow-forms; default-src 'none'/);
    assert.match(String(headers['cache-control']), /immutable/);
  }
});

test('error for a file that cannot be served is JSON and does not reveal the path of the program', async (t) => {
  const ask = await site(t);
  for (const [headers, status] of [
    [{ 'If-Match': '"x"' }, 412],
    [{ Range: 'bytes=9999-' }, 416],
  ] as const) {
    const refused = await ask('/', headers);
    assert.equal(refused.status, status);
    assert.deepEqual(Object.keys(JSON.parse(refused.bytes.toString())), ['error']);
    assert.doesNotMatch(refused.bytes.toString(), /node_modules|\bat /);
  }
});
