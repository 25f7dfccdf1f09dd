/** Compares the database of a backup with the present one: what a restore would lose and bring back. */

import { type BackupDifference, COMPARED_KINDS, type ComparedKind } from '../../../shared/contract/server/upkeep.ts';
import { connect } from '../../db/connect.ts';

/** For each kind of record, its database table. */
const TABLES: Readonly<Record<ComparedKind, string>> = {
  contents: 'content',
  playlists: 'playlists',
  schedules: 'schedules',
  plans: 'plans',
  layouts: 'layouts',
  groups: 'groups',
  walls: 'walls',
  widgets: 'widgets',
  kiosk_pages: 'kiosk_pages',
  messages: 'messages',
  screens: 'devices',
  people: 'users',
  workspaces: 'workspaces',
};

export interface Comparison {
  /** Kinds of records that differ, in a fixed order. */
  readonly differences: BackupDifference[];
  /** Number of plays received since the backup. */
  readonly plays: number;
}

/** @param then database of the backup, not open elsewhere @param today may be open elsewhere */
export const compareStores = (then: string, today: string): Comparison => {
  const db = connect(then, { fileMustExist: true });
  try {
    db.prepare('ATTACH DATABASE ? AS today').run(today);
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 10000');
    const count = (sql: string): number => db.prepare(sql).pluck().get() as number;
    const columns = (schema: 'main' | 'today', table: string): Set<string> =>
      new Set(
        db.prepare(`SELECT name FROM ${schema}.pragma_table_info('${table}', '${schema}')`).pluck().all() as string[],
      );
    const differenceOf = (kind: ComparedKind): BackupDifference => {
      const table = TABLES[kind];
      const [before, now] = [columns('main', table), columns('today', table)];
      // If the backup, made by an older version, does not have the table, all present records count as added.
      if (before.size === 0)
        return {
          kind,
          added: now.size === 0 ? 0 : count(`SELECT count(*) FROM today.${table}`),
          changed: 0,
          removed: 0,
        };
      const without = (one: string, other: string) =>
        count(
          `SELECT count(*) FROM ${one}.${table} a WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table} WHERE id = a.id)`,
        );
      return {
        kind,
        added: without('today', 'main'),
        // Compares only revisions, which change when people edit a record. Other columns also change automatically.
        changed:
          before.has('revision') && now.has('revision')
            ? count(
                `SELECT count(*) FROM today.${table} a JOIN main.${table} b USING (id) WHERE a.revision <> b.revision`,
              )
            : 0,
        removed: without('main', 'today'),
      };
    };
    return {
      differences: COMPARED_KINDS.map(differenceOf).filter(
        ({ added, changed, removed }) => added + changed + removed > 0,
      ),
      plays:
        columns('main', 'play_log').size === 0
          ? 0
          : count('SELECT count(*) FROM today.play_log WHERE id > (SELECT coalesce(max(id), 0) FROM main.play_log)'),
    };
  } finally {
    db.close();
  }
};
