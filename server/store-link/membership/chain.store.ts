import type { Cursor, Epoch } from '../../../shared/chain/cursor.ts';
import type { AskOf } from '../../../shared/chain/wire.ts';
import type { ChainIncident } from '../../../shared/contract/headquarters/chain.ts';
import type { Block } from '../../../shared/program/program.ts';
import type { Database } from '../../db/database.ts';
import { beginEpoch, newestNumber } from '../../db/epochs.ts';
import type { WorkspaceRole } from '../../kernel/trust/actor.ts';

export interface LinkRow {
  readonly workspace_id: string;
  readonly store: string;
  readonly name: string;
  readonly address: string;
  readonly headquarters: string;
  readonly key: string;
  readonly certificate: string;
  readonly enrolled_at: number;
  readonly enrolled_by: string;
  /** Highest role of people from headquarters here; null: they have no access. */
  readonly may: WorkspaceRole | null;
  /** Download limit in kilobytes per second; null: no limit. */
  readonly fetch_rate: number | null;
  readonly fetch_hours: readonly Block[];
  /** 1: headquarters may update this server. */
  readonly lets_update: 0 | 1;
  /** Public key for files to headquarters (X25519, raw, hex); null: headquarters has not sent a key. */
  readonly seal_key: string | null;
  /** Numbers of the last transfer file that was received, and of the last transfer file that was written. */
  readonly stick_in: number;
  readonly stick_out: number;
}
/** Fields of a new link right after enrolment, when it has no download limits. */
export type NewLink = Omit<LinkRow, 'fetch_rate' | 'fetch_hours'>;
type StoredLink = Omit<LinkRow, 'fetch_hours'> & { readonly fetch_hours: string };

const toLink = (row: StoredLink): LinkRow => ({ ...row, fetch_hours: JSON.parse(row.fetch_hours) as Block[] });

export interface ScreenRow {
  readonly id: string;
  readonly name: string;
  readonly last_heartbeat: number | null;
}

export interface TaggedScreen {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

const proofOf = (workspaceId: string): string => `enrolment:${workspaceId}`;

/** Maximum number of stored segment ends per epoch, enough for about one week. */
const KEPT_ENDS = 10_000;
const KEPT_INCIDENTS = 200;

export class ChainStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  links(): LinkRow[] {
    const rows = this.#db.raw.prepare('SELECT * FROM chain_links ORDER BY workspace_id').all() as StoredLink[];
    return rows.map(toLink);
  }

  find(workspaceId: string): LinkRow | undefined {
    const row = this.#db.raw.prepare('SELECT * FROM chain_links WHERE workspace_id = ?').get(workspaceId) as
      | StoredLink
      | undefined;
    return row && toLink(row);
  }

  insert(link: NewLink): void {
    this.#db.raw
      .prepare(
        `INSERT INTO chain_links (workspace_id, store, name, address, headquarters, key, certificate, enrolled_at, enrolled_by, may, lets_update, seal_key, stick_in, stick_out)
           VALUES (@workspace_id, @store, @name, @address, @headquarters, @key, @certificate, @enrolled_at, @enrolled_by, @may, @lets_update, @seal_key, @stick_in, @stick_out)`,
      )
      .run(link);
  }

  /** Deletes a link and its cursors. Returns whether the link existed. */
  delete(workspaceId: string): boolean {
    return this.#db.raw.prepare('DELETE FROM chain_links WHERE workspace_id = ?').run(workspaceId).changes > 0;
  }

  setNames(
    workspaceId: string,
    { name, headquarters, seal_key }: Pick<LinkRow, 'name' | 'headquarters' | 'seal_key'>,
  ): void {
    this.#db.raw
      .prepare('UPDATE chain_links SET name = ?, headquarters = ?, seal_key = ? WHERE workspace_id = ?')
      .run(name, headquarters, seal_key, workspaceId);
  }

  /** Returns the number for the next transfer file. */
  nextStick(workspaceId: string): number {
    return this.#db.raw
      .prepare('UPDATE chain_links SET stick_out = stick_out + 1 WHERE workspace_id = ? RETURNING stick_out')
      .pluck()
      .get(workspaceId) as number;
  }

  /** @param written headquarters has received files up to this number, so the store never uses these numbers again */
  setStickTaken(workspaceId: string, number: number, written: number): void {
    this.#db.raw
      .prepare('UPDATE chain_links SET stick_in = ?, stick_out = max(stick_out, ?) WHERE workspace_id = ?')
      .run(number, written, workspaceId);
  }

  /**
   * Returns the enrolment request of a store that was enrolled with a file; undefined: headquarters has received the
   * request.
   */
  proof(workspaceId: string): AskOf<'enrol'> | undefined {
    const found = this.#db.raw.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(proofOf(workspaceId));
    return found === undefined ? undefined : (JSON.parse(found as string) as AskOf<'enrol'>);
  }

  setProof(workspaceId: string, proof: AskOf<'enrol'>): void {
    this.#db.raw
      .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
      .run(proofOf(workspaceId), JSON.stringify(proof));
  }

  deleteProof(workspaceId: string): void {
    this.#db.raw.prepare('DELETE FROM settings WHERE key = ?').run(proofOf(workspaceId));
  }

  setMay(workspaceId: string, may: WorkspaceRole | null): void {
    this.#db.raw.prepare('UPDATE chain_links SET may = ? WHERE workspace_id = ?').run(may, workspaceId);
  }

  setFetching(workspaceId: string, { fetch_rate, fetch_hours }: Pick<LinkRow, 'fetch_rate' | 'fetch_hours'>): void {
    this.#db.raw
      .prepare('UPDATE chain_links SET fetch_rate = ?, fetch_hours = ? WHERE workspace_id = ?')
      .run(fetch_rate, JSON.stringify(fetch_hours), workspaceId);
  }

  setLetsUpdate(workspaceId: string, lets: 0 | 1): void {
    this.#db.raw.prepare('UPDATE chain_links SET lets_update = ? WHERE workspace_id = ?').run(lets, workspaceId);
  }

  /** JSON of the last update order from headquarters; null: none. */
  updateOrder(workspaceId: string): string | null {
    const found = this.#db.raw
      .prepare('SELECT update_order FROM chain_links WHERE workspace_id = ?')
      .pluck()
      .get(workspaceId);
    return (found ?? null) as string | null;
  }

  setUpdateOrder(workspaceId: string, order: string): void {
    this.#db.raw.prepare('UPDATE chain_links SET update_order = ? WHERE workspace_id = ?').run(order, workspaceId);
  }

  /** Returns the local user id of a visitor from headquarters. */
  visitor(id: string): string | undefined {
    return this.#db.raw.prepare('SELECT user_id FROM chain_visitors WHERE id = ?').pluck().get(id) as
      | string
      | undefined;
  }

  insertVisitor(id: string, userId: string): void {
    this.#db.raw.prepare('INSERT INTO chain_visitors (id, user_id) VALUES (?, ?)').run(id, userId);
  }

  /** Returns the user ids of visitors in a workspace. */
  visitorsIn(workspaceId: string): string[] {
    return this.#db.raw
      .prepare(
        'SELECT v.user_id FROM chain_visitors v JOIN workspace_members m ON m.user_id = v.user_id WHERE m.workspace_id = ?',
      )
      .pluck()
      .all(workspaceId) as string[];
  }

  setPlace(workspaceId: string, { address, certificate }: Pick<LinkRow, 'address' | 'certificate'>): void {
    this.#db.raw
      .prepare('UPDATE chain_links SET address = ?, certificate = ? WHERE workspace_id = ?')
      .run(address, certificate, workspaceId);
  }

  workspaceName(workspaceId: string): string {
    return this.#db.raw.prepare('SELECT name FROM workspaces WHERE id = ?').pluck().get(workspaceId) as string;
  }

  /** Returns the epochs, oldest first. */
  epochs(): Epoch[] {
    return this.#db.raw.prepare('SELECT epoch, first FROM play_epochs ORDER BY id').all() as Epoch[];
  }

  newest(): number {
    return newestNumber(this.#db.raw);
  }

  beginEpoch(now: number, first: number): void {
    beginEpoch(this.#db.raw, now, first);
  }

  cursors(workspaceId: string): Cursor[] {
    return this.#db.raw
      .prepare('SELECT epoch, through, head FROM chain_cursors WHERE workspace_id = ?')
      .all(workspaceId) as Cursor[];
  }

  putCursor(workspaceId: string, { epoch, through, head }: Cursor): void {
    this.#db.raw
      .prepare(
        `INSERT INTO chain_cursors (workspace_id, epoch, through, head) VALUES (?, ?, ?, ?)
           ON CONFLICT (workspace_id, epoch) DO UPDATE SET through = excluded.through, head = excluded.head`,
      )
      .run(workspaceId, epoch, through, head);
  }

  /**
   * Stores the end of a segment of plays: the number and the hash of its last play. Called before the segment is sent.
   */
  addEnd(workspaceId: string, { epoch, through, head }: Cursor): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `INSERT INTO chain_segments (workspace_id, epoch, last, head) VALUES (?, ?, ?, ?)
           ON CONFLICT (workspace_id, epoch, last) DO UPDATE SET head = excluded.head`,
      )
      .run(workspaceId, epoch, through, head);
    raw
      .prepare(
        `DELETE FROM chain_segments WHERE workspace_id = @workspaceId AND epoch = @epoch AND last <= (
           SELECT last FROM chain_segments WHERE workspace_id = @workspaceId AND epoch = @epoch ORDER BY last DESC LIMIT 1 OFFSET ${KEPT_ENDS})`,
      )
      .run({ workspaceId, epoch });
  }

  /** Returns the end of the last sent segment that ends at or before this play number. */
  endBefore(workspaceId: string, epoch: string, number: number): { last: number; head: string } | undefined {
    return this.#db.raw
      .prepare(
        'SELECT last, head FROM chain_segments WHERE workspace_id = ? AND epoch = ? AND last <= ? ORDER BY last DESC LIMIT 1',
      )
      .get(workspaceId, epoch, number) as { last: number; head: string } | undefined;
  }

  /** Returns the lowest number of a play that is still stored. */
  oldestPlay(): number {
    return this.#db.raw
      .prepare(
        'SELECT min(coalesce((SELECT min(id) FROM play_log), 9007199254740991), coalesce((SELECT min(id) FROM old_plays), 9007199254740991))',
      )
      .pluck()
      .get() as number;
  }

  /** Returns incidents, newest first. */
  incidents(workspaceId: string, limit: number): ChainIncident[] {
    return this.#db.raw
      .prepare('SELECT id, kind, details, at FROM chain_incidents WHERE workspace_id = ? ORDER BY id DESC LIMIT ?')
      .all(workspaceId, limit) as ChainIncident[];
  }

  /** Returns incidents that headquarters has not received yet, oldest first. */
  untold(workspaceId: string, limit: number): ChainIncident[] {
    return this.#db.raw
      .prepare(
        'SELECT id, kind, details, at FROM chain_incidents WHERE workspace_id = ? AND told = 0 ORDER BY id LIMIT ?',
      )
      .all(workspaceId, limit) as ChainIncident[];
  }

  setTold(ids: readonly string[]): void {
    this.#db.raw
      .prepare('UPDATE chain_incidents SET told = 1 WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids));
  }

  /** Adds an incident, or updates the details of an existing incident. */
  putIncident(workspaceId: string, { id, kind, details, at }: ChainIncident): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `INSERT INTO chain_incidents (id, workspace_id, kind, details, at) VALUES (@id, @workspaceId, @kind, @details, @at)
           ON CONFLICT (id) DO UPDATE SET details = excluded.details, told = 0`,
      )
      .run({ id, workspaceId, kind, details, at });
    raw
      .prepare(
        `DELETE FROM chain_incidents WHERE workspace_id = @workspaceId AND id <= (
           SELECT id FROM chain_incidents WHERE workspace_id = @workspaceId ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_INCIDENTS})`,
      )
      .run({ workspaceId });
  }

  /** Returns screens, sorted by name. */
  taggedScreens(workspaceId: string): TaggedScreen[] {
    const rows = this.#db.raw
      .prepare(
        `SELECT d.id, d.name, (SELECT json_group_array(tag) FROM device_tags WHERE device_id = d.id) AS tags
           FROM devices d WHERE d.workspace_id = ? ORDER BY vitrine_order(d.name), d.id`,
      )
      .all(workspaceId) as { id: string; name: string; tags: string }[];
    return rows.map(({ tags, ...row }) => ({ ...row, tags: JSON.parse(tags) as string[] }));
  }

  screens(workspaceId: string): ScreenRow[] {
    return this.#db.raw
      .prepare('SELECT id, name, last_heartbeat FROM devices WHERE workspace_id = ? ORDER BY vitrine_order(name), id')
      .all(workspaceId) as ScreenRow[];
  }
}
