import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  addContents,
  addDevices,
  addPlaylist,
  addStore,
  deviceId,
  PLAYLIST,
  WORKSPACE,
} from '../../test/bench/seed.ts';
import { TestClock, tempFolder } from '../../test/harness.ts';
import { openDatabase } from '../db/open.ts';
import { Bus } from '../kernel/bus.ts';
import { ProgramsStore } from './programs.store.ts';
import { Programs } from './programs.ts';

/**
 * Creates a store with this many connected screens and one playlist. `pushes` has one entry for each notification, with
 * the notified screens.
 */
const setUp = (t: TestContext, screens: number) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  db.write(() => {
    addStore(db);
    addContents(db, 10);
    addPlaylist(db, 3);
    addDevices(db, screens, { playlist: PLAYLIST });
  });
  // Creates and changes schedules as the plans feature does: each schedule belongs to a plan, whose revision changes
  // with each edit.
  db.raw.exec(`
    CREATE TEMP TRIGGER planned AFTER INSERT ON schedules WHEN new.plan_id IS NULL BEGIN
      INSERT INTO plans (id, workspace_id, start_time, end_time, timezone, created_at, updated_at) VALUES (new.id, new.workspace_id, '', '', '', 0, 0);
      UPDATE schedules SET plan_id = id WHERE id = new.id;
    END;
    CREATE TEMP TRIGGER changed AFTER UPDATE ON schedules BEGIN UPDATE plans SET revision = revision + 1 WHERE id = new.plan_id; END`);
  const errors: unknown[] = [];
  const bus = new Bus((_event, error) => errors.push(error));
  const ids = Array.from({ length: screens }, (_, n) => deviceId(n));
  const programs = new Programs({
    store: new ProgramsStore(db),
    widgets: { page: () => undefined },
    players: { connected: () => ids },
    bus,
    clock: new TestClock(),
    onError: (error) => errors.push(error),
  });
  const pushes: string[][] = [];
  const assigned = (id: string) => programs.assigned(id)!;
  programs.onChanged((some) => {
    pushes.push([...some]);
    for (const id of some) assigned(id);
  });
  programs.start();
  for (const id of ids) assigned(id);
  t.after(() => {
    programs.stop();
    db.close();
    assert.deepEqual(errors, []);
  });
  /**
   * Publishes the playlist again, this many milliseconds later. The time is part of the program, so the program
   * differs.
   */
  const publish = (later: number) => {
    db.raw.prepare('UPDATE playlists SET published_ms = ? WHERE id = ?').run(1_700_000_000_000 + later, PLAYLIST);
    bus.emit('changed', { workspaceId: WORKSPACE, topic: 'playlists', ids: [PLAYLIST], by: null });
  };
  return { programs, pushes, ids, assigned, publish, db, bus };
};

test('screens of a small store are notified in the same turn of the event loop as the commit', (t) => {
  const { pushes, publish, ids } = setUp(t, 50);
  publish(20);
  assert.deepEqual(pushes, [ids]);
});

test('server notifies a thousand screens over several turns of the event loop, each screen once', async (t) => {
  const { pushes, publish, ids } = setUp(t, 1000);
  publish(20);
  assert.equal(pushes.length, 1);
  while (pushes.flat().length < ids.length) await turn();
  await turn();
  assert.ok(
    pushes.length >= 4 && pushes.every((some) => some.length <= 250),
    String(pushes.map((some) => some.length)),
  );
  assert.deepEqual(pushes.flat().toSorted(), ids);
});

test('screen that waits for the notice of one change gets a single notice for this change and the next', async (t) => {
  const { pushes, publish, ids, assigned } = setUp(t, 1000);
  publish(20);
  const early = new Set(pushes.flat());
  publish(30);
  for (let turns = 0; turns < 30; turns++) await turn();
  const times = new Map<string, number>();
  for (const id of pushes.flat()) times.set(id, (times.get(id) ?? 0) + 1);
  for (const id of ids) assert.equal(times.get(id), early.has(id) ? 2 : 1);
  assert.equal(new Set(ids.map((id) => assigned(id).id)).size, 1);
});

test('screens are not notified when their program stays the same, and a replaced program can still be downloaded', (t) => {
  const { programs, pushes, publish, ids, assigned } = setUp(t, 3);
  const before = assigned(ids[0]!).id;
  publish(0);
  assert.deepEqual(pushes, []);
  publish(20);
  assert.equal(pushes.length, 1);
  assert.notEqual(assigned(ids[0]!).id, before);
  assert.ok(programs.bytes(ids[0]!, before));
  assert.equal(programs.bytes(ids[0]!, 'f'.repeat(64)), undefined);
});

test('disconnected screen is not notified', async (t) => {
  const { programs, pushes, publish, ids } = setUp(t, 400);
  publish(20);
  const gone = ids.at(-1)!;
  programs.forget(gone);
  for (let turns = 0; turns < 10; turns++) await turn();
  assert.equal(pushes.flat().includes(gone), false);
  assert.equal(pushes.flat().length, 399);
});

test('change of a screen or its schedules affects only this screen, and gives the same result as a complete reload', (t) => {
  const { programs, pushes, ids, assigned, db, bus } = setUp(t, 6);
  const run = (sql: string, ...values: unknown[]) => db.write(() => void db.raw.prepare(sql).run(...values));
  const told = (topic: 'devices' | 'schedules' | 'groups', ...changed: string[]) => {
    pushes.length = 0;
    bus.emit('changed', { workspaceId: WORKSPACE, topic, ids: changed, by: null });
    const now = ids.map((id) => programs.assigned(id));
    programs.reset();
    assert.deepEqual(
      ids.map((id) => programs.assigned(id)),
      now,
    );
    return pushes.flat().map((id) => ids.indexOf(id));
  };
  const plan = (id: string, target: Record<string, string>, start: string, created: number) => {
    run(
      `INSERT INTO schedules (id, workspace_id, device_id, group_id, playlist_id, title, start_time, end_time, timezone, created_at, updated_at) VALUES (?, '${WORKSPACE}', ?, ?, ?, ?, ?, '2026-03-10T20:00:00', 'UTC', ?, 0)`,
      ...[id, target['device_id'] ?? null, target['group_id'] ?? null, PLAYLIST, id, start, created],
    );
    return told('schedules', id);
  };
  run(
    `INSERT INTO "groups" (id, workspace_id, name, color, created_at) VALUES ('g', '${WORKSPACE}', 'G', '#112233', 0)`,
  );
  for (const n of [2, 3]) run(`INSERT INTO group_members (group_id, device_id) VALUES ('g', ?)`, ids[n]);
  told('groups', 'g');

  assert.deepEqual(plan('b', { device_id: ids[1]! }, '2026-03-10T08:00:00', 2), [1]);
  assert.deepEqual(plan('a', { device_id: ids[1]! }, '2026-03-10T09:00:00', 1), [1]);
  assert.deepEqual(plan('c', { group_id: 'g' }, '2026-03-10T08:00:00', 3), [2, 3]);
  assert.deepEqual(plan('elsewhere', { device_id: ids[2]! }, '2026-03-10T08:30:00', 2), [2]);
  run("UPDATE schedules SET start_time = '2026-03-10T07:00:00' WHERE id = 'c'");
  assert.deepEqual(told('schedules', 'c'), [2, 3]);
  run("UPDATE schedules SET group_id = NULL, device_id = ? WHERE id = 'c'", ids[4]);
  assert.deepEqual(told('schedules', 'c'), [2, 3, 4]);
  run("UPDATE schedules SET enabled = 0 WHERE id = 'a'");
  assert.deepEqual(told('schedules', 'a'), [1]);
  run("UPDATE schedules SET enabled = 1 WHERE id = 'a'");
  assert.deepEqual(told('schedules', 'a'), [1]);
  run("DELETE FROM schedules WHERE id IN ('a', 'b')");
  assert.deepEqual(told('schedules', 'a', 'b'), [1]);

  // Deletes the playlist, then restores it.
  run('UPDATE devices SET playlist_id = NULL WHERE id = ?', ids[0]);
  assert.deepEqual(told('devices', ids[0]!), [0]);
  run('UPDATE devices SET playlist_id = ? WHERE id = ?', PLAYLIST, ids[0]);
  assert.deepEqual(told('devices', ids[0]!), [0]);
  assert.equal(assigned(ids[0]!).id, assigned(ids[5]!).id);
  run('DELETE FROM devices WHERE id = ?', ids[4]);
  assert.deepEqual(told('devices', ids[4]!), []);
  assert.equal(programs.assigned(ids[4]!), undefined);
});

test('schedule that changes twice before its screens are processed gives the program of its last version', (t) => {
  const { programs, ids, db, bus } = setUp(t, 2);
  const run = (sql: string, ...values: unknown[]) => db.write(() => void db.raw.prepare(sql).run(...values));
  const changed = (topic: 'devices' | 'schedules', id: string) =>
    bus.emit('changed', { workspaceId: WORKSPACE, topic, ids: [id], by: null });
  run(
    `INSERT INTO schedules (id, workspace_id, device_id, playlist_id, title, start_time, end_time, timezone, created_at, updated_at) VALUES ('s', '${WORKSPACE}', ?, ?, 'before', '2026-03-10T08:00:00', '2026-03-10T20:00:00', 'UTC', 1, 0)`,
    ids[0],
    PLAYLIST,
  );
  changed('schedules', 's');
  assert.equal(programs.program(ids[0]!)!.program.schedules[0]!.title, 'before');
  programs.forget(ids[0]!);
  changed('devices', ids[0]!);
  run("UPDATE schedules SET title = 'after' WHERE id = 's'");
  changed('schedules', 's');
  assert.equal(programs.program(ids[0]!)!.program.schedules[0]!.title, 'after');
});

test('screens of a plan share one program, and a screen that is targeted twice has the plan once', (t) => {
  const { programs, ids, assigned, db, bus } = setUp(t, 5);
  const run = (sql: string, ...values: unknown[]) => db.write(() => void db.raw.prepare(sql).run(...values));
  const plan = (id: string, device: string | null, group: string | null = null) => {
    run(
      `INSERT INTO schedules (id, plan_id, workspace_id, device_id, group_id, playlist_id, title, start_time, end_time, timezone, created_at, updated_at) VALUES (?, 'p', '${WORKSPACE}', ?, ?, ?, 'P', '2026-03-10T08:00:00', '2026-03-10T20:00:00', 'UTC', 1, 0)`,
      ...[id, device, group, PLAYLIST],
    );
    bus.emit('changed', { workspaceId: WORKSPACE, topic: 'schedules', ids: [id], by: null });
  };
  run(
    `INSERT INTO plans (id, workspace_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('p', '${WORKSPACE}', '', '', '', 1, 0)`,
  );
  run(
    `INSERT INTO "groups" (id, workspace_id, name, color, created_at) VALUES ('g', '${WORKSPACE}', 'G', '#112233', 0)`,
  );
  for (const n of [1, 4]) run(`INSERT INTO group_members (group_id, device_id) VALUES ('g', ?)`, ids[n]);
  plan('z', ids[0]!);
  bus.emit('changed', { workspaceId: WORKSPACE, topic: 'groups', ids: ['g'], by: null });
  plan('a', ids[1]!);
  plan('k', null, 'g');
  plan('b', ids[2]!);
  const [first, twice, later, none, grouped] = ids.map(assigned);
  assert.equal(first!.id, later!.id);
  assert.equal(first!.id, twice!.id);
  assert.notEqual(first!.id, none!.id);
  assert.notEqual(first!.id, grouped!.id, 'by its group alone, others go before it');
  const { schedules } = programs.program(ids[1]!)!.program;
  assert.deepEqual([schedules.map((s) => s.id), schedules[0]!.target], [['p'], 'device']);
});
