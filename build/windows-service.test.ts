import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requestStop } from '../server/cli/service/service-steps.ts';
import { whoAnswers } from '../server/service/ask-service.ts';
import { type Note, readNote } from '../server/service/service-note.ts';
import { isFolderInUse } from '../server/upkeep/disk/folder-lock.store.ts';
import { freePort, tempFolder } from '../test/harness.ts';

const soon = async <T>(what: string, look: () => T | undefined | false): Promise<T> => {
  for (let i = 0; i < 600; i++) {
    const found = look();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 50));
  }
  return assert.fail(what);
};

test('watcher restarts a killed server and stops it on request, and a server ends with its killed watcher', {
  timeout: 90_000,
}, async (t) => {
  const folder = tempFolder(t);
  const [data, file] = [join(folder, 'server'), join(folder, 'public', 'server.json')];
  const pipe = process.platform === 'win32' ? `\\\\.\\pipe\\vitrine-test-${process.pid}` : join(folder, 'pipe');
  const port = await freePort();
  const start = () => {
    const child = spawn(
      process.execPath,
      ['build/windows-service.ts', '--port', String(port), '--data', data, '--note', file, '--pipe', pipe],
      {
        cwd: join(import.meta.dirname, '..'),
        stdio: 'ignore',
        env: { ...process.env, VITRINE_DISCOVERY: '0', VITRINE_HTTPS: '0', VITRINE_HOST: '127.0.0.1' },
      },
    );
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const child = start();
  const note: Note = await soon('it serves', () => readNote(file));
  assert.equal(note.port, port);
  assert.equal(await whoAnswers(note), 'service');
  assert.equal(await whoAnswers({ port, fingerprint: '0'.repeat(64) }), 'stranger');
  if (process.platform === 'linux') {
    const server = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
    process.kill(server, 'SIGKILL');
    await soon(
      'the server is started again',
      () => readFileSync(join(data, 'logs', 'service.log'), 'utf8').match(/: running/g)?.length === 2,
    );
    assert.equal(await whoAnswers(note), 'service');
  }
  const ended = once(child, 'exit');
  await requestStop(pipe);
  assert.deepEqual(await ended, [0, null]);
  assert.equal(existsSync(file), false, 'the server ended in order: it takes its note along');
  assert.equal(isFolderInUse(data), false);
  assert.equal(await whoAnswers(note), 'nobody');
  // A stop request without a running watcher must not fail.
  await requestStop(pipe);

  const second = start();
  await soon('it serves again', () => readNote(file));
  second.kill('SIGKILL');
  await soon('the server ends with what watched over it', () => !existsSync(file) && !isFolderInUse(data));
});
