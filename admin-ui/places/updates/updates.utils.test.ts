import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, isOpen, machinesOf, stageState } from './updates.utils.ts';

test('stages before the present one are done, later ones wait, and without groups there is none of them', () => {
  const rollout: Parameters<typeof stageState>[0] = { stage: 'groups', status: 'running', group_ids: ['g'] };
  assert.deepEqual([stageState(rollout, 'first'), stageState(rollout, 'groups'), stageState(rollout, 'everyone')], ['done', 'now', 'later']);
  assert.equal(stageState({ ...rollout, group_ids: [], stage: 'everyone' }, 'groups'), 'none');
  assert.equal(stageState({ ...rollout, status: 'done', stage: 'everyone' }, 'everyone'), 'done');
});

test('what was stopped keeps the next one from beginning, what has ended does not', () => {
  assert.deepEqual(
    (['running', 'paused', 'stopped', 'done', 'aborted'] as const).map((status) => isOpen({ status })),
    [true, true, true, false, false],
  );
});

test('machines are named once, sizes are added', () => {
  const file = (platform: 'linux' | 'win', kind: string) => ({ platform, arch: 'x64', kind, name: kind, size: 5, sha256: '', sha512: '' }) as const;
  const files = [file('linux', 'AppImage'), file('linux', 'deb'), file('win', 'zip')];
  assert.deepEqual(machinesOf(files), ['linux x64', 'win x64']);
  assert.equal(bytesOf({ files }), 15);
});
