/**
 * A database in memory with the workspaces `here` and `there`, for tests of a store class (SQL of a feature), and
 * helpers to insert rows.
 */
import assert from 'node:assert/strict';
import type { Database } from '../server/db/database.ts';
import { openDatabase } from '../server/db/open.ts';
import { columnsOf, put } from '../server/db/testing/put.ts';
import { Bus, type Change } from '../server/kernel/bus.ts';
import type { Parts } from '../server/kernel/parts.ts';
import type { WorkspaceActor } from '../server/kernel/trust/actor.ts';
import { ApiError } from '../shared/contract/errors.ts';

type Row = Readonly<Record<string, string | number | null>>;

let shared: { readonly db: Database; readonly tables: readonly string[] } | undefined;
/**
 * The shared database of this process. It is emptied and reused, because creating a database costs more than most
 * tests.
 */
const emptied = (): Database => {
  if (!shared) {
    const db = openDatabase(':memory:');
    const names = db.raw.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'",
    );
    const tables = (names.pluck().all() as string[]).filter(
      (table) => db.raw.prepare(`SELECT 1 FROM "${table}"`).get() === undefined,
    );
    // Sorts the tables so that the rows that mark records as headquarters' are deleted before these records.
    shared = { db, tables: tables.toSorted((a, b) => Number(b.startsWith('chain_')) - Number(a.startsWith('chain_'))) };
    return db;
  }
  const { db, tables } = shared;
  db.write(() => {
    db.raw.pragma('defer_foreign_keys = ON');
    for (const table of tables) db.raw.exec(`DELETE FROM "${table}"`);
  });
  return db;
};

export const openRows = (): { db: Database; add: (table: string, ...rows: readonly Row[]) => void } => {
  const db = emptied();
  /** Inserts rows. Required columns without a value get 0 or the row's id, and the workspace `here`. */
  const add = (table: string, ...rows: readonly Row[]): void => {
    const isOfOne = columnsOf(db, table).some(({ name }) => name === 'workspace_id');
    const owned = isOfOne ? rows.map((row) => ({ workspace_id: 'here', ...row })) : rows;
    db.write(() => put(db, table, owned, (row: Row) => String(row['id'] ?? '')));
  };
  add('organizations', { id: 'org' });
  for (const id of ['here', 'there']) add('workspaces', { id, organization_id: 'org' });
  return { db, add };
};

export const actorOf = (workspaceId: string): WorkspaceActor =>
  ({ workspaceId, userId: 'anna', userName: 'Anna', ip: '192.0.2.1' }) as WorkspaceActor;

/**
 * Returns the dependencies of a service. `told` returns what the service did since the last call: log entries, bin
 * entries and announcements.
 */
export const openParts = () => {
  const { db, add } = openRows();
  const heard: string[] = [];
  const bus = new Bus((_, error) => assert.fail(String(error)));
  bus.on('changed', ({ topic, ids, screens = true }: Change) =>
    heard.push(`${topic}${ids ? ` ${ids.join()}` : ''}${screens ? '' : ', no screens'}`),
  );
  const parts: Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> = {
    ...{ db, bus, clock: { now: () => 9_000 } },
    activity: { add: ({ action, details }) => heard.push(details ? `${action}: ${details}` : action) },
    bin: { storeRecord: (_, kind, { name }) => heard.push(`kept ${kind} ${name}`) },
  };
  const told = async (): Promise<string[]> => {
    await db.durable();
    return heard.splice(0);
  };
  return { ...parts, add, parts, told };
};

export const refusedWith =
  (status: number, says = /./) =>
  (error: unknown) =>
    error instanceof ApiError && error.status === status && says.test(error.message);
