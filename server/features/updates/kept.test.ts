/** Tests of the SQL for releases and rollouts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { UpdatesStore } from './updates.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());

test('releases are listed newest first, files by name, without missing files and signatures of unknown publishers', () => {
  const store = new UpdatesStore(db);
  for (const [id, version, created_at] of [
    ['a', '1.0.0', 5],
    ['c', '1.2.0', 6],
    ['b', '1.1.0', 6],
  ] as const)
    put(db, 'releases', { id, version, created_at });
  assert.deepEqual(
    store.listReleases().map(({ id }) => id),
    ['c', 'b', 'a'],
  );
  assert.deepEqual([store.findRelease('b')?.version, store.findVersion('1.1.0')?.id], ['1.1.0', 'b']);
  assert.deepEqual([store.findRelease('x'), store.findVersion('9')], [undefined, undefined]);
  const file = (name: string, more: object = {}) => ({
    ...{ name, platform: 'linux', arch: 'x64', kind: 'tar.gz' as const, size: 1, sha256: `sha ${name}`, sha512: '' },
    ...{ signature: `signed ${name}` },
    ...more,
  });
  for (const name of ['z', 'y']) store.putFile('a', file(name) as Parameters<UpdatesStore['putFile']>[1]);
  store.putFile('b', file('z', { sha256: 'another' }) as Parameters<UpdatesStore['putFile']>[1]);
  store.putFile('a', file('z', { size: 2 }) as Parameters<UpdatesStore['putFile']>[1]);
  const names = (release: string) => store.files(release).map(({ name, size, signature }) => [name, size, signature]);
  assert.deepEqual(names('a'), [
    ['y', 1, 'signed y'],
    ['z', 2, 'signed z'],
  ]);
  assert.deepEqual(
    [store.findFile('b', 'z')?.sha256, store.findFile('b', 'y'), store.findFile('a', 'z')?.size],
    ['another', undefined, 2],
  );
  store.hide({ files: ['sha y', 'another'], signatures: ['signed z'] });
  assert.deepEqual([names('a'), names('b'), store.findFile('b', 'z')], [[['z', 2, null]], [], undefined]);
  assert.deepEqual([store.named().length, store.hashes().sort()], [3, ['another', 'sha y', 'sha z']]);
  store.show('sha y');
  assert.deepEqual(names('a')[0], ['y', 1, 'signed y']);
  store.deleteRelease('a');
  assert.deepEqual([store.listReleases().length, store.hashes()], [2, ['another']]);
});

test('the newest unfinished rollout counts as open, screens have separate states, and a retry resets failed screens', () => {
  const store = new UpdatesStore(db);
  for (const [id, status, created_at] of [
    ['r1', 'done', 5],
    ['r2', 'paused', 5],
    ['r3', 'aborted', 6],
  ] as const)
    put(db, 'rollouts', { id, status, created_at, release_id: 'b', group_ids: '[]' });
  assert.deepEqual(
    store.listRollouts().map(({ id }) => id),
    ['r3', 'r2', 'r1'],
  );
  assert.deepEqual(
    [store.openRollout()?.id, store.findRollout('r1')?.status, store.findRollout('x')],
    ['r2', 'done', undefined],
  );
  store.updateRollout('r2', { status: 'stopped' });
  assert.deepEqual([store.findRollout('r2')!.status, store.findRollout('r3')!.status], ['stopped', 'aborted']);
  store.updateRollout('r2', { status: 'done' });
  assert.equal(store.openRollout(), undefined);

  for (const workspace of ['w', 'v']) addWorkspace(db, workspace);
  for (const [id, workspace, name] of [
    ['d2', 'w', 'Same'],
    ['d1', 'v', 'Same'],
    ['d3', 'w', 'Another'],
  ] as const)
    addDevice(db, workspace, id, { name });
  assert.deepEqual(
    store.screens().map(({ id }) => id),
    ['d3', 'd1', 'd2'],
  );
  const rows = [
    ['r1', 'd1', 'failed'],
    ['r1', 'd2', 'healthy'],
    ['r1', 'd3', 'unsupported'],
    ['r2', 'd1', 'failed'],
  ] as const;
  for (const [rollout_id, device_id, status] of rows) put(db, 'rollout_devices', { rollout_id, device_id, status });
  store.putDevice({ ...store.deviceOf('r1', 'd2')!, status: 'failed' });
  assert.deepEqual(
    store
      .devicesOf('r1')
      .map(({ device_id, status }) => `${device_id} ${status}`)
      .sort(),
    ['d1 failed', 'd2 failed', 'd3 unsupported'],
  );
  store.putDevice({ ...store.deviceOf('r1', 'd2')!, status: 'healthy' });
  assert.deepEqual([store.deviceOf('r2', 'd1')?.status, store.deviceOf('r2', 'd2')], ['failed', undefined]);
  store.retry('r1');
  assert.deepEqual(
    [store.devicesOf('r1').map(({ device_id }) => device_id), store.devicesOf('r2').length],
    [['d2'], 1],
  );
  put(db, 'groups', { id: 'g', workspace_id: 'w' });
  put(db, 'groups', { id: 'h', workspace_id: 'w' });
  put(db, 'group_members', { group_id: 'g', device_id: 'd2' });
  put(db, 'group_members', { group_id: 'h', device_id: 'd3' });
  assert.deepEqual([store.groups(['g', 'd2']), [...store.members(['g'])], store.members([]).size], [['g'], ['d2'], 0]);
  db.raw.exec("UPDATE devices SET version = '1.0.0', platform = 'linux' WHERE id <> 'd1'");
  assert.deepEqual([...store.screensByVersion()].sort(), [
    ['', 1],
    ['1.0.0', 2],
  ]);
  assert.deepEqual(store.screensByPlatform().sort(), ['', 'linux']);
});
