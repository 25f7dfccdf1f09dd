/**
 * A server that cannot start processes or threads, and a server whose backup disk hangs: the server continues, reports
 * the problem, and stops when asked to.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { ask, formWith, ROOT, type RunningServer, runScript, startOwned, vitrine } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';

const begin = async (t: TestContext) => {
  const data = tempFolder(t);
  const faults = createFaults(t);
  return { data, faults, ...(await startOwned(t, data, { VITRINE_LOG_LEVEL: 'error', ...faults.env })) };
};

const isWell = async ({ origin, child }: RunningServer): Promise<void> => {
  assert.equal((await ask(origin, 'GET', '/api/health')).status, 200);
  assert.equal(child.exitCode, null);
};

/** Resident memory, in megabytes, of a server and all its child processes. */
const sizeOf = (server: RunningServer): { megabytes: number; processes: number } => {
  const pid = server.child.pid!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const of = (id: string | number) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  return { megabytes: [pid, ...children].reduce((sum: number, id) => sum + of(id), 0), processes: children.length };
};

test('server on a machine that cannot start more processes refuses requests and continues', {
  skip: whyNoFaults,
  timeout: 120_000,
}, async (t) => {
  const { faults, server, call, data } = await begin(t);
  const folder = tempFolder(t);
  faults.noFork();
  const state = await call('GET', '/api/server/backups');
  assert.match(state.body.last_error, /could not start another program just now \(EAGAIN\)/);
  const refusals = [
    await call('POST', '/api/server/backups', {}),
    await call('DELETE', '/api/server/backups/a.vitrine'),
    await call('GET', '/api/server/backups/a.vitrine'),
    await call('PUT', '/api/server/upkeep', { backup_folder: folder }),
    await call('POST', '/api/content', formWith('a.gif', picture('a'))),
  ];
  for (const { status, body } of refusals)
    assert.deepEqual([status, /could not start another program/.test(body.error)], [503, true], JSON.stringify(body));
  await isWell(server);
  const { problems } = (await call('GET', '/api/server/status')).body;
  assert.ok(problems.some(({ code }: { code: string }) => code === 'backup_failed'));

  faults.mend();
  assert.equal((await call('POST', '/api/content', formWith('a.gif', picture('a')))).status, 201);
  assert.equal((await call('POST', '/api/server/backups', {})).status, 201);
  const after = (await call('GET', '/api/server/backups')).body;
  assert.deepEqual([after.last_error, after.backups.length], [null, 1]);
  // The refused requests left no files behind.
  assert.deepEqual(
    readdirSync(join(data, 'media', 'tmp')).concat(
      readdirSync(join(data, 'backups')).filter((name) => name.startsWith('.')),
    ),
    [],
  );
  assert.equal(await server.stop(), 0);
});

test('60 simultaneous requests for the list of backups are answered by a single helper process', {
  skip: whyNoFaults,
  timeout: 120_000,
}, async (t) => {
  const { server, call } = await begin(t);
  const before = sizeOf(server);
  const most = { megabytes: 0, processes: 0 };
  const watch = setInterval(() => {
    const now = sizeOf(server);
    most.megabytes = Math.max(most.megabytes, now.megabytes);
    most.processes = Math.max(most.processes, now.processes);
  }, 5);
  const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/api/server/backups')));
  clearInterval(watch);
  for (const { status, body } of answers) assert.deepEqual([status, body.last_error], [200, null]);
  t.diagnostic(
    `${Math.round(before.megabytes)} MB before, ${Math.round(most.megabytes)} MB at most, ${most.processes} processes`,
  );
  assert.ok(most.processes <= 1, `${most.processes} processes`);
  assert.equal(await server.stop(), 0);
});

test('server that cannot start threads refuses requests and continues', {
  skip: whyNoFaults,
  timeout: 60_000,
}, async (t) => {
  const faults = createFaults(t);
  const data = tempFolder(t);
  const at = (path: string) => JSON.stringify(new URL(path, `file://${ROOT}/`).href);
  const script = `
    const { writeFileSync } = await import('node:fs');
    const { stat } = await import('node:fs/promises');
    const [{ openDatabase }, { Checkpoints }, { ReportThreads }, { ExportThreads }, { ManifestThreads }, { FeedThread }] = await Promise.all([
      import(${at('server/db/open.ts')}), import(${at('server/db/checkpoints.ts')}), import(${at('server/features/reports/report-threads.ts')}),
      import(${at('server/features/exchange/export-thread.ts')}), import(${at('server/features/exchange/manifest-thread.ts')}), import(${at('server/features/widgets/feed-thread.ts')})]);
    await stat('.');
    const db = openDatabase(${JSON.stringify(join(data, 'vitrine.db'))});
    const said = {};
    const checkpoints = new Checkpoints({ db, onError: (error) => (said.checkpoints = error.message) });
    checkpoints.start();
    const insert = db.raw.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
    for (let i = 0; i < 1000; i++) insert.run('row ' + i, JSON.stringify('x'.repeat(5000)));
    writeFileSync(process.env.VITRINE_FAULTS, 'no-thread');
    checkpoints.runDue(0);
    checkpoints.runDue(1);
    const tell = (name) => (error) => (said[name] = error.status + ' ' + error.message);
    const reports = new ReportThreads({ file: db.file });
    await Promise.all([1, 2, 3].map((n) => reports.runTask({ do: 'uptime', question: {} }).catch(tell('reports' + n))));
    await new ExportThreads().describe({}).catch(tell('export'));
    await new ManifestThreads().read({}, new AbortController().signal).catch(tell('import'));
    await new FeedThread().read('').catch(tell('feed'));
    console.log(JSON.stringify(said));
    process.exit(0);`;
  const { code, stdout, stderr } = await runScript(script, faults.env);
  assert.equal(code, 0, stderr);
  const said = JSON.parse(stdout) as Record<string, string>;
  assert.deepEqual(Object.keys(said).sort(), [
    'checkpoints',
    'export',
    'feed',
    'import',
    'reports1',
    'reports2',
    'reports3',
  ]);
  for (const [name, sentence] of Object.entries(said)) {
    assert.match(sentence, /could not start another program just now/, name);
    if (name !== 'checkpoints') assert.match(sentence, /^503 /, name);
  }
});

test('hanging backup disk blocks nothing else, is reported in time, and does not prevent a stop of the server', {
  skip: whyNoFaults,
  timeout: 180_000,
}, async (t) => {
  const { faults, server, call, data } = await begin(t);
  const usb = tempFolder(t);
  assert.equal((await call('PUT', '/api/server/upkeep', { backup_folder: usb })).status, 200);
  const { name } = (await call('POST', '/api/server/backups', {})).body;
  faults.disk('hang', usb);
  const begun = performance.now();
  const asked = [
    call('GET', '/api/server/backups'),
    call('POST', '/api/server/backups', {}),
    call('GET', `/api/server/backups/${name}`),
    call('DELETE', `/api/server/backups/${name}`),
    call('PUT', '/api/server/upkeep', { backup_folder: usb }),
  ];
  const doctor = vitrine(['doctor', '--quick', '--data', data], faults.env);
  let answered = false;
  const all = Promise.all(asked).finally(() => (answered = true));
  while (!answered) {
    const at = performance.now();
    await isWell(server);
    // More tasks wait for the backup disk than libuv has threads (4). Other tasks that need a thread are still done.
    assert.equal((await call('GET', '/api/server/status')).status, 200);
    assert.ok(performance.now() - at < 3_000, 'the server is held up');
    await later(500);
  }
  const [state, ...refused] = await all;
  t.diagnostic(`answered after ${Math.round((performance.now() - begun) / 100) / 10} s`);
  assert.match(state!.body.last_error, /does not answer/);
  for (const { status, body } of refused)
    assert.deepEqual([status, /does not answer/.test(body.error)], [503, true], JSON.stringify(body));
  const { problems } = (await call('GET', '/api/server/status')).body;
  assert.ok(
    problems.some(({ code, text }: { code: string; text: string }) => code === 'backup_failed' && text.includes(usb)),
  );
  const { code, stdout } = await doctor;
  assert.deepEqual([code, stdout.includes(`The disk of ${usb} does not answer`)], [3, true], stdout);

  // The backup disk works again.
  faults.mend();
  // Waits for the killed process: it ends a moment after the disk works again, and until then the server reports the
  // disk as hanging.
  await until('the backup is listed', 10_000, async () => {
    const { backups } = (await call('GET', '/api/server/backups')).body;
    return backups.length === 1;
  });
  assert.equal((await call('POST', '/api/server/backups', {})).status, 201);

  faults.disk('hang', usb);
  const [pending] = [call('POST', '/api/server/backups', {}), await later(1_000)];
  const stopping = performance.now();
  assert.equal(await server.stop(), 0);
  assert.ok(performance.now() - stopping < 5_000, 'it ended in time');
  await pending;
});
