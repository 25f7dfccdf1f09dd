/**
 * Errors in background work of the server that no request awaits: the server survives a disk error, and ends without
 * loss after any other error.
 */
// Suite: journeys
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openReadOnly } from '../../server/db/read-only.ts';
import { tempFolder } from '../harness.ts';
import { until } from '../uploads.ts';
import { ask, gone, startOwned, startServer } from './data-server.ts';

const skip = process.platform === 'win32' ? 'there are no signals' : undefined;

const begin = async (t: TestContext) => {
  const [data, file] = [tempFolder(t), join(tempFolder(t), 'throws')];
  const preload = pathToFileURL(join(import.meta.dirname, 'hooks', 'throws.ts')).href;
  const { server, token, call } = await startOwned(t, data, {
    NODE_OPTIONS: `--no-warnings --import=${preload}`,
    VITRINE_THROWS: file,
  });
  const add = (name: string) => call('POST', '/api/playlists', { name });
  const log = () => readFileSync(join(data, 'logs', 'server.log'), 'utf8');
  const fail = (what: string) => {
    writeFileSync(file, what);
    server.child.kill('SIGUSR2');
  };
  return { data, server, token, add, log, fail };
};

test('disk error in background work is logged, and the server continues to serve screens', {
  skip,
  timeout: 60_000,
}, async (t) => {
  const { server, add, log, fail } = await begin(t);
  const faults = ['EIO', 'ENOSPC', 'EROFS', 'SQLITE_IOERR_FSYNC', 'SQLITE_FULL'];
  for (const how of ['throws', 'rejects'])
    for (const code of faults) {
      const before = log().length;
      fail(`${how} ${code}`);
      await until(
        async () => log(),
        (text) => text.slice(before).includes(`a fault of the tests: ${code}`),
      );
    }
  assert.match(log(), /The disk failed beneath work of the server’s own/);
  assert.equal((await ask(server.origin, 'GET', '/api/health')).status, 200);
  assert.equal((await add('after')).status, 201);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.said(), /\n\s+at /);
});

for (const [what, said] of [
  ['throws bug', 'a fault of the tests: bug'],
  ['rejects bug', 'a fault of the tests: bug'],
  ['throws nothing', 'undefined'],
] as const)
  test(`server that ${what} in background work ends with exit code 1 and a log entry, and keeps acknowledged changes`, {
    skip,
    timeout: 60_000,
  }, async (t) => {
    const { data, server, token, add, log, fail } = await begin(t);
    const kept: string[] = [];
    const work = (async () => {
      for (let i = 0; ; i++) {
        const { status } = await add(`list ${i}`);
        if (status !== 201) return;
        kept.push(`list ${i}`);
        if (i === 10) fail(what);
      }
    })();
    await gone(server.child);
    await work;
    assert.deepEqual([server.child.exitCode, server.child.signalCode], [1, null]);
    assert.ok(server.said().includes(said), server.said());
    if (said.startsWith('a fault')) assert.match(server.said(), /\n\s+at /);
    const last = JSON.parse(log().trimEnd().split('\n').at(-1)!);
    assert.deepEqual([last.level, last.msg], [60, 'The server ended by a fault of its own']);
    if (said.startsWith('a fault')) assert.match(last.error.stack, /a fault of the tests.*throws\.ts/s);
    const db = openReadOnly(join(data, 'vitrine.db'));
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    db.close();
    const again = await startServer(t, data);
    const names = (await ask(again.origin, 'GET', '/api/playlists?limit=1000', { token })).body.map(
      ({ name }: { name: string }) => name,
    );
    assert.deepEqual(
      kept.filter((name) => !names.includes(name)),
      [],
    );
    assert.ok(kept.length > 10);
  });
