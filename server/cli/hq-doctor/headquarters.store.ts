import { Presence } from '../../../shared/chain/wire.ts';
import { readSetting } from '../../db/settings-rows.ts';
import { PLAYS_IN } from '../../headquarters/plays/warehouse-home.store.ts';
import type { KeptStore } from '../../headquarters/stores/store-registry.ts';
import type { StoreRow } from '../../headquarters/stores/stores.store.ts';
import { queryDatabase } from '../doctor/database.store.ts';

export type StoreSeen = KeptStore & {
  /** True: the store reported that a different server answered at the address of headquarters. */
  readonly doubts: boolean;
};

/** Returns enrolled stores. @throws Error with SQLite's message */
export const storesIn = (file: string): StoreSeen[] =>
  queryDatabase(file, (db) =>
    db
      .prepare(
        `SELECT s.*, NULL AS expires_at,
           (SELECT count(*) FROM hq_incidents i WHERE i.store = s.id AND i.seen_at IS NULL) AS incidents,
           EXISTS (SELECT 1 FROM hq_incidents i WHERE i.store = s.id AND i.seen_at IS NULL AND i.kind = 'headquarters_unproved') AS doubts
         FROM hq_stores s WHERE key IS NOT NULL ORDER BY name`,
      )
      .all()
      .map((found) => {
        const row = found as StoreRow & { doubts: number };
        const told = row.presence === null ? undefined : Presence.safeParse(JSON.parse(row.presence));
        return { ...row, doubts: row.doubts === 1, presence: told?.success ? told.data : null };
      }),
  );

/** Returns whether the plays are in PostgreSQL. @throws Error with SQLite's message */
export const hasMoved = (file: string): boolean =>
  queryDatabase(file, (db) => typeof readSetting(db, PLAYS_IN) === 'string');

export interface SegmentFileRow {
  /** Path of the segment file, relative to the folder that contains all segment files. */
  readonly pack: string;
  /** Size of the segment file in bytes, as the index records it. */
  readonly bytes: number;
  readonly store: string;
}

/**
 * Returns the segment files in the index, the newest month first. Uses one index lookup per file, because the index has
 * a row for every minute of every store.
 * @throws Error with SQLite's message
 */
export const packsIn = (file: string): SegmentFileRow[] =>
  queryDatabase(
    file,
    (db) =>
      db
        .prepare(
          `WITH RECURSIVE p (pack) AS (SELECT min(pack) FROM hq_segments
             UNION ALL SELECT (SELECT min(pack) FROM hq_segments WHERE pack > p.pack) FROM p WHERE p.pack IS NOT NULL)
           SELECT p.pack, s.name AS store,
             (SELECT "offset" + bytes FROM hq_segments g WHERE g.pack = p.pack ORDER BY "offset" DESC LIMIT 1) AS bytes
           FROM p JOIN hq_stores s ON s.ref = substr(p.pack, 1, instr(p.pack, '/') - 1)
           ORDER BY substr(p.pack, instr(p.pack, '/')) DESC`,
        )
        .all() as SegmentFileRow[],
  );
