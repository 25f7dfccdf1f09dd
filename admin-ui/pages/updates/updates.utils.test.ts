import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hasForScreens, inSendingOrder, isOpen, machinesOf, stageState } from './updates.utils.ts';

test('stages before the present one are done and later ones wait', () => {
  const rollout: Parameters<typeof stageState>[0] = { stage: 'groups', status: 'running', group_ids: ['g'] };
  assert.deepEqual(
    [stageState(rollout, 'first'), stageState(rollout, 'groups'), stageState(rollout, 'everyone')],
    ['done', 'now', 'later'],
  );
  assert.equal(stageState({ ...rollout, group_ids: [], stage: 'everyone' }, 'groups'), 'none');
  assert.equal(stageState({ ...rollout, status: 'done', stage: 'everyone' }, 'everyone'), 'done');
});

test('stopped rollout blocks the next rollout, and an ended rollout does not', () => {
  assert.deepEqual(
    (['running', 'paused', 'stopped', 'done', 'aborted'] as const).map((status) => isOpen({ status })),
    [true, true, true, false, false],
  );
});

test('platforms of a release are named once, and file sizes are added', () => {
  const file = (platform: 'linux' | 'win', kind: 'AppImage' | 'deb' | 'zip') =>
    ({ platform, arch: 'x64', kind, name: kind, size: 5, sha256: '', sha512: '', signature: null }) as const;
  const files = [file('linux', 'AppImage'), file('linux', 'deb'), file('win', 'zip')];
  assert.deepEqual(machinesOf(files), ['linux x64', 'win x64']);
  assert.equal(bytesOf({ files }), 15);
});

test('signatures are sent after their files, in whatever order they were chosen', () => {
  const names = ['b.zip.sig', 'Vitrine-1.0.0-notes.json', 'a.zip', 'a.zip.sig', 'b.zip'];
  assert.deepEqual(
    inSendingOrder(names.map((name) => ({ name }))).map(({ name }) => name),
    ['a.zip', 'b.zip', 'b.zip.sig', 'Vitrine-1.0.0-notes.json', 'a.zip.sig'],
  );
});

test('release can go to screens once a file for screens is signed', () => {
  const file = (name: string, kind: 'zip' | 'exe', signature: string | null) =>
    ({ name, platform: 'win', kind, signature }) as const;
  const [zip, exe] = ['Vitrine-1.0.0-win-x64.zip', 'Vitrine-1.0.0-win-x64.exe'];
  assert.equal(
    hasForScreens([
      file(zip, 'zip', null),
      file(exe, 'exe', 'ab'),
      file('Vitrine-server-1.0.0-win-x64.zip', 'zip', 'ab'),
    ]),
    false,
  );
  assert.equal(hasForScreens([file(exe, 'exe', 'ab'), file(zip, 'zip', 'ab')]), true);
});
