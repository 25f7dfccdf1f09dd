/**
 * SQL for the bin entries that concern a record. If a record is restored before another record that it refers to, the
 * parts that could not be restored are moved to the entry of that other record, and return with it.
 */
import type { Database } from '../../db/database.ts';
import { mediaOfFile } from '../../db/design-media.ts';
import type { BinRow } from './bin.store.ts';
import { namesIn } from './names.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type AimedPlan,
  type ClearedPlace,
  type GoneRow,
  type Kept,
  type Owner,
  ownersIn,
  type Row,
} from './snapshot.ts';

export type BinnedEntry = Pick<BinRow, 'id' | 'kind' | 'ref' | 'name' | 'user_id'> & { readonly snapshot: Snapshot };

export class BinnedEntries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #sql(text: string) {
    return this.#db.raw.prepare(text);
  }

  /** Stores the ids of records that an entry names, replacing the earlier list. Called within a write transaction. */
  setNames(binId: string, snapshot: Snapshot): void {
    this.#sql('DELETE FROM bin_names WHERE bin_id = ?').run(binId);
    const add = this.#sql('INSERT OR IGNORE INTO bin_names (bin_id, ref) VALUES (?, ?)');
    for (const name of namesIn(snapshot)) add.run(binId, name);
  }

  /** Returns the ids of entries that name a record or contain it as a part, newest first. */
  idsNaming(ref: string): string[] {
    return this.#sql(
      'SELECT b.id FROM bin_names n JOIN bin b ON b.id = n.bin_id WHERE n.ref = ? ORDER BY b.created_at DESC, b.id DESC',
    )
      .pluck()
      .all(ref) as string[];
  }

  /** Returns an entry of a deleted record; undefined for the previous file of a content, and for an unknown id. */
  find(binId: string): BinnedEntry | undefined {
    const row = this.#sql('SELECT id, kind, ref, name, user_id, record FROM bin WHERE id = ?').get(binId) as
      | (Omit<BinnedEntry, 'snapshot'> & { record: string })
      | undefined;
    if (!row) return undefined;
    const { record, ...entry } = row;
    const kept = JSON.parse(record) as Kept;
    return 'snapshot' in kept ? { ...entry, snapshot: kept.snapshot } : undefined;
  }

  /** Returns the entries that name a record or contain it as a part, newest first. */
  naming(ref: string): BinnedEntry[] {
    return this.idsNaming(ref).flatMap((id) => this.find(id) ?? []);
  }

  /** Returns the entries with a file of a design that shows a content: deleted designs, and earlier files of designs. */
  designsShowing(workspaceId: string, contentId: string): Pick<BinnedEntry, 'kind' | 'ref' | 'name'>[] {
    return this.#sql(
      `SELECT DISTINCT b.kind, b.ref, b.name FROM design_media m CROSS JOIN bin_files f ON f.sha256 = m.sha256
         JOIN bin b ON b.id = f.bin_id WHERE m.content_id = ? AND b.workspace_id = ?`,
    ).all(contentId, workspaceId) as Pick<BinnedEntry, 'kind' | 'ref' | 'name'>[];
  }

  /** Returns the ids of the contents that the designs in a snapshot show. */
  mediaIn({ rows }: Pick<Snapshot, 'rows'>): string[] {
    return rows.flatMap(({ table, row }) =>
      table === 'content' && row.kind === 'design' ? mediaOfFile(this.#db, String(row.sha256)) : [],
    );
  }

  /** Returns the entries of these records. */
  of(refs: readonly string[]): string[] {
    return this.#sql("SELECT id FROM bin WHERE kind <> 'file' AND ref IN (SELECT value FROM json_each(?)) ORDER BY id")
      .pluck()
      .all(JSON.stringify(refs)) as string[];
  }

  /**
   * Returns the bin entries that are related to an entry: the record of the entry shows the records of these
   * entries, or these records contained it when they were deleted. An entry comes after its own related entries.
   */
  related(binId: string, limit: number): string[] {
    const found = new Set<string>();
    const seen = new Set([binId]);
    const visit = (id: string): void => {
      const entry = this.find(id);
      if (!entry) return;
      const own = ownPartOf(entry);
      for (const next of [...this.of([...namesIn(own), ...this.mediaIn(own)]), ...this.#takenOutOf(entry)]) {
        if (seen.has(next) || seen.size > limit) continue;
        seen.add(next);
        visit(next);
        found.add(next);
      }
    };
    visit(binId);
    return [...found];
  }

  #takenOutOf({ ref }: BinnedEntry): string[] {
    const isOf = ({ owner }: { readonly owner?: Owner }) => owner?.id === ref;
    return this.naming(ref)
      .filter(
        ({ snapshot }) =>
          snapshot.rows.some(isOf) || snapshot.places.some(isOf) || snapshot.plans.some(({ id }) => id === ref),
      )
      .map(({ id }) => id);
  }

  /** Returns whether a playlist belongs to a screen. */
  isOwn(playlistId: string): boolean {
    const own = this.#sql('SELECT 1 FROM playlists WHERE id = ? AND owner_device_id IS NOT NULL');
    return own.get(playlistId) !== undefined;
  }

  /** Called within a write transaction. */
  save(binId: string, snapshot: Snapshot): void {
    const kept: Kept = { snapshot, count: ownersIn(snapshot).length };
    this.#sql('UPDATE bin SET record = ? WHERE id = ?').run(JSON.stringify(kept), binId);
    this.setNames(binId, snapshot);
  }
}

/** Returns the record of an entry, without the references from other records. */
const ownPartOf = ({ snapshot }: BinnedEntry): Snapshot => {
  const isOwn = ({ table, owner }: GoneRow) => owner === undefined || (MEMBERS.has(table) && owner.kind !== 'plan');
  return { rows: snapshot.rows.filter(isOwn), places: [], plans: [] };
};
const MEMBERS: ReadonlySet<string> = new Set(['plan_targets', 'group_members', 'wall_members']);

/** An entry that is loaded into memory and may be changed. */
interface OpenEntry {
  readonly entry: BinnedEntry;
  /** Rows by table and key, in order. */
  readonly rows: Map<string, GoneRow>;
  readonly places: ClearedPlace[];
  isChanged: boolean;
}

/**
 * Collects the entries that change while one record is restored. Each entry is read once, and written once by `save`,
 * because a playlist may have two thousand items of one content.
 */
export class OpenEntries {
  readonly #store: BinnedEntries;
  readonly #keyOf: (table: string) => readonly string[];
  readonly #entries = new Map<string, OpenEntry | undefined>();
  readonly #naming = new Map<string, readonly string[]>();

  constructor(store: BinnedEntries, keyOf: (table: string) => readonly string[]) {
    this.#store = store;
    this.#keyOf = keyOf;
  }

  /** Returns the id of the entry whose restore also restores this row of a table. */
  holding(table: string, id: string): string | undefined {
    const key = this.#key(table, { id });
    return this.#concerning(id).find((binId) => this.#open(binId)?.rows.has(key));
  }

  /** @returns the name of the entry's record */
  nameOf(binId: string | undefined): string {
    return (binId !== undefined && this.#open(binId)?.entry.name) || '';
  }

  /** Adds a row to an entry, replacing the same row. */
  addRow(binId: string, gone: GoneRow): void {
    const open = this.#changed(binId);
    open.rows.set(this.#key(gone.table, gone.row), gone);
  }

  addPlace(binId: string, place: ClearedPlace): void {
    this.#changed(binId).places.push(place);
  }

  /**
   * Restores a reference in a row that is itself in the bin.
   * @param isFree returns whether the row shows nothing else by now
   * @returns the entry; undefined: no entry has the row, or the row shows something else
   */
  fillIn({ table, key, column, value, owner }: ClearedPlace, isFree: (row: Row) => boolean): string | undefined {
    const rowKey = this.#key(table, key);
    for (const binId of this.#concerning(owner.id)) {
      const found = this.#open(binId)?.rows.get(rowKey);
      if (!found) continue;
      if (found.row[column] !== null || !isFree(found.row)) return undefined;
      this.addRow(binId, { ...found, row: { ...found.row, [column]: value } });
      return binId;
    }
    return undefined;
  }

  /**
   * Makes a group the target of a plan in the bin again, unless the targets were changed.
   * @returns the entry; undefined: no entry has the plan, or its targets were changed
   */
  aimAgain(plan: AimedPlan, group: Owner, members: readonly string[]): string | undefined {
    const binId = this.holding('plans', plan.id);
    const open = binId === undefined ? undefined : this.#open(binId);
    if (binId === undefined || !open) return undefined;
    const present = new Map(
      [...open.rows]
        .filter(([, { table, row }]) => table === 'plan_targets' && row['plan_id'] === plan.id)
        .map(([key, gone]) => [`${gone.row['kind']} ${gone.row['ref']}`, { key, gone }]),
    );
    const isGroup = ({ kind, id }: AimedPlan['targets'][number]) => kind === 'group' && id === group.id;
    const expected = new Set(
      plan.targets.flatMap((target) =>
        isGroup(target) ? members.map((id) => `device ${id}`) : [`${target.kind} ${target.id}`],
      ),
    );
    if (present.size !== expected.size || [...expected].some((key) => !present.has(key))) return undefined;
    for (const { key } of present.values()) open.rows.delete(key);
    const ofPlan: Owner = { kind: 'plan', id: plan.id, name: plan.name };
    for (const [position, target] of plan.targets.entries()) {
      const { kind, id } = target;
      const ofTarget = isGroup(target) ? group : present.get(`${kind} ${id}`)?.gone.owner;
      const owner = open.entry.ref === plan.id ? ofTarget : ofPlan;
      this.addRow(binId, {
        table: 'plan_targets',
        row: { plan_id: plan.id, position, kind, ref: id },
        ...(owner && { owner }),
      });
    }
    return binId;
  }

  /** Writes the changed entries. Called within a write transaction. */
  save(): void {
    for (const open of this.#entries.values()) {
      if (!open?.isChanged) continue;
      const { entry, rows, places } = open;
      this.#store.save(entry.id, { ...entry.snapshot, rows: [...rows.values()], places });
      open.isChanged = false;
    }
  }

  #key(table: string, row: Row): string {
    return `${table} ${this.#keyOf(table).map((column) => row[column])}`;
  }

  #concerning(ref: string): readonly string[] {
    let ids = this.#naming.get(ref);
    if (!ids) this.#naming.set(ref, (ids = this.#store.idsNaming(ref)));
    return ids;
  }

  #open(binId: string): OpenEntry | undefined {
    if (this.#entries.has(binId)) return this.#entries.get(binId);
    const entry = this.#store.find(binId);
    const open: OpenEntry | undefined = entry && {
      entry,
      rows: new Map(entry.snapshot.rows.map((gone) => [this.#key(gone.table, gone.row), gone])),
      places: [...entry.snapshot.places],
      isChanged: false,
    };
    this.#entries.set(binId, open);
    return open;
  }

  #changed(binId: string): OpenEntry {
    const open = this.#open(binId)!;
    open.isChanged = true;
    return open;
  }
}
