import type { Values } from '../../../shared/chain/values.ts';
import type { StoreIncident } from '../../../shared/contract/headquarters/stores.ts';
import type { Database } from '../../db/database.ts';
import { putSetting, readSetting } from '../../db/settings-rows.ts';
import { lastingOf, type RevokedKeys, withRevoked } from './revoked-keys.ts';

export interface StoreRow {
  /** Number of the store in headquarters' database. */
  readonly id: number;
  readonly ref: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly region: string;
  readonly tags: readonly string[];
  readonly note: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly values: Values;
  readonly key: string | null;
  readonly server_name: string;
  readonly workspace_name: string;
  readonly enrolled_at: number | null;
  readonly left_at: number | null;
  /** JSON of the last presence. */
  readonly presence: string | null;
  readonly heard_at: number | null;
  readonly clock_ms: number | null;
  /** Public key that data for the store is sealed with (X25519, raw, hex); null: the store has not sent one. */
  readonly seal_key: string | null;
  /** Numbers of the last transfer file that was imported, and of the last transfer file that was written. */
  readonly stick_in: number;
  readonly stick_out: number;
  readonly revision: number;
  readonly created_at: number;
  /** Expiry of the enrolment code in epoch seconds. */
  readonly expires_at: number | null;
  /** Number of incidents that nobody has seen. */
  readonly incidents: number;
}

export type StoreSaid = Pick<StoreRow, 'name' | 'region' | 'tags' | 'note' | 'latitude' | 'longitude'>;
export type NewStoreRow = Pick<StoreRow, 'ref' | 'workspace_id' | 'created_at'> & StoreSaid;

interface Incident {
  readonly id: string;
  readonly kind: string;
  readonly details: string;
  readonly at: number;
}

const ROW = `SELECT s.*, c.expires_at, (SELECT count(*) FROM hq_incidents i WHERE i.store = s.id AND i.seen_at IS NULL) AS incidents
  FROM hq_stores s LEFT JOIN hq_codes c ON c.store = s.id`;
/**
 * Name of the setting with the keys whose credentials are revoked. Stored as a setting, because the other rows of a
 * removed store are deleted.
 */
const REVOKED = 'chain_revoked_keys';
/** Maximum number of incidents per store. The oldest seen incidents are deleted first. */
const KEPT_INCIDENTS = 500;

const rowOf = (found: unknown): StoreRow => {
  const { store_values, ...row } = found as Omit<StoreRow, 'tags' | 'values'> & { tags: string; store_values: string };
  return { ...row, tags: JSON.parse(row.tags) as string[], values: JSON.parse(store_values) as Values };
};

export class StoresStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): StoreRow[] {
    return this.#db.raw.prepare(ROW).all().map(rowOf);
  }

  find(id: number): StoreRow | undefined {
    const found = this.#db.raw.prepare(`${ROW} WHERE s.id = ?`).get(id);
    return found === undefined ? undefined : rowOf(found);
  }

  /** Inserts a store. Returns its number. */
  insert(row: NewStoreRow): number {
    return Number(
      this.#db.raw
        .prepare(
          'INSERT INTO hq_stores (ref, workspace_id, name, region, tags, note, latitude, longitude, created_at) VALUES (@ref, @workspace_id, @name, @region, @tags, @note, @latitude, @longitude, @created_at)',
        )
        .run({ ...row, tags: JSON.stringify(row.tags) }).lastInsertRowid,
    );
  }

  update(id: number, said: StoreSaid): void {
    this.#db.raw
      .prepare(
        'UPDATE hq_stores SET name = @name, region = @region, tags = @tags, note = @note, latitude = @latitude, longitude = @longitude, revision = revision + 1 WHERE id = @id',
      )
      .run({ ...said, tags: JSON.stringify(said.tags), id });
  }

  /** Sets the values of many stores in one statement. Thousands of single statements would block the event loop. */
  setValues(changes: readonly { readonly id: number; readonly values: Values }[]): void {
    const given = changes.map(({ id, values }) => ({ id, said: JSON.stringify(values) }));
    this.#db.raw
      .prepare(
        `UPDATE hq_stores SET store_values = said.value ->> '$.said', revision = revision + 1
           FROM json_each(?) AS said WHERE hq_stores.id = said.value ->> '$.id'`,
      )
      .run(JSON.stringify(given));
  }

  /**
   * Deletes a store with everything that belongs to it. Only for this statement, SQLite gets rough statistics of the
   * table of sums. With these statistics, SQLite looks up the sums of the store day by day instead of reading all rows
   * (14 ms instead of 94 ms for a million rows). The same statistics would make reports slower.
   */
  delete(id: number): void {
    const { raw } = this.#db;
    raw.pragma('analysis_limit = 400');
    raw.exec('ANALYZE hq_sums');
    raw.prepare('DELETE FROM hq_stores WHERE id = ?').run(id);
    raw.exec("DELETE FROM sqlite_stat1 WHERE tbl = 'hq_sums'; ANALYZE sqlite_schema");
  }

  /** Sets the enrolment code, and replaces the previous code. @param hash SHA-256 of the secret, hex */
  setCode(id: number, hash: string, expiresAt: number): void {
    this.#db.raw
      .prepare(
        'INSERT INTO hq_codes (store, hash, expires_at) VALUES (?, ?, ?) ON CONFLICT (store) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at',
      )
      .run(id, hash, expiresAt);
  }

  /** Returns the number of the store for which this code is valid. */
  byCode(hash: string, now: number): number | undefined {
    return this.#db.raw
      .prepare('SELECT store FROM hq_codes WHERE hash = ? AND expires_at > ?')
      .pluck()
      .get(hash, now) as number | undefined;
  }

  /** Enrols a server and deletes the used code. */
  enrol(
    id: number,
    {
      key,
      seal_key,
      server_name,
      workspace_name,
      at,
    }: Pick<StoreRow, 'server_name' | 'workspace_name'> & { key: string; seal_key?: string | undefined; at: number },
  ): void {
    const { raw } = this.#db;
    raw
      .prepare(
        'UPDATE hq_stores SET key = ?, seal_key = ?, server_name = ?, workspace_name = ?, enrolled_at = ?, left_at = NULL WHERE id = ?',
      )
      .run(key, seal_key, server_name, workspace_name, at, id);
    raw.prepare('INSERT OR IGNORE INTO hq_keys (store, key, since) VALUES (?, ?, ?)').run(id, key, at);
    raw.prepare('DELETE FROM hq_codes WHERE store = ?').run(id);
  }

  setSealKey(id: number, key: string): void {
    this.#db.raw.prepare('UPDATE hq_stores SET seal_key = ? WHERE id = ?').run(key, id);
  }

  /** Returns the number for the next transfer file. */
  nextStick(id: number): number {
    return this.#db.raw
      .prepare('UPDATE hq_stores SET stick_out = stick_out + 1 WHERE id = ? RETURNING stick_out')
      .pluck()
      .get(id) as number;
  }

  /** @param written highest number that the store has imported; lower numbers are not used again */
  setStickTaken(id: number, number: number, written: number): void {
    this.#db.raw
      .prepare('UPDATE hq_stores SET stick_in = ?, stick_out = max(stick_out, ?) WHERE id = ?')
      .run(number, written, id);
  }

  leave(id: number, at: number): void {
    this.#db.raw.prepare('UPDATE hq_stores SET key = NULL, left_at = ? WHERE id = ?').run(at, id);
  }

  /** Returns the keys of all PCs that were the server of the store, the oldest first: raw, hex. */
  keys(id: number): string[] {
    return this.#db.raw
      .prepare('SELECT key FROM hq_keys WHERE store = ? ORDER BY since, rowid')
      .pluck()
      .all(id) as string[];
  }

  /**
   * Revokes the credentials that a server has until now, within the write transaction that removes it from the store.
   * @param now epoch seconds
   */
  revokeKey(key: string, now: number): void {
    putSetting(this.#db.raw, REVOKED, withRevoked(this.#revoked, key, now));
  }

  /** @param now epoch seconds */
  revokedKeys(now: number): RevokedKeys {
    return lastingOf(this.#revoked, now);
  }

  get #revoked(): RevokedKeys {
    return (readSetting(this.#db.raw, REVOKED) ?? {}) as RevokedKeys;
  }

  setHeard(id: number, { presence, heard_at, clock_ms }: Pick<StoreRow, 'presence' | 'heard_at' | 'clock_ms'>): void {
    this.#db.raw
      .prepare('UPDATE hq_stores SET presence = ?, heard_at = ?, clock_ms = ? WHERE id = ?')
      .run(presence, heard_at, clock_ms, id);
  }

  /** Returns the incidents of a store, the newest first. */
  incidents(id: number, { limit, offset }: { limit: number; offset: number }): StoreIncident[] {
    return this.#db.raw
      .prepare(
        'SELECT id, kind, details, at, seen_at, seen_by FROM hq_incidents WHERE store = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?',
      )
      .all(id, limit, offset) as StoreIncident[];
  }

  countIncidents(id: number): number {
    return this.#db.raw.prepare('SELECT count(*) FROM hq_incidents WHERE store = ?').pluck().get(id) as number;
  }

  /** Returns the newest unseen incident of a kind; if there is none, the newest incident of this kind. */
  latestIncident(store: number, kind: string): Pick<StoreIncident, 'id' | 'details' | 'at' | 'seen_at'> | undefined {
    return this.#db.raw
      .prepare(
        'SELECT id, details, at, seen_at FROM hq_incidents WHERE store = ? AND kind = ? ORDER BY seen_at IS NOT NULL, at DESC, id DESC LIMIT 1',
      )
      .get(store, kind) as StoreIncident | undefined;
  }

  incident(store: number, id: string): Pick<StoreIncident, 'details'> | undefined {
    return this.#db.raw.prepare('SELECT details FROM hq_incidents WHERE store = ? AND id = ?').get(store, id) as
      | StoreIncident
      | undefined;
  }

  /**
   * Adds an incident, or replaces the sentence of a stored one. An id that another store has used changes nothing.
   * @param showAgain marks a seen incident as unseen
   */
  addIncident(store: number, incident: Incident, { showAgain = false } = {}): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `INSERT INTO hq_incidents (id, store, kind, details, at) VALUES (@id, @store, @kind, @details, @at)
           ON CONFLICT (id) DO UPDATE SET details = excluded.details,
             seen_at = CASE WHEN @showAgain THEN NULL ELSE seen_at END,
             seen_by = CASE WHEN @showAgain THEN NULL ELSE seen_by END WHERE store = excluded.store`,
      )
      .run({ ...incident, store, showAgain: showAgain ? 1 : 0 });
    raw
      .prepare(
        `DELETE FROM hq_incidents WHERE store = @store AND id IN (
           SELECT id FROM hq_incidents WHERE store = @store ORDER BY seen_at IS NULL DESC, at DESC LIMIT -1 OFFSET ${KEPT_INCIDENTS})`,
      )
      .run({ store });
  }

  seeIncidents(id: number, at: number, by: string): number {
    return this.#db.raw
      .prepare('UPDATE hq_incidents SET seen_at = ?, seen_by = ? WHERE store = ? AND seen_at IS NULL')
      .run(at, by, id).changes;
  }
}
