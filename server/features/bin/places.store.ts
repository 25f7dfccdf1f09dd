/**
 * Makes a snapshot of a record with its parts and places (references from other records), and restores it. One
 * algorithm serves every kind of record, based on the foreign keys of the database (references.store.ts).
 */
import type { BinKind, LeftPlace } from '../../../shared/contract/content/bin.ts';
import { MAX_PLAYLIST_ITEMS } from '../../../shared/contract/content/playlists.ts';
import { contentNames, FILES_OF_CONTENT } from '../../db/content-files.ts';
import type { Database } from '../../db/database.ts';
import { designsShowing } from '../../db/design-media.ts';
import { BinnedEntries, OpenEntries } from './binned.store.ts';
import { Owners } from './owners.store.ts';
import { type Reference, References } from './references.store.ts';
import type { AimedPlan, ClearedPlace, GoneFile, GoneRow, Owner, Row, Snapshot } from './snapshot.ts';
import { createStatements, quoted } from './statements.store.ts';
import { ITEMS, KINDS, SHOWING, SHOWN, SHOWN_TABLES, TABLES } from './tables.ts';

/** A reference of a row to a missing record. */
type Missing = Reference & { readonly id: string };

/** A place that could not be restored, because its record is gone, changed, or in the bin itself. */
type Left = Pick<LeftPlace, 'reason'> & { readonly binned?: string | undefined };
export interface PutBack {
  readonly put: readonly Owner[];
  readonly left: readonly LeftPlace[];
  /** Plans that are restored, or that have content or targets again. */
  readonly plans: readonly string[];
}

/**
 * Maximum number of versions that are restored with their playlist, the newest first, because versions may be large.
 */
const MAX_VERSIONS_KEPT = 5;

const where = (names: readonly string[]) => names.map((name) => `${quoted(name)} IS @${name}`).join(' AND ');
const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]!]));

export class PlacesStore {
  readonly #db: Database;
  readonly #sql: ReturnType<typeof createStatements>;
  readonly #owners: Owners;
  /** Bin entries, which store the parts that cannot be restored yet. */
  readonly binned: BinnedEntries;
  #references: References | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = createStatements(db);
    this.#owners = new Owners(this.#sql);
    this.binned = new BinnedEntries(db);
  }

  /** The references are read at the first use, so that the start of the server is not delayed. */
  get #known(): References {
    return (this.#references ??= new References(this.#db));
  }

  /** Returns the snapshot of a record. Called before the record is deleted. */
  snapshot(kind: Exclude<BinKind, 'file'>, id: string): Snapshot {
    const rows: GoneRow[] = [];
    const places: ClearedPlace[] = [];
    const seen = new Set<string>();
    const ownerOf = this.#owners.finder();
    const visit = (table: string, row: Row, isOwn: boolean): void => {
      const key = `${table} ${JSON.stringify(pick(row, this.#known.keyOf(table)))}`;
      if (seen.has(key)) return;
      seen.add(key);
      const owner = isOwn ? this.#owners.memberOf(table, row) : ownerOf(table, row);
      const published = table === 'published_items' && !isOwn && { published_ms: this.#publishedMs(row.playlist_id!) };
      rows.push({ table, row, ...(owner && { owner }), ...published });
      if (typeof row.id !== 'string') return;
      for (const reference of this.#known.to(table))
        for (const found of this.#naming(reference, row.id)) {
          const isPart = isOwn && !(ITEMS.has(reference.table) && table !== 'playlists');
          if (reference.fate === 'goes') visit(reference.table, found, isPart);
          else if (isAllThatShows(reference, found)) visit(reference.table, found, false);
          else if (reference.fate === 'place')
            places.push(this.#placeOf(reference, found, ownerOf(reference.table, found)));
        }
    };
    visit(TABLES[kind], this.#all(TABLES[kind], ['id'], { id })[0]!, true);
    if (kind !== 'group') return { rows, places, plans: [] };
    const plans = this.#aimedAt(id);
    // A plan whose only target is a group without screens is deleted together with the group.
    const going = rows.some(({ table }) => table === 'group_members') ? [] : plans.filter(isForOne);
    for (const plan of going) visit('plans', this.#all('plans', ['id'], { id: plan.id })[0]!, false);
    return { rows, places, plans: plans.filter((plan) => !going.includes(plan)) };
  }

  belongs(kind: Exclude<BinKind, 'file'>, id: string, workspaceId: string): boolean {
    return this.#has(TABLES[kind], id, workspaceId);
  }

  /** Returns whether the record exists. */
  exists(kind: Exclude<BinKind, 'file'>, id: string): boolean {
    return this.#has(TABLES[kind], id);
  }

  /**
   * Restores a snapshot and its places (references from other records), as far as these are empty. The record gets a
   * new revision. References to a record in the bin are stored in the entry of that record. Called within a write
   * transaction, after the entry of this snapshot was deleted.
   */
  putBack({ rows, places, plans: aimed }: Snapshot): PutBack {
    const put = new Map<string, Owner>();
    const left = new Map<string, LeftPlace>();
    const plans = new Set(aimed.map(({ id }) => id));
    const note = (owner: Owner | undefined, why: Left | undefined) => {
      if (!owner) return;
      const key = `${owner.kind} ${owner.id}`;
      if (why) left.set(key, { ...owner, reason: why.reason, bin_id: why.binned ?? null });
      else put.set(key, owner);
    };
    const bin = this.#openBin();
    const lost = ({ target, id }: Missing) => {
      const binned = bin.holding(target, id);
      note({ kind: KINDS[target] ?? 'other', id, name: bin.nameOf(binned) }, { reason: 'gone', binned });
    };
    const [record] = rows;
    const isGuest = ({ table, owner }: GoneRow) => owner !== undefined && ITEMS.has(table);
    for (const gone of inOrder(rows.filter((row) => !isGuest(row)))) {
      const { table, row, owner } = gone;
      const isRecord = gone === record || table === 'plans';
      const back = isRecord ? { ...row, ...newer(row) } : row;
      const why = this.#insert(bin, { ...gone, row: back }, owner ? () => {} : lost);
      note(owner, why);
      if (!why && table === 'plans') plans.add(String(row.id));
      if (!why && table === 'plan_targets' && owner?.kind === 'plan') plans.add(owner.id);
    }
    const edited = new Set<Owner>();
    const edit = (owner: Owner, why: Left | undefined) => {
      note(owner, why);
      if (!why) edited.add(owner);
    };
    for (const items of byPlaylist(rows.filter(isGuest))) edit(items[0]!.owner!, this.#putItems(bin, items));
    for (const place of places) {
      const why = this.#putPlace(bin, place);
      edit(place.owner, why);
      if (!why && place.table === 'plans') plans.add(place.owner.id);
    }
    this.raise(edited);
    bin.save();
    return { put: [...put.values()], left: [...left.values()], plans: [...plans] };
  }

  /** Returns the designs that show a content as soon as it exists. */
  designsShowing(workspaceId: string, contentId: string): Owner[] {
    return designsShowing(this.#db, workspaceId, contentId).map((design) => ({ kind: 'design', ...design }));
  }

  /**
   * Returns the deleted contents that a restored design shows. A content that is not in the bin either has no name, and
   * the design shows a placeholder for it.
   */
  missingMedia(workspaceId: string, restored: Pick<Snapshot, 'rows'>): LeftPlace[] {
    const bin = this.#openBin();
    return this.binned.mediaIn(restored).flatMap((id): LeftPlace[] => {
      if (this.#has('content', id, workspaceId)) return [];
      const binned = bin.holding('content', id);
      return [{ kind: 'content', id, name: bin.nameOf(binned), reason: 'gone', bin_id: binned ?? null }];
    });
  }

  /**
   * Moves a plan without any target to the entry of one of its groups. Called within a write transaction.
   * @returns the entry; undefined: none of its groups is in the bin
   */
  storeIdlePlan({ rows }: Snapshot, planId: string): string | undefined {
    const isOf = ({ table, row }: GoneRow) => (table === 'plans' ? row.id : row.plan_id) === planId;
    const own = rows.filter(isOf);
    const bin = this.#openBin();
    const entry = own
      .filter(({ table, row }) => table === 'plan_targets' && row.kind === 'group')
      .map(({ row }) => bin.holding('groups', String(row.ref)))
      .find((found) => found !== undefined);
    if (entry === undefined) return undefined;
    const [plan] = own.filter(({ table }) => table === 'plans');
    const owner: Owner = { kind: 'plan', id: planId, name: String(plan?.row.title ?? '') };
    for (const gone of own) bin.addRow(entry, { ...gone, owner });
    bin.save();
    return entry;
  }

  /**
   * Makes a group the target of a plan in the bin again, unless the plan was changed. Called within a write
   * transaction.
   * @returns the entry
   */
  aimAgain(plan: AimedPlan, group: Owner, members: readonly string[]): string | undefined {
    const bin = this.#openBin();
    const entry = bin.aimAgain(plan, group, members);
    bin.save();
    return entry;
  }

  #openBin(): OpenEntries {
    return new OpenEntries(this.binned, (table) => this.#known.keyOf(table));
  }

  /** Returns the hashes of the files of a content. */
  filesOf(contentId: string): { readonly sha256: string; readonly size: number; readonly shared: 0 | 1 }[] {
    return this.#sql(
      `SELECT b.sha256, b.size, EXISTS (SELECT 1 FROM content o WHERE o.id <> @id AND ${contentNames('o', 'b.sha256')}) AS shared
         FROM blobs b WHERE b.sha256 IN (${FILES_OF_CONTENT})`,
    ).all({ id: contentId }) as { sha256: string; size: number; shared: 0 | 1 }[];
  }

  /** Returns the columns of a content that describe its file. */
  fileOf(contentId: string): GoneFile {
    return pick(this.#all('content', ['id'], { id: contentId })[0]!, FILE_COLUMNS);
  }

  /** Restores the previous file of a content. Called within a write transaction. */
  putFile(contentId: string, file: GoneFile, now: number): void {
    const set = FILE_COLUMNS.map((column) => `${quoted(column)} = @${column}`).join(', ');
    this.#sql(
      `UPDATE content SET ${set}, search_name = vitrine_fold(@filename), revision = revision + 1, updated_at = @now WHERE id = @id`,
    ).run({ ...NO_FILE, ...file, now, id: contentId });
  }

  #all(table: string, names: readonly string[], values: Row): Row[] {
    return this.#sql(`SELECT * FROM ${quoted(table)} WHERE ${where(names)}`).all(values) as Row[];
  }

  #has(table: string, id: string, workspaceId?: string): boolean {
    const found = this.#sql(`SELECT * FROM ${quoted(table)} WHERE id = ?`).get(id) as Row | undefined;
    return found !== undefined && (workspaceId === undefined || found['workspace_id'] === workspaceId);
  }

  #naming({ table, column }: Reference, id: string): Row[] {
    const newest = table === 'playlist_versions' ? ` ORDER BY id DESC LIMIT ${MAX_VERSIONS_KEPT}` : '';
    return this.#sql(`SELECT * FROM ${quoted(table)} WHERE ${quoted(column)} = ?${newest}`).all(id) as Row[];
  }

  #placeOf({ table, column }: Reference, row: Row, owner: Owner): ClearedPlace {
    const beside = SHOWING.has(table) && SHOWN.includes(column) ? SHOWN.filter((c) => c !== column && c in row) : [];
    return {
      table,
      key: pick(row, this.#known.keyOf(table)),
      column,
      value: String(row[column]),
      beside: pick(row, beside),
      owner,
    };
  }

  /** Returns the time of the last publication of a playlist; undefined: no such playlist. */
  #publishedMs(playlistId: unknown): number | null | undefined {
    const statement = this.#sql('SELECT published_ms FROM playlists WHERE id = ?').pluck();
    return statement.get(playlistId) as number | null | undefined;
  }

  #aimedAt(groupId: string): AimedPlan[] {
    const plans = this.#sql(
      "SELECT id, title AS name FROM plans WHERE id IN (SELECT plan_id FROM plan_targets WHERE kind = 'group' AND ref = ?)",
    ).all(groupId) as { id: string; name: string }[];
    return plans.map((plan) => ({ ...plan, targets: this.targets(plan.id) }));
  }

  /** Returns the targets of a plan. */
  targets(planId: string): AimedPlan['targets'] {
    return this.#sql('SELECT kind, ref AS id FROM plan_targets WHERE plan_id = ? ORDER BY position').all(
      planId,
    ) as unknown as AimedPlan['targets'];
  }

  /** Returns the missing records that a row refers to. */
  #missingOf({ table, row }: GoneRow): Missing[] {
    const missing = this.#known.from(table).flatMap((reference): Missing[] => {
      const id = row[reference.column];
      return typeof id !== 'string' || this.#has(reference.target, id) ? [] : [{ ...reference, id }];
    });
    const ofTarget = table === 'plan_targets' && row.kind !== 'tag' ? `${row.kind}s` : undefined;
    if (ofTarget === undefined || this.#has(ofTarget, String(row.ref))) return missing;
    return [...missing, { table, column: 'ref', target: ofTarget, fate: 'goes', id: String(row.ref) }];
  }

  /**
   * Inserts a row, and passes missing records to `lost`. The row is inserted without the missing records, unless it was
   * a part of one of them. If the missing record is in the bin, its entry stores the row or the reference.
   */
  #insert(bin: OpenEntries, gone: GoneRow, lost: (missing: Missing) => void): Left | undefined {
    const { table, row } = gone;
    const missing = this.#missingOf(gone);
    const [part] = missing.filter(({ fate }) => fate === 'goes');
    for (const one of part ? [part] : missing) lost(one);
    if (part) return { reason: 'gone', binned: this.#keepRow(bin, gone, part) };
    const back: Row = { ...row, ...Object.fromEntries(missing.map(({ column }) => [column, null])) };
    const columns = this.#known.columnsOf(table).filter((column) => column in back);
    const { changes } = this.#sql(
      `INSERT OR IGNORE INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map((c) => `@${c}`).join(', ')})`,
    ).run(pick(back, columns));
    if (changes === 0) return { reason: 'taken' };
    for (const { fate, target, id, ...reference } of missing) {
      const entry = fate === 'place' ? bin.holding(target, id) : undefined;
      if (entry) bin.addPlace(entry, this.#placeOf({ ...reference, target, fate }, row, this.#owners.of(table, row)));
    }
    return undefined;
  }

  /**
   * Stores a row in the bin entry of the record that the row is a part of.
   * @returns the entry
   */
  #keepRow(bin: OpenEntries, { table, row, ...more }: GoneRow, { target, id }: Missing): string | undefined {
    const entry = bin.holding(target, id);
    if (entry === undefined) return undefined;
    const owner = ITEMS.has(table) && more.owner ? more.owner : this.#owners.of(table, row);
    const published_ms = more.published_ms ?? this.#publishedMs(row.playlist_id ?? null);
    bin.addRow(entry, { table, row, owner, ...(table === 'published_items' && { published_ms }) });
    return entry;
  }

  /** Puts items of one playlist back to their positions, in its draft or its published snapshot. */
  #putItems(bin: OpenEntries, items: readonly GoneRow[]): Left | undefined {
    const [{ table, row, published_ms }] = items as readonly [GoneRow];
    const playlist = row.playlist_id!;
    const now = this.#publishedMs(playlist);
    if (now === undefined) {
      const binned = bin.holding('playlists', String(playlist));
      if (binned !== undefined) for (const item of items) bin.addRow(binned, item);
      return { reason: 'gone', binned };
    }
    // The playlist was published without these items since then, so the items return only to the draft, and a person
    // decides about publishing.
    if (table === 'published_items' && now !== published_ms) {
      this.#sql("UPDATE playlists SET status = 'draft' WHERE id = ?").run(playlist);
      return undefined;
    }
    const order = this.#sql(`SELECT id, sort_order FROM ${table} WHERE playlist_id = ? ORDER BY sort_order, id`).all(
      playlist,
    ) as Row[];
    if (order.length + items.length > MAX_PLAYLIST_ITEMS) return { reason: 'full' };
    const back = items.filter((item) => this.#insert(bin, item, () => {}) === undefined).map((item) => item.row);
    // Restored items go before items that now have the same position. Gaps between positions stay, for items that are
    // restored later.
    const all = [...back, ...order].sort((a, b) => Number(a.sort_order) - Number(b.sort_order));
    const set = this.#sql(`UPDATE ${table} SET sort_order = ? WHERE id = ? AND playlist_id = ?`);
    let next = 0;
    for (const { id, sort_order } of all) {
      const position = Math.max(next, Number(sort_order));
      if (sort_order !== position) set.run(position, id, playlist);
      next = position + 1;
    }
    return undefined;
  }

  #putPlace(bin: OpenEntries, place: ClearedPlace): Left | undefined {
    const { table, key, column, value } = place;
    const names = Object.keys(key);
    const [row] = this.#all(table, names, key);
    const isFree = (now: Row) => this.#isFreeBeside(now, place);
    if (!row) return { reason: 'gone', binned: bin.fillIn(place, isFree) };
    if (row[column] !== null || !isFree(row)) return { reason: 'taken' };
    this.#sql(`UPDATE ${quoted(table)} SET ${quoted(column)} = @to WHERE ${where(names)}`).run({ ...key, to: value });
    return undefined;
  }

  /** Returns whether the alternative columns of a place are unchanged, or empty because their record is deleted. */
  #isFreeBeside(now: Row, { beside }: ClearedPlace): boolean {
    return Object.entries(beside).every(
      ([column, was]) =>
        now[column] === was ||
        (now[column] === null && typeof was === 'string' && !this.#has(SHOWN_TABLES[column]!, was)),
    );
  }

  /**
   * Raises the revision, so that nobody overwrites a record from an outdated copy. Called within a write transaction.
   */
  raise(owners: Iterable<Owner>): void {
    for (const { kind, id } of owners) {
      const table = Object.keys(KINDS).find((name) => KINDS[name] === kind);
      if (table !== undefined && this.#known.columnsOf(table).includes('revision'))
        this.#sql(`UPDATE ${quoted(table)} SET revision = revision + 1 WHERE id = ?`).run(id);
    }
  }
}

/** Columns of a content that change with its file. */
const FILE_COLUMNS = [
  'filename',
  'mime_type',
  'kind',
  'file_size',
  'duration_sec',
  'width',
  'height',
  'remote_url',
  'sha256',
  'thumbnail',
  'original_sha256',
  'fetched_at',
  'fetch_error',
];

/** Bin entries of older versions lack columns that were added later. */
const NO_FILE: Row = Object.fromEntries(FILE_COLUMNS.map((column) => [column, null]));

const isForOne = ({ targets }: AimedPlan): boolean => targets.length === 1;

/** Returns whether the row is a plan that shows only this record, and is deleted together with it. */
const isAllThatShows = ({ table, column }: Reference, row: Row): boolean =>
  table === 'plans' && SHOWN.includes(column) && SHOWN.every((other) => other === column || row[other] === null);

/** Sorts rows that refer to a plan after the plans. */
const inOrder = (rows: readonly GoneRow[]): GoneRow[] => {
  const isOfPlan = ({ table }: GoneRow) => table === 'plan_targets' || table === 'schedules';
  return [...rows.filter((row) => !isOfPlan(row)), ...rows.filter(isOfPlan)];
};

const newer = (row: Row): Row => (typeof row.revision === 'number' ? { revision: row.revision + 1 } : {});

const byPlaylist = (items: readonly GoneRow[]): GoneRow[][] => {
  const lists = new Map<string, GoneRow[]>();
  for (const item of items) {
    const key = `${item.table} ${item.row.playlist_id}`;
    const list = lists.get(key);
    if (list) list.push(item);
    else lists.set(key, [item]);
  }
  return [...lists.values()];
};
