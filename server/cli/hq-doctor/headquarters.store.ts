import { Presence } from '../../../shared/chain/wire.ts';
import { readSetting } from '../../db/settings-rows.ts';
import type { KeptStore } from '../../headquarters/store-book.ts';
import type { StoreRow } from '../../headquarters/stores.store.ts';
import { PLAYS_IN } from '../../headquarters/warehouse-home.store.ts';
import { ask } from '../doctor/database.store.ts';

export type StoreSeen = KeptStore & {
  /** It says that whoever answered as headquarters was another. */
  readonly doubts: boolean;
};

/** Of stores that are enrolled. @throws Error in SQLite's words */
export const storesIn = (file: string): StoreSeen[] =>
  ask(file, (db) =>
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

/** Whether its plays are in PostgreSQL. @throws Error in SQLite's words */
export const hasMoved = (file: string): boolean => ask(file, (db) => typeof readSetting(db, PLAYS_IN) === 'string');

export interface Pack {
  /** Of the file, from the folder of all. */
  readonly pack: string;
  /** That the index says it has. */
  readonly bytes: number;
  readonly store: string;
}

/**
 * Files of segments that the index names, the newest month first. One look into the index for each: it has a row for
 * every minute of every store.
 * @throws Error in SQLite's words
 */
export const packsIn = (file: string): Pack[] =>
  ask(
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
        .all() as Pack[],
  );
