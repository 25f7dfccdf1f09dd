/**
 * The update of the server itself with real programs, started as a service manager does it. After any interruption, and
 * with any bad version, the previous or the new version serves the store.
 */
// Suite: long
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { VersionFolder } from '../../server/versions/version-folder.ts';
import { choose } from '../../shared/desktop/update-state.ts';
import { tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { ROOT, runScript } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';
import { computer, type Made, owned, WAIT_MS, whyNoReleases } from './own-server.ts';

test('release is installed beside the running version, tried and kept, and the previous version returns on request', {
  skip: whyNoReleases,
  timeout: 300_000,
}, async (t) => {
  const it = await computer(t);
  const { call, names, state, install, lastIs } = await owned(t, it, { '2.0.0': {}, '3.0.0': { migrates: true } });
  const before = await state();
  assert.deepEqual([before.version, before.how, before.back, before.last], ['1.0.0', 'trial', null, null]);
  assert.deepEqual([before.offer.version, before.offer.notes], ['3.0.0', 'Brighter.']);
  const { backup } = await install('2.0.0');
  await it.runs('2.0.0');
  assert.equal((await lastIs('done')).runs, '2.0.0');
  assert.ok(existsSync(join(it.data, 'backups', backup)));
  await call('POST', '/api/playlists', { name: 'Winter' });
  const second = await state();
  assert.deepEqual([second.back.version, second.back.backup], ['1.0.0', null], 'one store for both: nothing is lost');
  assert.equal((await call('POST', '/api/server/update/return', {})).status, 200);
  await it.runs('1.0.0');
  assert.equal((await lastIs('returned')).version, '2.0.0');
  assert.deepEqual(await names(), ['Autumn', 'Winter']);
  assert.equal((await state()).back, null);

  // Updates again, and from there to a version that changes the database.
  await install('2.0.0');
  await lastIs('done');
  await install('3.0.0');
  await it.runs('3.0.0');
  await lastIs('done');
  await call('POST', '/api/playlists', { name: 'Later' });
  const third = await state();
  assert.deepEqual([third.back.version, third.back.backup], ['2.0.0', third.last.backup]);
  const { safety } = (await call('POST', '/api/server/update/return', {})).body;
  await it.runs('2.0.0');
  assert.deepEqual([(await lastIs('returned')).restored, await names()], [1, ['Autumn', 'Winter']]);
  const { last_restore, backups } = (await call('GET', '/api/server/backups')).body;
  assert.deepEqual([last_restore.error, last_restore.backup], [null, third.last.backup]);
  assert.ok(
    backups.some(({ name }: { name: string }) => name === safety),
    'what was lost is in a backup of its own',
  );
  assert.deepEqual(readdirSync(join(it.data, 'programs', 'versions')), ['2.0.0']);
});

/** Bad versions by their number: the fault of the version, and the reason that is reported for its failure. */
const BAD: Readonly<Record<string, Made & { readonly says: RegExp }>> = {
  '2.0.0': { main: 'process.exit(3);', says: /ended with 3/ },
  '2.1.0': { main: 'for (;;);', says: /did not answer in time/ },
  '2.2.0': { main: 'setInterval(() => {}, 1000);', says: /did not answer in time/ },
  '2.3.0': {
    migrates: true,
    main: "await import('./real.js'); setTimeout(() => { for (;;); }, 2500);",
    says: /stopped answering|did not answer/,
  },
};

test('version that crashes, hangs or never answers is replaced by the previous version with all its data', {
  skip: whyNoReleases,
  timeout: 400_000,
}, async (t) => {
  const it = await computer(t);
  const { names, install, lastIs, state } = await owned(t, it, BAD);
  for (const [version, { migrates, says }] of Object.entries(BAD)) {
    await install(version);
    await until(`${version} is given up`, WAIT_MS, async () => {
      const { last } = (await state()) ?? {};
      return last?.version === version && last.status === 'failed';
    });
    const last = await lastIs('failed');
    assert.match(last.reason, says, version);
    assert.deepEqual([await it.health(), await names()], ['1.0.0', ['Autumn']], version);
    assert.equal(last.restored, migrates ? 1 : 0, it.said());
    assert.equal(new VersionFolder(it.data).read().trial, null);
  }
  assert.equal((await state()).offer.version, '2.3.0', 'it can be tried again');
});

test('update that is killed at any moment leaves the old or the new version serving, and loses nothing', {
  skip: whyNoReleases,
  timeout: 300_000,
}, async (t) => {
  const it = await computer(t);
  const { names, install, lastIs, state } = await owned(t, it, { '2.0.0': { migrates: true } });
  const serves = () =>
    until('a version serves', WAIT_MS, async () => {
      const version = await it.health();
      return (version === '1.0.0' || version === '2.0.0') && version;
    });
  // Kills the server while the version is being installed.
  for (const ms of [150, 400]) {
    const asked = install('2.0.0').catch(() => {});
    await later(ms);
    it.kill();
    await asked;
    assert.equal(await serves(), '1.0.0', `after ${ms} ms`);
    assert.deepEqual(await names(), ['Autumn']);
  }
  // Kills the server between two versions, and while the new version is on trial.
  await install('2.0.0');
  it.kill();
  await it.runs('2.0.0');
  assert.equal((await state()).last.status, 'trying');
  it.kill();
  await serves();
  const last = await until('it is decided', WAIT_MS, async () => {
    const { last: now } = (await state()) ?? {};
    return ['done', 'failed'].includes(now?.status) && now;
  });
  assert.equal(await it.health(), last.status === 'done' ? '2.0.0' : '1.0.0');
  assert.deepEqual(await names(), ['Autumn']);
  // After a failed update, installs the release again, as a user would.
  if (last.status === 'failed') {
    await install('2.0.0');
    await lastIs('done');
  }
  it.kill();
  await it.runs('2.0.0');
  assert.deepEqual(await names(), ['Autumn']);
});

test('installation that is killed at any step leaves a whole new version as the chosen one, or the previous version', {
  skip: whyNoReleases || whyNoFaults,
  timeout: 240_000,
}, async (t) => {
  const faults = createFaults(t);
  const folder = tempFolder(t);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(join(unpacked, 'resources', 'vitrine', 'server'), { recursive: true });
  mkdirSync(join(unpacked, 'resources', 'node'));
  writeFileSync(join(unpacked, 'resources', 'vitrine', 'server', 'main.js'), 'of 2.0.0');
  writeFileSync(join(unpacked, 'resources', 'node', 'node'), 'node', { mode: 0o755 });
  const at = (path: string) => JSON.stringify(new URL(path, `file://${ROOT}/`).href);
  const seen = new Set<string>();
  for (let step = 1; ; step += 2) {
    const data = join(folder, `data-${step}`);
    cpSync(unpacked, join(data, 'programs', 'unpacking'), { recursive: true });
    const script = `const { VersionFolder } = await import(${at('server/versions/version-folder.ts')});
      const { NOTHING_YET, staged } = await import(${at('shared/desktop/update-state.ts')});
      const folder = new VersionFolder(${JSON.stringify(data)});
      await folder.place('2.0.0', folder.unpacking, '${'a'.repeat(64)}');
      folder.write(staged(NOTHING_YET, '2.0.0'));`;
    faults.disk('kill', data, step);
    const { code } = await runScript(script, faults.env);
    faults.mend();
    const versions = new VersionFolder(data);
    const { run } = choose(versions.read(), '1.0.0');
    if (run !== null) assert.equal(await versions.damage(run, { byBytes: true }), undefined, `step ${step}`);
    seen.add(String(run));
    if (code === 0) break;
  }
  assert.deepEqual([...seen], ['null', '2.0.0']);
});
