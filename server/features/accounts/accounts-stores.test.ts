import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openDatabase } from '../../db/open.ts';
import type { PlatformRole } from '../../kernel/trust/actor.ts';
import { addDevice } from '../reports/testing/plays.ts';
import {
  addUsers,
  anyBelonging,
  anyOrganization,
  belongs,
  build,
  inOrder,
  ORGANIZATIONS,
  organizationOf,
  roleIn,
  roleOf,
  USERS,
  WORKSPACES,
} from '../workspaces/testing/belonging.ts';
import { IdentitiesStore } from './providers/identities.store.ts';
import { ActorStore } from './sign-in/actor.store.ts';
import { LimitsStore } from './sign-in/limits.store.ts';
import { SessionsStore } from './sign-in/sessions.store.ts';
import { TwoFactorStore } from './sign-in/two-factor.store.ts';
import { PasswordLinksStore } from './users/password-links.store.ts';
import { UsersStore } from './users/users.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const users = new UsersStore(db);
const actors = new ActorStore(db);
addUsers(db);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const anyRole = fc.constantFrom<PlatformRole>('user', 'platform_operator', 'platform_admin');

test('a user enters own workspaces, staff enter all, and a password set by an owner limits both to one organization', () => {
  fc.assert(
    fc.property(anyBelonging, anyRole, anyOrganization, (made, role, within) => {
      build(db, made);
      const isStaff = role !== 'user' && within === null;
      for (const { id } of USERS) {
        const whose = { id, role, password_organization_id: within };
        const open = WORKSPACES.filter(
          (one) =>
            (isStaff || roleIn(made, one, id) !== null || roleOf(made, organizationOf(one), id) !== null) &&
            (within === null || organizationOf(one) === within),
        );
        const places = actors.places(whose);
        assert.deepEqual(
          places.map((place) => [place.workspace_id, place.workspace_role, place.organization_role]),
          inOrder(made, open).map((one) => [one, roleIn(made, one, id), roleOf(made, organizationOf(one), id)]),
        );
        for (const one of [...WORKSPACES, 'none'])
          assert.deepEqual(
            actors.place(whose, one),
            places.find((place) => place.workspace_id === one),
          );
      }
    }),
    { numRuns: 20 },
  );
});

test('an administrator’s team list has all people of the organization, and an owner finds own organizations', () => {
  fc.assert(
    fc.property(anyBelonging, anyOrganization, (made, within) => {
      build(db, made);
      for (const { id } of USERS) {
        const leads = ORGANIZATIONS.filter(
          (organization) =>
            (within === null || organization === within) &&
            (roleOf(made, organization, id) !== null ||
              WORKSPACES.some(
                (one) => organizationOf(one) === organization && roleIn(made, one, id) === 'workspace_admin',
              )),
        );
        const team = USERS.filter((user) => user.id === id || leads.some((one) => belongs(made, one, user.id)));
        assert.deepEqual(ids(users.listTeams(id, within)), ids(team));
        const owned = ORGANIZATIONS.filter((one) => roleOf(made, one, id) === 'org_owner');
        assert.deepEqual(
          users.owned(id).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          owned.map((one) => ({
            id: one,
            name: made.names[one],
            others: USERS.filter((user) => user.id !== id && belongs(made, one, user.id)).length,
          })),
        );
        for (const other of USERS)
          assert.deepEqual(
            users.ownedTeamsOf(id, other.id),
            owned.filter((one) => belongs(made, one, other.id)),
          );
      }
      assert.deepEqual(
        users
          .list()
          .map(({ row, workspace_count, workspace_id, workspace_name, organization_name }) =>
            workspace_count === 1
              ? [row.id, 1, workspace_id, workspace_name, organization_name]
              : [row.id, workspace_count],
          ),
        USERS.map(({ id }) => {
          const [one, ...more] = WORKSPACES.filter((workspace) => roleIn(made, workspace, id) !== null);
          if (!one || more.length > 0) return [id, one ? 1 + more.length : 0];
          return [id, 1, one, made.names[one], made.names[organizationOf(one) as 'o']];
        }),
      );
    }),
    { numRuns: 20 },
  );
});

const NOBODY = { names: { o: 'O', p: 'P', o1: 'O1', o2: 'O2', p1: 'P1' }, members: [], roles: [], tokens: [] };
const inside = (rows: string) => db.raw.prepare(`SELECT * FROM ${rows}`).raw().all();

test('an account is found by its address in any spelling, and a change affects only that account', () => {
  build(db, NOBODY);
  assert.equal(users.any(), true);
  assert.deepEqual([users.find('u1')?.email, users.find('none')], ['b@x', undefined]);
  assert.deepEqual(
    ['a@x', 'none@x', 'no address'].map((email) => users.findByEmail(email)?.id),
    ['u2', undefined, undefined],
  );
  for (const [id, email] of [
    ['old', 'anna@bücher.test'],
    ['new', 'zoe@xn--bcher-kva.test'],
  ] as const)
    users.insert({ id, email, name: id, plan_id: '', created_at: -1 });
  assert.equal(users.findByEmail('anna@bücher.test')?.id, 'old', 'as it has been spelt');
  assert.equal(users.findByEmail('zoe@bücher.test')?.id, 'new');
  assert.deepEqual(ids(users.list().map(({ row }) => row)).slice(0, 2), ['new', 'old'], 'the oldest first');
  for (const id of ['old', 'new']) users.delete(id);
  assert.deepEqual(ids(users.list().map(({ row }) => row)), ['u1', 'u2', 'u3']);

  users.update('u1', { role: 'platform_admin', language: 'de' });
  users.update('u2', { role: 'platform_admin', email_alerts: 0 });
  assert.deepEqual(users.alertedAdmins(), [{ email: 'b@x', language: 'de' }]);
  assert.deepEqual([users.organizationName('p'), users.organizationName('none')], ['P', undefined]);
});

test('a new password invalidates the previous one and its links', () => {
  const links = new PasswordLinksStore(db);
  const link = (hash: string, user_id: string) =>
    links.replace({ hash, user_id, made_by: 'u3', expires_at: 5, created_at: 0 });
  const left = () => inside('password_links ORDER BY hash').map((row) => (row as unknown[])[0]);
  users.update('u1', { password_hash: 'one' });
  const is = (hash: string | null) => [users.passwordIsStill('u1', hash), users.passwordIsStill('u2', hash)];
  assert.deepEqual(
    [is('one'), is('two'), is(null)],
    [
      [true, false],
      [false, false],
      [false, true],
    ],
  );
  link('a', 'u1');
  link('b', 'u2');
  link('c', 'u2');
  assert.deepEqual(left(), ['a', 'c'], 'one of a person');
  assert.deepEqual([links.find('a')?.user_id, links.find('b')], ['u1', undefined]);
  users.update('u1', { name: 'Bea' });
  assert.deepEqual(left(), ['a', 'c'], 'while the password is the same');
  users.update('u1', { password_hash: null });
  assert.deepEqual(left(), ['c']);
});

test('an e-mail link belongs to one person and is valid until its expiry time', () => {
  for (const [hash, user_id] of [
    ['a', 'u1'],
    ['b', 'u2'],
  ] as const)
    users.addEmailToken({ hash, user_id, expires_at: 5 });
  assert.deepEqual([users.findEmailToken('a')?.user_id, users.findEmailToken('c')], ['u1', undefined]);
  assert.deepEqual([users.hasEmailToken('u1', 4), users.hasEmailToken('u1', 5)], [true, false]);
  assert.equal(users.hasEmailToken('u3', 4), false);
  users.deleteEmailTokens('u1');
  assert.deepEqual([users.hasEmailToken('u1', 4), users.hasEmailToken('u2', 4)], [false, true]);
});

test('one session, all sessions of a user except one, or all expired sessions are deleted', () => {
  build(db, NOBODY);
  const sessions = new SessionsStore(db);
  for (const [hash, user_id, expires_at] of [
    ['a', 'u1', 5],
    ['b', 'u1', 6],
    ['c', 'u1', 7],
    ['d', 'u2', 7],
    ['e', 'u3', 4],
  ] as const)
    sessions.insert({ hash, user_id, workspace_id: 'o1', expires_at, created_at: 1 });
  const left = () => ['a', 'b', 'c', 'd', 'e'].filter((hash) => sessions.find(hash)?.hash === hash).join('');
  actors.slideSession('a', 9);
  assert.deepEqual(
    ['a', 'b'].map((hash) => actors.session(hash)?.expires_at),
    [9, 6],
  );
  const { email, name, workspace_id, kind } = actors.session('d')!;
  assert.deepEqual([email, name, workspace_id, kind], ['a@x', 'Bea', 'o1', 'session']);
  assert.equal(actors.session('none'), undefined);
  sessions.deleteExpired(3);
  assert.equal(left(), 'abcde');
  sessions.deleteExpired(6);
  assert.equal(left(), 'acd');
  sessions.delete('none');
  sessions.deleteOf('u1', 'c');
  assert.equal(left(), 'cd', 'but the one to keep');
  sessions.deleteOf('u1');
  assert.equal(left(), 'd');
  sessions.delete('d');
  assert.equal(left(), '');
});

test('a token is found by its hash, and its use is recorded for that token only', () => {
  const token = { workspace_id: 'o1', user_id: 'u1', created_at: 0, expires_at: 3, revoked_at: 4 } as const;
  build(db, { ...NOBODY, tokens: [token, { ...token, user_id: 'u2' }] });
  const { id, email, expires_at, revoked_at } = actors.token('h0')!;
  assert.deepEqual([id, email, expires_at, revoked_at, actors.token('h2')], ['t02', 'b@x', 3, 4, undefined]);
  actors.tokenUsed('t02', 7);
  assert.deepEqual(inside('(SELECT id, last_used_at FROM tokens ORDER BY id)'), [
    ['t01', null],
    ['t02', 7],
  ]);
  addDevice(db, 'o1', 'screen');
  assert.deepEqual(
    actors.places({ id: 'u1', role: 'platform_admin', password_organization_id: null }).map((one) => one.device_count),
    [1, 0, 0],
  );
});

test('a recovery code is valid once, for its user only', () => {
  const codes = new TwoFactorStore(db);
  codes.replace('u1', ['a', 'b']);
  codes.replace('u2', ['c']);
  assert.deepEqual([codes.use('u2', 'a', 1), codes.use('u1', 'a', 1), codes.use('u1', 'a', 2)], [false, true, false]);
  const left = () => ['u1', 'u2'].map((id) => codes.countUnused(id));
  assert.deepEqual(left(), [1, 1]);
  codes.replace('u1', ['d', 'e']);
  assert.deepEqual([left(), codes.use('u1', 'b', 3)], [[2, 1], false], 'others are in their place');
  codes.replace('u1', []);
  assert.deepEqual(left(), [0, 1]);
});

test('an account is bound to one user id at a provider, and a used token is refused until it expires', () => {
  const identities = new IdentitiesStore(db);
  for (const [user_id, issuer, subject] of [
    ['u1', 'i', 's1'],
    ['u1', 'j', 's2'],
    ['u2', 'i', 's3'],
  ] as const)
    identities.insert({ user_id, issuer, subject, created_at: 0 });
  const known = () => ['u1', 'u2', 'u3'].map((id) => [identities.subject(id, 'i'), identities.subject(id, 'j')]);
  const none = [undefined, undefined];
  assert.deepEqual(known(), [['s1', 's2'], ['s3', undefined], none]);
  assert.deepEqual([identities.deleteOf('u1'), identities.deleteOf('u1')], [2, 0]);
  assert.deepEqual(known(), [none, ['s3', undefined], none]);
  const take = (expiresAt: number) => [identities.consumeToken('a', expiresAt), identities.consumeToken('b', 9)];
  assert.deepEqual(
    [take(5), take(5)],
    [
      [true, true],
      [false, false],
    ],
  );
  identities.forgetExpired(4);
  assert.deepEqual(take(5), [false, false]);
  identities.forgetExpired(5);
  assert.deepEqual(take(5), [true, false]);
});

test('a rate limit counter ends at its stored time, but never later than one full period from now', () => {
  const limits = new LimitsStore(db);
  for (let n = 0; n < 2; n++) limits.bump('key', 100, 1_000);
  const at = (now: number) => {
    const row = limits.current('key', now, 900);
    return row && [row.count, row.resets_at, row.isAhead];
  };
  assert.deepEqual(
    [at(100), at(99), at(999), at(1_000)],
    [[2, 1_000, false], [2, 999, true], [2, 1_000, false], undefined],
  );
  assert.equal(limits.current('none', 100, 900), undefined);
  limits.setEnd('key', 500);
  limits.bump('other', 100, 600);
  assert.deepEqual([at(499)?.[1], at(500)], [500, undefined]);
  limits.bump('key', 500, 1_400);
  assert.deepEqual(at(500), [1, 1_400, false], 'begun anew');
  limits.deletePast(599);
  assert.equal(limits.find('other')?.count, 1);
  limits.deletePast(600);
  assert.deepEqual([limits.find('other'), at(500)?.[0]], [undefined, 1]);
  limits.delete('key');
  assert.equal(limits.find('key'), undefined);
});
