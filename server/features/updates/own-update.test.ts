/**
 * Tests the update of the server itself, up to the moment when the launcher starts the other version (see test/faults).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Release, UpdateFile } from '../../../shared/contract/server/updates.ts';
import { NOTHING_YET } from '../../../shared/desktop/update-state.ts';
import { SEAL } from '../../../shared/desktop/version-seal.ts';
import { tempFolder } from '../../../test/harness.ts';
import { newPublisher } from '../../../test/publisher.ts';
import { until } from '../../../test/until.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { UPDATE_WAY_BACK_MS, type UpdateRecord, VersionFolder } from '../../versions/version-folder.ts';
import type { Installed } from '../../versions/way.ts';
import { OwnUpdateService } from './own-update.service.ts';
import { ReleaseFiles } from './release-files.ts';

const NOW = 1_800_000_000_900;
const WHO = { workspaceId: 'w', email: 'owner@store.test' } as Actor;
const skip = process.platform !== 'linux' && 'the releases of this test are for Linux';
const publisher = newPublisher();

/** Creates the program files of a version, as in a release. */
const lay = (top: string, version: string, { node = 'echo v24.0.0', schema = 1, holds = version } = {}) => {
  const resources = join(top, `Vitrine-${version}`, 'resources');
  const meta = join(resources, 'vitrine', 'server', 'db', 'migrations', 'meta');
  mkdirSync(meta, { recursive: true });
  mkdirSync(join(resources, 'node'));
  writeFileSync(join(meta, '_journal.json'), JSON.stringify({ entries: [{ when: schema }] }));
  writeFileSync(join(resources, 'vitrine', 'server', 'main.js'), '');
  writeFileSync(join(resources, 'vitrine', 'package.json'), JSON.stringify({ version: holds }));
  writeFileSync(join(resources, 'node', 'node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
  return join(resources, 'vitrine');
};

const open = (
  t: TestContext,
  { installed = {}, ...more }: { installed?: Partial<Installed>; relaunch?: undefined; version?: string } = {},
) => {
  const data = tempFolder(t);
  mkdirSync(join(data, 'updates'));
  const files = new ReleaseFiles(join(data, 'updates'));
  const releases: Release[] = [];
  const said: string[] = [];
  const clock = { at: NOW, now: () => clock.at };
  const folder = new VersionFolder(data);
  let fault: Error | undefined;
  const deps = {
    ...{ data, clock, version: '1.0.0', files, releases: { list: () => releases } },
    installed: {
      ...{ platform: 'linux', arch: 'x64', root: '/opt/Vitrine/resources/vitrine', keys: [publisher.publicKey] },
      ...{ isService: true, isPackage: false, isCheckout: false, ...installed },
    },
    launcher: { version: '1.0.0', root: lay(join(data, 'installed'), '1.0.0') },
    backups: {
      make: async (actor: Actor, { complete }: { complete: boolean }) => {
        said.push(`backup for ${actor.email}${complete ? ', complete' : ''}`);
        if (fault) throw fault;
        return { name: 'now.vbak' };
      },
      pathOf: (name: string) => join(data, name),
    },
    proof: {
      proofOf: () => 'password',
      requireProof: async (_: Actor, password?: string) => {
        if (password !== 'secret') throw new Error('not proven');
      },
    },
    db: { durable: async () => void said.push(`durable: ${folder.record()?.status}`) },
    activity: {
      add: ({ workspaceId, action, details }: { workspaceId: string; action: string; details: string }) =>
        void said.push(`${workspaceId} ${action} ${details}`),
    },
    log: { debug() {}, info() {}, error() {}, warn: (text: string) => void said.push(`log: ${text}`) },
    relaunch: () => void said.push('relaunch'),
    ...more,
  };
  const own = new OwnUpdateService(deps as unknown as ConstructorParameters<typeof OwnUpdateService>[0]);
  const release = (version: string, ...its: Partial<UpdateFile>[]): Release => {
    const made = { id: `r${version}`, version, files: its, notes: `what ${version} brings`, screens: 0 };
    releases.push(made as unknown as Release);
    return releases.at(-1)!;
  };
  /** Stores the bytes of a file. */
  const kept = (name: string, bytes: Buffer, signed = publisher.sign(name, bytes)): Partial<UpdateFile> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(files.pathOf(sha256), bytes);
    return { name, size: bytes.length, sha256, signature: signed };
  };
  const packed = (version: string, how: Parameters<typeof lay>[2] = {}): Partial<UpdateFile> => {
    const top = tempFolder(t);
    lay(top, version, how);
    const args = ['-czf', '-', '-C', top, `Vitrine-${version}`];
    return kept(`Vitrine-${version}-linux-x64.tar.gz`, execFileSync('tar', args));
  };
  const record = (change: Partial<UpdateRecord>) => {
    const whole = { version: '2.0.0', from: '1.0.0', at: NOW - 1_000, by: 'admin@store.test', reason: null };
    folder.writeRecord({ ...whole, backup: join(data, 'before.vbak'), status: 'done', restored: false, ...change });
  };
  /** Prepares the folder as if a version had been unpacked and started before. */
  const runs = (current: string, previous: string | null = null, schema = 1) => {
    lay(folder.versionFolder(current), current, { schema });
    if (previous) lay(folder.versionFolder(previous), previous);
    folder.write({ ...NOTHING_YET, current, previous });
  };
  return {
    ...{ own, data, files, folder, clock, release, kept, packed, record, runs, deps },
    heard: () => said.splice(0),
    fail: (error: Error | undefined) => void (fault = error),
  };
};

test('an install checks, backs up, unpacks and records the release, then restarts after the commit and the answer', {
  skip,
}, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { own, data, folder, packed, release, heard } = open(t);
  const { id } = release('2.0.0', packed('2.0.0'));
  assert.deepEqual([own.state(WHO).work, own.outcome()], [null, undefined]);
  // Files that are left from an interrupted update.
  mkdirSync(join(folder.unpacking, 'half'), { recursive: true });
  await assert.rejects(own.install(WHO, id, 'wrong'), /not proven/);
  assert.deepEqual(heard(), []);
  const installing = own.install(WHO, id, 'secret');
  for (let n = 0; n < 1_000 && own.state(WHO).work?.step !== 'checking'; n++) await new Promise(setImmediate);
  await assert.rejects(own.install(WHO, id, 'secret'), { message: /^Another version is being installed/ });
  assert.equal(await installing, 'now.vbak');
  assert.deepEqual(heard(), [
    'backup for owner@store.test',
    'w server.update_begun 2.0.0',
    'durable: trying',
    'log: another version of the server is started',
  ]);
  assert.deepEqual(own.state(WHO).work, { step: 'starting', done_bytes: 0, total_bytes: 0 });
  assert.deepEqual(own.outcome(), {
    ...{ version: '2.0.0', from: '1.0.0', at: NOW, by: 'owner@store.test', backup: join(data, 'now.vbak') },
    ...{ status: 'trying', reason: null, restored: false },
  });
  assert.deepEqual(folder.read().trial, { version: '2.0.0', starts: 0 });
  assert.ok(folder.program('2.0.0'));
  assert.deepEqual(readdirSync(folder.versionFolder('2.0.0')).sort(), ['Vitrine-2.0.0', SEAL]);
  assert.equal(existsSync(folder.unpacking), false);
  t.mock.timers.tick(299);
  assert.deepEqual(heard(), []);
  t.mock.timers.tick(1);
  assert.deepEqual(heard(), ['relaunch']);
});

test('a release with a wrong signature or for another system is refused with a reason and changes nothing', {
  skip,
}, async (t) => {
  const { own, files, folder, packed, kept, release, heard, fail } = open(t);
  const refused = async (version: string, file: Partial<UpdateFile>, status: number, message: RegExp) => {
    await assert.rejects(own.install(WHO, release(version, file).id, 'secret'), { status, message });
    const found = [own.state(WHO).work, own.outcome(), folder.read(), existsSync(folder.unpacking)];
    assert.deepEqual(found, [null, undefined, NOTHING_YET, false], version);
  };
  await refused('2.0.0', packed('2.0.0', { holds: '2.0.1' }), 409, /^Version 2\.0\.0 contains no server for this/);
  await refused('2.1.0', packed('2.1.0', { node: 'exit 1' }), 409, /^Version 2\.1\.0 does not run on this computer/);
  const empty = execFileSync('tar', ['-czf', '-', '-T', '/dev/null']);
  await refused('2.2.0', kept('Vitrine-2.2.0-linux-x64.tar.gz', empty), 409, /^Version 2\.2\.0 contains no server/);
  const junk = kept('Vitrine-2.3.0-linux-x64.tar.gz', Buffer.from('no archive'));
  await refused('2.3.0', junk, 500, /^Version 2\.3\.0 could not be unpacked: ./);
  heard();
  const changed = packed('2.4.0');
  writeFileSync(files.pathOf(changed.sha256!), 'other bytes');
  await refused(
    '2.4.0',
    changed,
    400,
    /does not match the signature of this server’s publisher\. Upload the file again/,
  );
  await refused(
    '2.5.0',
    { ...packed('2.5.0'), signature: 'ab'.repeat(64) },
    400,
    /does not match the signature of this server’s publisher/,
  );
  assert.deepEqual(heard(), [], 'no backup is made of it');
  await refused('1.0.0', packed('1.0.0'), 409, /^Version 1\.0\.0 is not newer than the running version 1\.0\.0/);
  const wanted = 'Version 2.6.0 has no signed file for this server: Vitrine-2.6.0-linux-x64.tar.gz.';
  await refused('2.6.0', { name: 'Vitrine-2.6.0-linux-arm64.tar.gz', signature: 'ab' }, 409, new RegExp(`^${wanted}`));
  await assert.rejects(own.install(WHO, 'none', 'secret'), { status: 404, message: 'Release not found' });
  await assert.rejects(own.installFor(WHO, '9.9.9'), { status: 404, message: 'Release not found' });
  fail(new Error('the disk is full'));
  release('2.7.0', packed('2.7.0'));
  await assert.rejects(own.installFor(WHO, '2.7.0'), /the disk is full/);
  assert.deepEqual([own.state(WHO).work, heard()], [null, ['backup for owner@store.test']]);
  // A visitor from headquarters works in no workspace of this server.
  fail(undefined);
  await own.installFor({ ...WHO, workspaceId: null }, '2.7.0');
  assert.equal(heard()[1], 'durable: trying');
  await assert.rejects(own.requireRoom({ size: 1 }, Number.MAX_SAFE_INTEGER), {
    status: 507,
    message: /^The disk has too little free space for unpacking: 8589934593 MB are needed, \d+ MB are free\.$/,
  });
  await own.requireRoom({ size: 1 });
});

test('offered update is the newest release that is newer than the server, with its file and the way to install it', (t) => {
  const offer = (installed: Partial<Installed>, ...versions: string[]) => {
    const { own, release, kept, data, heard } = open(t, { installed });
    for (const version of versions)
      release(version, kept(`Vitrine-${version}-linux-amd64.deb`, Buffer.from(version)), {
        ...{ name: `Vitrine-${version}-linux-x64.tar.gz`, signature: 'ab' },
      });
    const state = own.state(WHO);
    assert.deepEqual([own.state(WHO), heard()], [state, []], 'it is told again in the same words');
    return { ...state, offer: state.offer && { ...state.offer, data } };
  };
  const none = offer({ keys: [], isCheckout: true }, '2.0.0');
  assert.deepEqual(
    [none.how, none.offer, none.command, none.version, none.proof, none.last, none.back],
    ['none', null, 'git -C /opt/Vitrine/resources/vitrine pull', '1.0.0', 'password', null, null],
  );
  assert.match(none.why!, /runs from unsigned source code/);
  assert.equal(offer({}, '0.9.0', '1.0.0').offer, null);
  const { how, why, command, offer: newest } = offer({}, '1.9.0', '1.10.0', '0.9.0');
  assert.deepEqual([how, why, command], ['trial', null, null]);
  const file = 'Vitrine-1.10.0-linux-x64.tar.gz';
  const { data: _, ...it } = newest!;
  assert.deepEqual(it, {
    ...{ release_id: 'r1.10.0', version: '1.10.0', notes: 'what 1.10.0 brings', file, wanted: file, command: null },
  });
  const typed = offer({ isPackage: true }, '2.0.0');
  const { data, ...deb } = typed.offer!;
  assert.deepEqual(
    [typed.how, typed.command, deb.file, deb.wanted],
    [...['command', null, 'Vitrine-2.0.0-linux-amd64.deb', 'Vitrine-2.0.0-linux-amd64.deb']],
  );
  // The link has the file's own name, by which system programs recognise its type.
  const path = deb.command!.replace(/^sudo apt-get install /, '');
  assert.ok(path.startsWith(join(data, 'programs', 'files')) && path.endsWith('/Vitrine-2.0.0-linux-amd64.deb'), path);
  assert.equal(readFileSync(path, 'utf8'), '2.0.0');
  for (const [installed, wanted] of [
    [{ arch: 'arm64' }, 'linux-arm64.tar.gz'],
    [{ platform: 'win32' }, 'win-x64.zip'],
    [{ platform: 'freebsd' }, 'freebsd-x64.zip'],
    [{ platform: 'darwin', arch: 'arm64' }, 'mac-arm64.zip'],
    [{ isPackage: true, arch: 'arm64' }, 'linux-arm64.deb'],
  ] as const) {
    const other = offer(installed, '2.0.0').offer!;
    assert.deepEqual([other.file, other.wanted, other.command], [null, `Vitrine-2.0.0-${wanted}`, null]);
  }
});

test('the refusal names the file that a person must install by hand, and nothing is installed without a launcher', (t) => {
  const files = ['linux-amd64.deb', 'linux-x64.tar.gz'].map((rest) => ({
    ...{ name: `Vitrine-2.0.0-${rest}`, size: 1, sha256: '', signature: 'ab' },
  }));
  const fileOf = (how: Parameters<typeof open>[1], its = files) => {
    return open(t, how).own.fileOf({ version: '2.0.0', files: its });
  };
  assert.equal(fileOf({}), files[1]);
  const refused = (how: Parameters<typeof open>[1], message: RegExp, its = files) =>
    assert.throws(() => fileOf(how, its), { status: 409, message });
  refused({ installed: { keys: [] } }, /is an unsigned development build/);
  refused(
    { installed: { isPackage: true } },
    /of the system\. Download Vitrine-2\.0\.0-linux-amd64\.deb to the computer of the server, then/,
  );
  refused({ installed: { isPackage: true } }, /package manager of the system\.$/, []);
  refused(
    { relaunch: undefined },
    /^This server was not started by a launcher, so nothing would restart it after the update\. Start it with npm start or as a service/,
  );
  refused({ version: '2.0.0' }, /is not newer/);
});

test('the next start records the outcome of an interrupted update and deletes unneeded files', async (t) => {
  const at = (version: string, change: Partial<UpdateRecord> | undefined) => {
    const it = open(t, { version });
    it.runs('2.0.0', '1.5.0');
    it.folder.write({ ...it.folder.read(), trial: { version: '3.0.0', starts: 1 } });
    mkdirSync(it.folder.versionFolder('1.1.0'), { recursive: true });
    mkdirSync(join(it.folder.folder, 'files'));
    if (change) it.record({ version: '3.0.0', ...change });
    it.own.start();
    const { status, reason } = it.own.outcome() ?? {};
    const left = () => readdirSync(join(it.folder.folder, 'versions')).sort().join();
    return { found: [status, reason, it.folder.read().trial?.version], left, ...it };
  };
  const reason = 'the version was not started';
  const cutOff = at('2.0.0', { status: 'trying' });
  assert.deepEqual(cutOff.found, ['failed', reason, undefined]);
  assert.deepEqual(cutOff.folder.read().failed, [{ version: '3.0.0', reason }]);
  await until('it is cleared away', 5_000, () => cutOff.left() === '1.5.0,2.0.0', 5);
  assert.deepEqual(cutOff.heard(), []);
  const before = '1.1.0,1.5.0,2.0.0';
  const kept: [string, Partial<UpdateRecord> | undefined, unknown[]][] = [
    ['3.0.0', { status: 'trying' }, ['trying', null, '3.0.0']],
    ['3.0.0', { status: 'returning' }, ['returning', null, '3.0.0']],
    ['2.0.0', undefined, [undefined, undefined, '3.0.0']],
  ];
  const unchanged = kept.map(([version, change, found]) => {
    const it = at(version, change);
    assert.deepEqual([it.found, it.heard()], [found, []], `${version} ${change?.status}`);
    return it;
  });
  const cleared: typeof kept = [
    ['2.0.0', { status: 'returning' }, ['returned', null, '3.0.0']],
    ['2.0.0', { status: 'failed' }, ['failed', null, '3.0.0']],
    ['3.0.0', { status: 'done' }, ['done', null, '3.0.0']],
  ];
  for (const [version, change, found] of cleared) {
    const it = at(version, change);
    assert.deepEqual(it.found, found, `${version} ${change?.status}`);
    await until('it is cleared away', 5_000, () => it.left() === '1.5.0,2.0.0', 5);
  }
  for (const { left } of unchanged) assert.equal(left(), before);
});

test('the previous version is offered for thirty days if both versions are known and the backup for it exists', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { own, clock, data, runs, record, heard, folder, deps, fail } = open(t, { version: '2.0.0' });
  const none = { status: 409, message: 'This server has no earlier version to return to.' };
  await assert.rejects(own.goBack(WHO, 'wrong'), /not proven/);
  await assert.rejects(own.goBack(WHO, 'secret'), none);
  runs('2.0.0');
  for (const change of [{ status: 'failed' }, { status: 'trying' }, { version: '1.9.0' }] as const) {
    record(change);
    assert.equal(own.state(WHO).back, null, JSON.stringify(change));
  }
  record({});
  const until_s = Math.floor((NOW - 1_000 + UPDATE_WAY_BACK_MS) / 1_000);
  assert.deepEqual(own.state(WHO).back, { version: '1.0.0', backup: null, until: until_s });
  assert.deepEqual(own.state(WHO).last, {
    ...{ version: '2.0.0', from: '1.0.0', at: Math.floor((NOW - 1_000) / 1_000), by: 'admin@store.test' },
    ...{ status: 'done', reason: null, backup: 'before.vbak', restored: 0 },
  });
  clock.at = NOW - 1_000 + UPDATE_WAY_BACK_MS - 1;
  assert.notEqual(own.state(WHO).back, null);
  clock.at += 1;
  assert.equal(own.state(WHO).back, null);
  clock.at = NOW;
  folder.write({ ...folder.read(), current: '1.9.0' });
  assert.equal(own.state(WHO).back, null, 'another one is to be started');
  folder.write({ ...folder.read(), current: '2.0.0', previous: '1.4.0' });
  assert.equal(own.state(WHO).back, null, 'it is not here any more');
  // The previous version has an older database schema than the running version.
  lay(folder.versionFolder('1.4.0'), '1.4.0', { schema: 0 });
  assert.deepEqual(own.state(WHO).back, { version: '1.4.0', backup: 'before.vbak', until: until_s });
  await assert.rejects(own.goBack(WHO, 'secret'), {
    status: 409,
    message: /^The backup from before the update no longer exists/,
  });
  writeFileSync(join(data, 'before.vbak'), '');
  fail(new Error('the disk is full'));
  await assert.rejects(own.goBack(WHO, 'secret'), /the disk is full/);
  assert.deepEqual([own.state(WHO).work, own.outcome()?.status], [null, 'done']);
  fail(undefined);
  heard();
  const going = own.goBack(WHO, 'secret');
  await new Promise(setImmediate);
  await assert.rejects(own.goBack(WHO, 'secret'), { status: 409 });
  assert.equal(await going, 'now.vbak');
  assert.deepEqual(heard(), [
    ...['backup for owner@store.test', 'w server.update_undone 1.4.0', 'durable: returning'],
    'log: the version of the server from before is started',
  ]);
  assert.deepEqual([folder.read().current, own.outcome()?.by], ['1.4.0', 'owner@store.test']);
  const { last, work, back } = own.state(WHO);
  assert.deepEqual([last?.status, work, back], ['done', { step: 'starting', done_bytes: 0, total_bytes: 0 }, null]);
  t.mock.timers.tick(299);
  assert.deepEqual(heard(), []);
  t.mock.timers.tick(1);
  assert.deepEqual(heard(), ['relaunch']);
  record({ restored: true });
  assert.equal(own.state(WHO).last?.restored, 1);
  folder.write({ ...folder.read(), current: '2.0.0', previous: '1.4.0' });
  const alone = new OwnUpdateService({ ...deps, relaunch: undefined } as unknown as ConstructorParameters<
    typeof OwnUpdateService
  >[0]);
  assert.equal(alone.state(WHO).back, null, 'nobody would start it');
});
