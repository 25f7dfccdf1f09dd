import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openDatabase } from '../../db/open.ts';
import { addDevice } from '../reports/testing/plays.ts';
import { MembersStore } from './members.store.ts';
import { OrganizationMembersStore } from './organization-members.store.ts';
import {
  addUsers,
  anyAge,
  anyBelonging,
  anyOrganization,
  belongs,
  build,
  by,
  inOrder,
  ORGANIZATIONS,
  organizationOf,
  roleIn,
  roleOf,
  tokensOf,
  USERS,
  WORKSPACES,
} from './testing/belonging.ts';
import { TokensStore } from './tokens.store.ts';
import { WorkspacesStore } from './workspaces.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const workspaces = new WorkspacesStore(db);
const members = new MembersStore(db);
const people = new OrganizationMembersStore(db);
const tokens = new TokensStore(db);

addUsers(db);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

test('listFor returns the workspaces of a person by membership or organization, sorted by name', () => {
  fc.assert(
    fc.property(anyBelonging, fc.boolean(), anyOrganization, (made, staff, within) => {
      build(db, made);
      for (const { id: user } of USERS) {
        const open = WORKSPACES.filter(
          (id) =>
            (staff || roleIn(made, id, user) !== null || roleOf(made, organizationOf(id), user) !== null) &&
            (within === null || organizationOf(id) === within),
        );
        assert.deepEqual(ids(workspaces.listFor(user, { staff, within })), inOrder(made, open));
        for (const id of WORKSPACES)
          assert.deepEqual(workspaces.standing(user, { id, organization_id: organizationOf(id) }), {
            membership: roleIn(made, id, user),
            organizationRole: roleOf(made, organizationOf(id), user),
          });
      }
      for (const id of ORGANIZATIONS) {
        const own = WORKSPACES.filter((one) => organizationOf(one) === id);
        assert.deepEqual([workspaces.listOf(id).toSorted(), workspaces.countOf(id)], [own, own.length]);
      }
    }),
    { numRuns: 20 },
  );
});

test('members are listed per workspace, oldest first, and people are listed per organization, by name', () => {
  fc.assert(
    fc.property(anyBelonging, (made) => {
      build(db, made);
      for (const id of WORKSPACES) {
        const expected = made.members
          .filter((one) => one.workspace_id === id)
          .toSorted(
            by(
              (one) => one.created_at,
              (one) => one.user_id,
            ),
          );
        assert.deepEqual(
          members.list(id).map(({ user_id, role, created_at }) => [user_id, role, created_at]),
          expected.map(({ user_id, role, created_at }) => [user_id, role, created_at]),
        );
        for (const user of USERS) {
          const role = roleIn(made, id, user.id);
          const found = members.find(id, user.id);
          assert.deepEqual([found?.role, found?.email], role ? [role, user.email] : [undefined, undefined]);
          assert.deepEqual(members.findByEmail(id, user.email), found);
        }
      }
      for (const id of ORGANIZATIONS) {
        const expected = USERS.filter((user) => belongs(made, id, user.id))
          .toSorted(
            by(
              (user) => user.name.toLowerCase(),
              (user) => user.id,
            ),
          )
          .map(({ id: user_id, email, name }) => ({ user_id, email, name, role: roleOf(made, id, user_id) }));
        assert.deepEqual(people.list(id), expected);
        for (const user of USERS)
          assert.deepEqual(
            people.find(id, user.id),
            expected.find((one) => one.user_id === user.id),
          );
        assert.equal(people.countOwners(id), expected.filter(({ role }) => role === 'org_owner').length);
        assert.deepEqual([people.exists(id), people.exists('none')], [true, false]);
      }
    }),
    { numRuns: 20 },
  );
});

test('tokens are listed per workspace, oldest first, and valid tokens exclude revoked and expired tokens', () => {
  fc.assert(
    fc.property(anyBelonging, anyAge, anyOrganization, (made, now, within) => {
      build(db, made);
      const all = tokensOf(made);
      for (const id of WORKSPACES) {
        const expected = all
          .filter((token) => token.workspace_id === id)
          .toSorted(
            by(
              (token) => token.created_at,
              (token) => token.id,
            ),
          );
        assert.deepEqual(ids(tokens.list(id)), ids(expected));
        assert.equal(tokens.countLive(id), expected.filter(({ revoked_at }) => revoked_at === null).length);
        for (const token of all)
          assert.equal(tokens.find(id, token.id)?.id, token.workspace_id === id ? token.id : undefined);
      }
      for (const { id: user } of USERS) {
        const good = all.filter(
          (token) =>
            token.user_id === user &&
            token.revoked_at === null &&
            (token.expires_at === null || token.expires_at > now) &&
            (within === null || organizationOf(token.workspace_id) === within),
        );
        assert.deepEqual(ids(tokens.listLiveOf(user, within, now)).toSorted(), ids(good).toSorted());
      }
    }),
    { numRuns: 20 },
  );
});

/** Returns all rows of the database, by table. */
const everything = () =>
  Object.fromEntries(
    ['organizations', 'workspaces', 'organization_members', 'workspace_members', 'tokens'].map((table) => [
      table,
      db.raw.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all() as Record<string, unknown>[],
    ]),
  );
/** Returns the changed columns of rows. A deleted row is `gone`. */
const changedBy = (act: () => void) => {
  const before = everything();
  act();
  const now = everything();
  return Object.entries(before).flatMap(([table, rows]) => {
    const keyOf = ({ id, organization_id, workspace_id, user_id }: Record<string, unknown>) =>
      id ?? `${organization_id ?? workspace_id} ${user_id}`;
    return rows.flatMap((row) => {
      const after = now[table]!.find((one) => keyOf(one) === keyOf(row));
      if (!after) return [`${table} ${keyOf(row)} gone`];
      const changed = Object.keys(row).filter((name) => row[name] !== after[name]);
      return changed.map((name) => `${table} ${keyOf(row)} ${name} ${after[name]}`);
    });
  });
};

test('each write method of the stores changes only the rows that its arguments name', () => {
  const everybody = USERS.flatMap(({ id: user_id }) =>
    WORKSPACES.map((workspace_id) => ({ workspace_id, user_id, role: 'workspace_viewer' as const, created_at: 0 })),
  );
  build(db, {
    names: { o: 'O', p: 'P', o1: 'O1', o2: 'O2', p1: 'P1' },
    members: everybody,
    roles: ORGANIZATIONS.flatMap((organization_id) =>
      USERS.map(({ id: user_id }) => ({ organization_id, user_id, role: 'org_admin' as const })),
    ),
    tokens: [
      ...everybody.slice(0, 4).map(({ workspace_id, user_id }) => ({ workspace_id, user_id, revoked_at: null })),
      { workspace_id: 'o1' as const, user_id: 'u1' as const, revoked_at: 3 },
    ].map((token) => ({ ...token, created_at: 0, expires_at: null })),
  });
  for (const [id, workspace] of [
    ['c', 'o1'],
    ['d', 'p1'],
  ])
    db.raw
      .prepare(
        "INSERT INTO content (id, workspace_id, filename, mime_type, kind, created_at, updated_at) VALUES (?, ?, 'c', 'image/gif', 'image', 0, 0)",
      )
      .run(id, workspace);
  addDevice(db, 'o1', 'screen');
  assert.deepEqual(
    ['o1', 'o2', 'p1'].map((id) => workspaces.find(id)?.device_count),
    [1, 0, 0],
  );
  assert.deepEqual(
    [workspaces.hasContent('o1', 'c'), workspaces.hasContent('o1', 'd'), workspaces.hasContent('o2', 'c')],
    [true, false, false],
  );
  db.raw.exec(`
    INSERT INTO folders (id, workspace_id, name, created_at) VALUES ('f', 'o1', 'F', 0);
    INSERT INTO "groups" (id, workspace_id, name, created_at) VALUES ('g', 'o1', 'G', 0)`);
  const has = (what: 'folder' | 'group', id: string) => ['f', 'g'].map((one) => members.has(what, id, one)).join();
  assert.deepEqual(
    [has('folder', 'o1'), has('group', 'o1'), has('folder', 'o2'), has('group', 'p1')],
    ['true,false', 'false,true', 'false,false', 'false,false'],
  );
  const is = (act: () => void, ...expected: string[]) => assert.deepEqual(changedBy(act), expected);
  is(() => workspaces.rename('o1', 'X'), 'workspaces o1 name X');
  is(() => workspaces.setDefaultContent('o1', 'c'), 'workspaces o1 default_content_id c');
  is(() => workspaces.setLogo('o1', 'c'), 'workspaces o1 logo_content_id c');
  is(() => workspaces.setApproval('o1', 1), 'workspaces o1 approval 1');
  is(() => workspaces.renameOrganization('o', 'Y'), 'organizations o name Y');
  is(() => members.update('o1', 'u1', { role: 'workspace_editor' }), 'workspace_members o1 u1 role workspace_editor');
  is(() => members.revokeTokens('o1', 'u1', 7), 'tokens t05 revoked_at 7');
  is(() => tokens.revoke('t04', 7), 'tokens t04 revoked_at 7');
  is(() => people.setRole('o', 'u1', 'org_owner', 7), 'organization_members o u1 role org_owner');
  is(() => people.delete('o', 'u2'), 'organization_members o u2 gone');
  is(() => members.delete('o1', 'u2'), 'workspace_members o1 u2 gone');
  for (const workspace of ['o1', 'p1']) members.update(workspace, 'u3', { folder_ids: ['f', 'g', 'h'] });
  const left: string[] = [];
  is(
    () => left.push(`${members.forget('folder_ids', 'o1', ['g', 'x'])}`),
    'workspace_members o1 u3 folder_ids ["f","h"]',
  );
  is(() => left.push(`${members.forget('folder_ids', 'o1', ['g'])}`));
  is(() => left.push(`${members.forget('group_ids', 'o1', ['f'])}`));
  assert.deepEqual(left, ['true', 'false', 'false']);
  const goes = changedBy(() => workspaces.delete('o2'));
  assert.ok(goes.includes('workspaces o2 gone'));
  assert.ok(goes.every((one) => /\bo2\b|^tokens t04 gone/.test(one)));
  workspaces.insertOrganization({ id: 'q', name: 'Q', created_at: 4 }, 'u3');
  assert.deepEqual(people.list('q'), [{ user_id: 'u3', email: 'c@x', name: 'Ada', role: 'org_owner' }]);
  workspaces.deleteOrganization('o');
  assert.deepEqual(
    ['o', 'p', 'q'].map((id) => people.exists(id)),
    [false, true, true],
  );
  assert.deepEqual(ids(workspaces.listFor('none', { staff: true, within: null })), ['p1']);
});

test('setGone replaces the list of deleted workspaces that the sweeper still has to clean up', () => {
  assert.deepEqual(workspaces.gone(), []);
  for (const gone of [['a', 'b'], ['b']]) {
    workspaces.setGone(gone);
    assert.deepEqual(workspaces.gone(), gone);
  }
});
