/**
 * Tests that everything that was revoked or removed after a backup stays revoked or removed when the backup is
 * restored. All other data comes back.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { type Site, startSite, tempFolder } from '../../../test/harness.ts';
import { colleague, login, must, PASSWORD, type Person, person } from '../../../test/people.ts';
import { pairPlayer, reconnect } from '../../../test/player-client.ts';
import { until } from '../../../test/until.ts';
import { resetPasswordOf } from '../../compose/cli.ts';
import { restoreBackup } from '../backup/restore.ts';

interface Store {
  readonly data: string;
  site: Site;
  readonly owner: Person;
  as(who: Person, method: string, path: string, body?: unknown): ReturnType<Site['call']>;
}

const open = async (t: TestContext): Promise<Store> => {
  const data = tempFolder(t);
  const site = await startSite(t, { data });
  const store: Store = {
    data,
    site,
    owner: await person(site, 'owner@store.test'),
    as: (who, method, path, body) => store.site.call(method, path, { token: who.token, body }),
  };
  return store;
};

const backUp = async (store: Store): Promise<string> =>
  join(
    store.data,
    'backups',
    must(await store.as(store.owner, 'POST', '/api/server/backups', { complete: true }), 201).name,
  );

/** Restores the backup like `vitrine restore`, and starts the server. */
let restores = 0;
const restore = async (t: TestContext, store: Store, file: string, data = store.data): Promise<void> => {
  await store.site.app.stop();
  // Moves the time by a second, because the folder for the previous files is named after the second of the restore.
  restoreBackup({ file, data, now: Date.now() + 1000 * restores++ });
  store.site = await startSite(t, { data });
};

/** Waits until a line is in the log, which is written asynchronously. */
const logged = (store: Store, words: RegExp): Promise<true> =>
  until(`${words} in the log`, 10_000, async () => {
    const { log } = must(await store.as(store.owner, 'GET', '/api/server/status'));
    return log.some(({ message }: { message: string }) => words.test(message));
  });

const statusOf = async (store: Store, who: Person | string): Promise<number> =>
  (await store.site.call('GET', '/api/devices', { token: typeof who === 'string' ? who : who.token })).status;
const tokenOf = async (store: Store, who: Person, name: string): Promise<{ id: string; token: string }> =>
  must(await store.as(who, 'POST', '/api/tokens', { name, scope: 'read' }), 201);

test('credentials, people, roles and screens that are revoked after a backup stay revoked when it is restored', async (t) => {
  const store = await open(t);
  const { owner, as } = store;
  const [removed, member, lowered, staying, staff, gone] = await Promise.all([
    colleague(store.site, owner, 'removed@store.test', 'workspace_editor'),
    colleague(store.site, owner, 'member@store.test', 'workspace_admin'),
    colleague(store.site, owner, 'lowered@store.test', 'workspace_admin'),
    colleague(store.site, owner, 'staying@store.test', 'workspace_editor'),
    person(store.site, 'staff@store.test'),
    person(store.site, 'gone@store.test'),
  ]);
  must(await as(owner, 'PUT', `/api/auth/users/${staff.id}/role`, { role: 'platform_admin' }));
  const [revoked, kept, ofMember] = [
    await tokenOf(store, owner, 'revoked'),
    await tokenOf(store, owner, 'kept'),
    await tokenOf(store, member, 'of a member'),
  ];
  const [goneScreen, keptScreen] = [
    await pairPlayer(t, store.site, owner.token),
    await pairPlayer(t, store.site, owner.token),
  ];
  const invite = async (email: string) =>
    must(
      await as(owner, 'POST', `/api/workspaces/${owner.workspaceId}/invites`, { email, role: 'workspace_viewer' }),
      201,
    );
  const [goneInvite, keptInvite] = [await invite('x@store.test'), await invite('y@store.test')];
  const other = must(await login(store.site, owner.email)).token as string;
  const file = await backUp(store);

  must(await as(owner, 'DELETE', `/api/tokens/${revoked.id}`));
  must(await as(owner, 'DELETE', `/api/auth/users/${removed.id}`));
  must(await as(owner, 'DELETE', `/api/auth/users/${gone.id}`));
  must(await as(owner, 'DELETE', `/api/workspaces/${owner.workspaceId}/members/${member.id}`));
  must(
    await as(owner, 'PUT', `/api/workspaces/${owner.workspaceId}/members/${lowered.id}`, { role: 'workspace_viewer' }),
  );
  must(await as(owner, 'PUT', `/api/auth/users/${staff.id}/role`, { role: 'user' }));
  must(await as(owner, 'DELETE', `/api/devices/${goneScreen.deviceId}`));
  must(await as(owner, 'DELETE', `/api/workspaces/${owner.workspaceId}/invites/${goneInvite.id}`));
  must(await store.site.call('POST', '/api/auth/logout', { token: other }));
  await restore(t, store, file);

  for (const [what, token] of Object.entries({
    revoked: revoked.token,
    'of the member': ofMember.token,
    'a session of the removed': removed.token,
    'of the gone': gone.token,
    'signed out': other,
  }))
    assert.equal(await statusOf(store, token), 401, what);
  for (const email of ['removed@store.test', 'gone@store.test'])
    assert.equal((await login(store.site, email)).status, 401, email);
  assert.equal(must(await login(store.site, 'member@store.test')).current_workspace_id, null);
  const me = must(await as(lowered, 'GET', '/api/auth/me'));
  assert.equal(me.current_workspace_role, 'workspace_viewer');
  assert.equal((await as(staff, 'GET', '/api/server/status')).status, 403);
  assert.deepEqual(
    must(await as(owner, 'GET', `/api/workspaces/${owner.workspaceId}/invites`)).map(({ id }: { id: string }) => id),
    [keptInvite.id],
  );
  const refused = await reconnect(t, store.site, goneScreen).then(
    () => 'welcome',
    () => 'refused',
  );
  assert.equal(refused, 'refused');

  assert.equal(await statusOf(store, owner), 200, 'a session from before');
  assert.equal(await statusOf(store, staying), 200);
  assert.equal(await statusOf(store, kept.token), 200);
  await reconnect(t, store.site, keptScreen);
  const log = must(await as(owner, 'GET', '/api/activity')).find(
    ({ action }: { action: string }) => action === 'server.revoked_again',
  );
  assert.match(log.details, /revoked/);
  for (const name of ['removed@store.test', 'member@store.test', 'lowered@store.test', 'x@store.test'])
    assert.ok(log.details.includes(name), name);
  assert.doesNotMatch(log.details, /staying|kept/);
  await logged(store, /The database is older than \d+ revocations/);
});

test('restore of the same backup twice, and then of a newer backup, restores nothing that was revoked', async (t) => {
  const store = await open(t);
  const [one, two] = [await tokenOf(store, store.owner, 'one'), await tokenOf(store, store.owner, 'two')];
  const older = await backUp(store);
  must(await store.as(store.owner, 'DELETE', `/api/tokens/${one.id}`));
  const newer = await backUp(store);
  must(await store.as(store.owner, 'DELETE', `/api/tokens/${two.id}`));
  for (const file of [older, older, newer, older]) {
    await restore(t, store, file);
    assert.deepEqual([await statusOf(store, one.token), await statusOf(store, two.token)], [401, 401], file);
  }
});

test('cancelled revocation no longer applies after a restore, and a workspace deleted by mistake comes back', async (t) => {
  const store = await open(t);
  const { owner, as } = store;
  const member = await colleague(store.site, owner, 'member@store.test', 'workspace_editor');
  const branch = must(await as(owner, 'POST', '/api/workspaces', { name: 'Branch' }), 201);
  const there = must(await as(owner, 'POST', '/api/auth/switch-workspace', { workspace_id: branch.id }))
    .token as string;
  const token = must(
    await store.site.call('POST', '/api/tokens', { token: there, body: { name: 'till', scope: 'read' } }),
    201,
  ).token as string;
  const screen = await pairPlayer(t, store.site, there);
  const file = await backUp(store);
  must(
    await as(owner, 'PUT', `/api/workspaces/${owner.workspaceId}/members/${member.id}`, { role: 'workspace_viewer' }),
  );
  must(await as(owner, 'DELETE', `/api/workspaces/${owner.workspaceId}/members/${member.id}`));
  const invite = must(
    await as(owner, 'POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      email: member.email,
      role: 'workspace_editor',
    }),
    201,
  );
  must(await as(member, 'POST', `/api/auth/accept-invite/${invite.id}`));
  must(await as(owner, 'DELETE', `/api/workspaces/${branch.id}`));
  assert.equal(await statusOf(store, token), 401);
  await restore(t, store, file);
  const again = must(await login(store.site, member.email));
  assert.equal(again.current_workspace_id, owner.workspaceId);
  assert.equal(
    must(await store.site.call('GET', '/api/auth/me', { token: again.token })).current_workspace_role,
    'workspace_editor',
  );
  assert.equal(await statusOf(store, token), 200);
  await reconnect(t, store.site, screen);
});

test('password from before an administrator’s reset stays invalid, but a password changed by its owner comes back', async (t) => {
  const store = await open(t);
  const { owner, as } = store;
  const [reset, chosen, byCommand, own] = await Promise.all(
    ['reset', 'chosen', 'command', 'own'].map((name) => person(store.site, `${name}@store.test`)),
  );
  const file = await backUp(store);
  for (const one of [reset!, chosen!])
    must(await as(owner, 'PUT', `/api/auth/users/${one.id}/password`, { password: 'battery staple' }));
  const session = { ...chosen!, token: must(await login(store.site, chosen!.email, 'battery staple')).token };
  must(await as(session, 'PUT', '/api/auth/me', { password: 'a horse of mine', current_password: 'battery staple' }));
  const told = await resetPasswordOf({
    file: join(store.data, 'vitrine.db'),
    email: byCommand!.email,
    removeTwoFactor: false,
  });
  must(await as(own!, 'PUT', '/api/auth/me', { password: 'a horse of mine', current_password: PASSWORD }));
  await restore(t, store, file);
  const opens: [Person, string, number][] = [
    [reset!, PASSWORD, 401],
    [reset!, 'battery staple', 200],
    [chosen!, PASSWORD, 401],
    [chosen!, 'battery staple', 401],
    [chosen!, 'a horse of mine', 200],
    [byCommand!, PASSWORD, 401],
    [byCommand!, (told as { password: string }).password, 200],
    [own!, PASSWORD, 200],
    [own!, 'a horse of mine', 401],
  ];
  for (const [who, password, status] of opens)
    assert.equal((await login(store.site, who.email, password)).status, status, `${who.email}: ${password}`);
  for (const one of [reset!, chosen!, byCommand!])
    assert.equal(await statusOf(store, one), 401, 'the sessions from before it');
});

test('used recovery codes and links stay used after a restore, and released identity bindings stay released', async (t) => {
  const store = await open(t);
  const { raw } = store.site.app.db;
  const { id } = store.owner;
  raw.prepare('INSERT INTO recovery_codes (hash, user_id) VALUES (?, ?), (?, ?)').run('used', id, 'unused', id);
  raw
    .prepare(
      "INSERT INTO identities (user_id, issuer, subject, created_at) VALUES (?, 'https://a.test', 'old', 1), (?, 'https://b.test', 'same', 1)",
    )
    .run(id, id);
  raw
    .prepare(
      "INSERT INTO email_tokens (hash, user_id, expires_at) VALUES ('clicked', ?, unixepoch() + 900), ('waiting', ?, unixepoch() + 900)",
    )
    .run(id, id);
  raw
    .prepare(
      "INSERT INTO password_links (hash, user_id, made_by, expires_at, created_at) VALUES ('spent', ?, '', unixepoch() + 900, 1), ('open', ?, '', unixepoch() + 900, 1)",
    )
    .run(id, id);
  const file = await backUp(store);
  raw.exec("DELETE FROM password_links WHERE hash = 'spent'");
  raw.exec(
    "UPDATE recovery_codes SET used_at = 1 WHERE hash = 'used'; DELETE FROM identities; DELETE FROM email_tokens WHERE hash = 'clicked'",
  );
  raw
    .prepare("INSERT INTO identities (user_id, issuer, subject, created_at) VALUES (?, 'https://b.test', 'same', 1)")
    .run(id);
  await restore(t, store, file);
  const read = (sql: string) => store.site.app.db.raw.prepare(sql).pluck().all();
  assert.deepEqual(read('SELECT hash FROM recovery_codes WHERE used_at IS NULL'), ['unused']);
  assert.deepEqual(read('SELECT issuer FROM identities'), ['https://b.test']);
  assert.deepEqual(read('SELECT hash FROM email_tokens'), ['waiting']);
  assert.deepEqual(read('SELECT hash FROM password_links'), ['open']);
});

test('last administrator in a backup is kept, but is locked until a person at the computer unlocks the account', async (t) => {
  for (const how of ['removed', 'lowered']) {
    const store = await open(t);
    const { owner } = store;
    const file = await backUp(store);
    const next = await person(store.site, 'next@store.test');
    must(await store.as(owner, 'PUT', `/api/auth/users/${next.id}/role`, { role: 'platform_admin' }));
    if (how === 'removed') {
      store.site.app.db.raw.prepare('DELETE FROM organization_members WHERE user_id = ?').run(owner.id);
      must(await store.as(next, 'DELETE', `/api/auth/users/${owner.id}`));
    } else must(await store.as(next, 'PUT', `/api/auth/users/${owner.id}/role`, { role: 'user' }));
    await restore(t, store, file);
    assert.equal(must(await store.site.call('GET', '/api/auth/config')).needsSetup, false, how);
    assert.equal((await login(store.site, owner.email)).status, 401, how);
    assert.equal(await statusOf(store, owner), 401, how);
    const told = (await resetPasswordOf({
      file: join(store.data, 'vitrine.db'),
      email: owner.email,
      removeTwoFactor: false,
    })) as { password: string };
    assert.equal(must(await login(store.site, owner.email, told.password)).user.role, 'platform_admin', how);
  }
});

test('server starts with a damaged file of revocations, and a store moved without this file continues its numbering', async (t) => {
  const store = await open(t);
  const { owner } = store;
  const tokens = await Promise.all(['a', 'b', 'c'].map((name) => tokenOf(store, owner, name)));
  const [a, b, c] = tokens as [(typeof tokens)[0], (typeof tokens)[0], (typeof tokens)[0]];
  must(await store.as(owner, 'DELETE', `/api/tokens/${a.id}`));
  await store.site.app.stop();
  for (const [damage, message] of [
    [(file: string) => writeFileSync(file, 'no database'.repeat(1000)), /set aside/],
    [(file: string) => writeFileSync(file, ''), undefined],
    [(file: string) => rmSync(file), undefined],
    [
      (file: string) => {
        const raw = new BetterSqlite3(file);
        raw.pragma('user_version = 99');
        raw.close();
      },
      /newer version/,
    ],
  ] as const) {
    damage(join(store.data, 'revoked.db'));
    store.site = await startSite(t, { data: store.data });
    assert.equal(await statusOf(store, owner), 200);
    if (message) await logged(store, message);
    await store.site.app.stop();
  }
  assert.equal(readdirSync(store.data).filter((name) => /^revoked\.db\.damaged-\d+$/.test(name)).length, 2);

  // The new record must start after the number that the database knows.
  store.site = await startSite(t, { data: store.data });
  const file = await backUp(store);
  must(await store.as(owner, 'DELETE', `/api/tokens/${b.id}`));
  await restore(t, store, file);
  assert.deepEqual([await statusOf(store, b.token), await statusOf(store, c.token)], [401, 200]);
  const elsewhere = tempFolder(t);
  await restore(t, store, file, elsewhere);
  must(await store.as(owner, 'DELETE', `/api/tokens/${c.id}`));
  await restore(t, store, file, elsewhere);
  assert.equal(await statusOf(store, c.token), 401);
});

test('rolled back transaction records no revocation, and old records of revocations are deleted', async (t) => {
  const store = await open(t);
  const { db } = store.site.app;
  const token = await tokenOf(store, store.owner, 'one');
  const count = () => db.raw.prepare('SELECT count(*) FROM revocations').pluck().get();
  const revoke = () => db.raw.prepare('UPDATE tokens SET revoked_at = 1 WHERE id = ?').run(token.id);
  assert.throws(() =>
    db.write(() => {
      revoke();
      throw new Error('no');
    }),
  );
  await db.durable();
  assert.equal(count(), 0);
  db.raw.prepare("INSERT INTO revocations (kind, key, until) VALUES ('token', 'old', unixepoch() - 1)").run();
  revoke();
  assert.deepEqual(db.raw.prepare('SELECT kind, key FROM revocations').all(), [{ kind: 'token', key: token.id }]);
  db.raw.prepare("UPDATE revoked.sqlite_sequence SET seq = 200000 WHERE name = 'revocations'").run();
  db.raw.prepare('DELETE FROM sessions').run();
  assert.deepEqual(
    db.raw.prepare('SELECT DISTINCT kind FROM revocations').pluck().all(),
    ['session'],
    'there is a bound',
  );
});
