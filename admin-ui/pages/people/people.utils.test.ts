import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteLink, passwordToTell, pathsOf, rightsInWords } from './people.utils.ts';

test('generated password is three groups of four characters without look-alikes', () => {
  const made = passwordToTell(new Uint8Array([0, 1, 30, 31, 255, 100, 7, 8, 9, 10, 11, 12, 13]));
  assert.match(made, /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
  assert.equal(made.slice(0, 4), 'ab9a');
});

test('link of an invite equals the link in the invite mail', () => {
  assert.equal(inviteLink('http://shop:8710', 'x1'), 'http://shop:8710/#/invite/x1');
});

test('folders are named and sorted by their paths', () => {
  const folder = (id: string, name: string, parent_id: string | null) => {
    return { id, name, parent_id, workspace_id: 'w', created_at: 0 };
  };
  const folders = [folder('c', 'Rolls', 'a'), folder('b', 'Drinks', null), folder('a', 'Bread', null)];
  assert.deepEqual(
    pathsOf(folders).map(({ name }) => name),
    ['Bread', 'Bread / Rolls', 'Drinks'],
  );
  const round = [folder('a', 'Egg', 'b'), folder('b', 'Hen', 'a')];
  assert.equal(pathsOf(round).length, 2, 'what goes round in a ring ends');
});

test('only limits of rights are described, and an empty list means none, not all', () => {
  const names = {
    folders: [{ id: 'f1', name: 'Bread' }],
    groups: ['Bakery', 'Window', 'Till', 'Door'].map((name) => ({ id: name, name })),
  };
  const say = (rights: Partial<Parameters<typeof rightsInWords>[0]>) =>
    rightsInWords(
      {
        role: 'workspace_editor',
        duty: 'all',
        folder_ids: null,
        group_ids: null,
        approves: false,
        regions: null,
        ...rights,
      },
      names,
    );
  assert.deepEqual(say({}), []);
  assert.deepEqual(say({ folder_ids: ['f1'], approves: true }), [
    { say: 'folders', names: ['Bread'], more: 0 },
    { say: 'approves' },
  ]);
  assert.deepEqual(say({ group_ids: ['Bakery', 'Window', 'Till', 'Door'] }), [
    { say: 'groups', names: ['Bakery', 'Window', 'Till'], more: 1 },
  ]);
  const north = { region: 'North', role: 'workspace_viewer' } as const;
  assert.deepEqual(say({ regions: [north] }), [{ say: 'regions', names: ['North'], more: 0 }]);
  assert.deepEqual(say({ regions: [], approves: true, role: 'workspace_viewer' }), [{ say: 'noRegions' }]);
  assert.deepEqual(say({ folder_ids: [], group_ids: [] }), [{ say: 'noFolders' }, { say: 'noGroups' }]);
  assert.deepEqual(
    say({ duty: 'upload', group_ids: ['Bakery'], approves: true }),
    [{ say: 'upload' }],
    'who only uploads changes no screen anyway',
  );
});
