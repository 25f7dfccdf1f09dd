/**
 * A dying disk: the server reports the cause, tells users correctly whether their changes were saved, and informs
 * monitoring.
 */
// Suite: long
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { openReadOnly } from '../../server/db/read-only.ts';
import { tempFolder } from '../harness.ts';
import { startOwned } from './data-server.ts';
import { createFaults, type DiskFault, type Faults, whyNoFaults } from './hooks/faults.ts';

/**
 * Makes the n-th step of the disk fail during a change. Returns the answer to the change, and whether the change exists
 * at the next start.
 */
const oneChange = async (t: TestContext, faults: Faults, fault: DiskFault, step: number, ending: 'kill' | 'close') => {
  const folder = tempFolder(t);
  const file = join(folder, 'vitrine.db');
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'hooks', 'one-change.ts'), file, ending],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...faults.env },
    },
  );
  let answer = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') {
      faults.disk(fault, file, step);
      child.stdin.write('go\n');
    } else answer = line.replace('answer ', '');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  faults.mend();
  const db = openReadOnly(file);
  const has = (key: string) => db.prepare('SELECT 1 FROM settings WHERE key = ?').get(key) !== undefined;
  const [before, isThere] = [has('before'), has('change')];
  db.close();
  rmSync(folder, { recursive: true });
  return { answer, before, isThere };
};

test('answer says correctly whether a change was saved, whichever disk step fails', {
  skip: whyNoFaults,
  timeout: 120_000,
}, async (t) => {
  const faults = createFaults(t);
  const answers = new Set<string>();
  for (const [fault, ending] of [
    ['eio-once', 'kill'],
    ['eio-once', 'close'],
    ['eio', 'kill'],
    ['enospc', 'kill'],
  ] as const) {
    for (let step = 1; ; step++) {
      const { answer, before, isThere } = await oneChange(t, faults, fault, step, ending);
      const what = `${fault} at step ${step}, then ${ending}: ${answer}`;
      assert.ok(before, what);
      if (answer === 'saved') {
        assert.ok(isThere, what);
        break;
      }
      assert.match(
        answer,
        fault === 'enospc'
          ? /^(507 .* is full\. Nothing was changed|503 .*(fails|failed))/
          : /^503 .*(fails: .* Nothing was changed|failed while .* may be lost)/,
        what,
      );
      if (answer.includes('Nothing was changed')) assert.equal(isThere, false, what);
      answers.add(`${fault} ${answer.includes('Nothing') ? 'undone' : 'unknown'}`);
    }
  }
  assert.ok(answers.has('eio-once undone') && !answers.has('eio-once unknown'), 'what can be undone is undone');
});

test('dying disk is not called full, and is reported to monitoring and administrators until it works again', {
  skip: whyNoFaults,
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const faults = createFaults(t);
  const { server, call } = await startOwned(t, data, faults.env);
  const health = () => call('GET', '/api/health');
  const add = () => call('POST', '/api/playlists', { name: 'P' });
  assert.equal((await health()).status, 200);

  faults.disk('eio', join(data, 'vitrine.db'));
  const refused = await add();
  assert.equal(refused.status, 503);
  assert.equal(refused.body.code, 'disk_failing');
  assert.match(refused.body.error, /disk (fails|failed)/);
  assert.doesNotMatch(refused.body.error, /full/);
  assert.equal((await call('GET', '/api/playlists')).status, 200, 'what can be read is read');
  const sick = await health();
  assert.deepEqual([sick.status, sick.body.code], [503, 'database_failing']);
  const codes = async () =>
    (await call('GET', '/api/server/status')).body.problems.map(({ code }: { code: string }) => code);
  assert.ok((await codes()).includes('database_failing'));

  faults.mend();
  await later(1_100);
  assert.equal((await health()).status, 200, 'asking is enough: nobody needs to save anything');
  assert.equal((await codes()).includes('database_failing'), false);
  assert.equal((await add()).status, 201);

  // Makes reading fail, too. The server notices this by a regular check, even when nothing is saved.
  faults.disk('eio-all', join(data, 'vitrine.db'));
  await later(1_100);
  assert.equal((await health()).status, 503);
  for (let i = 0; i < 5; i++) await call('GET', '/api/playlists');
  assert.equal(server.child.exitCode, null);
  faults.mend();
  await later(1_100);
  assert.equal((await health()).status, 200);
  faults.disk('eio', join(data, 'vitrine.db'));
  assert.equal(await server.stop(), 0, 'it ends in order');
  assert.doesNotMatch(server.said(), /\n\s+at /);
});
