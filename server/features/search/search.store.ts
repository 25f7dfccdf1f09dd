import type { Statement } from 'better-sqlite3';
import type { SearchHit, SearchKind } from '../../../shared/contract/server/search.ts';
import type { Database } from '../../db/database.ts';

/**
 * Kinds whose names are kept in memory (names.ts). Contents are too many for this; the database contains their folded
 * names.
 */
export type KeptKind = Exclude<SearchKind, 'content'>;

/** Kinds without records of their own: tags of screens, and labels of contents. */
export type WordKind = 'tag' | 'label';
export const isWord = (kind: SearchKind): kind is WordKind => kind === 'tag' || kind === 'label';

export interface NameRow {
  readonly rowid: number;
  readonly id: string;
  readonly name: string;
  /** Additional text that the search matches. */
  readonly also: string | null;
  /** 1 if the record is found by its id only, and not by its name. */
  readonly unlisted: number;
}

export type Named = Pick<NameRow, 'id' | 'name'>;

/** Details of a search result in addition to its name. */
export type Details = Partial<Pick<SearchHit, 'hint' | 'type' | 'thumbnail' | 'screens'>>;

const named = (name = 't.name', also = 'NULL', unlisted = '0') =>
  `SELECT t.rowid, t.id, ${name} AS name, ${also} AS also, ${unlisted} AS unlisted`;
const records = (table: string) => `${named()} FROM ${table} AS t WHERE t.workspace_id = @workspace`;

/** Name of the record that the plan shows, if the plan has no title. */
const PLANNED = `coalesce(nullif(t.title, ''), p.name, c.filename, w.name, l.name, '')`;
const PLANNED_OF = `LEFT JOIN playlists p ON p.id = t.playlist_id LEFT JOIN content c ON c.id = t.content_id
  LEFT JOIN widgets w ON w.id = t.widget_id LEFT JOIN layouts l ON l.id = t.layout_id`;

/** Tables of kinds with one row per record, with the alias `t`. */
const NAMES: Record<Exclude<KeptKind, WordKind>, string> = {
  device: records('devices'),
  group: records('groups'),
  folder: records('folders'),
  // A screen's own playlist can be found only by id, because people reach it through its screen, and no other screen
  // may play it.
  playlist: `${named('t.name', 'NULL', 't.owner_device_id IS NOT NULL')} FROM playlists AS t WHERE t.workspace_id = @workspace`,
  widget: records('widgets'),
  // Templates belong to no workspace and are visible in all workspaces.
  layout: `${named()} FROM layouts AS t WHERE (t.workspace_id = @workspace OR t.workspace_id IS NULL)`,
  wall: records('walls'),
  kiosk: records('kiosk_pages'),
  plan: `${named(PLANNED)} FROM plans AS t ${PLANNED_OF} WHERE t.workspace_id = @workspace`,
  person: `${named('t.name', 't.email')} FROM users AS t
    WHERE t.id IN (SELECT user_id FROM workspace_members WHERE workspace_id = @workspace)`,
};

const WORDS: Record<WordKind, string> = {
  tag: `SELECT DISTINCT g.tag AS id, g.tag AS name FROM devices d JOIN device_tags g ON g.device_id = d.id
    WHERE d.workspace_id = @workspace ORDER BY vitrine_order(g.tag), g.tag`,
  label: `SELECT DISTINCT folder AS id, folder AS name FROM content
    WHERE workspace_id = @workspace AND folder <> '' ORDER BY vitrine_order(folder), folder`,
};

const of = (table: string) => `FROM ${table} AS t WHERE t.id IN (SELECT value FROM json_each(@ids))`;
const thumbnailOf = (content: string) =>
  `(CASE WHEN ${content}.thumbnail IS NULL THEN NULL ELSE '/api/content/' || ${content}.id || '/thumbnail' END)`;

/** SQL by kind: selects for each of `@ids` the fields of `Details` that the kind has. */
const DETAILS: Partial<Record<SearchKind, string>> = {
  device: `SELECT t.id, coalesce((SELECT group_concat(g.name, ', ') FROM group_members m JOIN groups g ON g.id = m.group_id
    WHERE m.device_id = t.id), '') AS hint ${of('devices')}`,
  group: `SELECT t.id, (SELECT count(*) FROM group_members m WHERE m.group_id = t.id) AS screens ${of('groups')}`,
  tag: `SELECT g.tag AS id, count(*) AS screens FROM json_each(@ids) AS j JOIN device_tags g ON g.tag = j.value
    JOIN devices d ON d.id = g.device_id WHERE d.workspace_id = @workspace GROUP BY g.tag`,
  playlist: `SELECT t.id, t.description AS hint, (SELECT ${thumbnailOf('c')} FROM playlist_items i JOIN content c ON c.id = i.content_id
    WHERE i.playlist_id = t.id AND c.thumbnail IS NOT NULL ORDER BY i.sort_order LIMIT 1) AS thumbnail ${of('playlists')}`,
  content: `SELECT t.id, coalesce((SELECT f.name FROM folders f WHERE f.id = t.folder_id), t.folder) AS hint,
    t.kind AS type, ${thumbnailOf('t')} AS thumbnail ${of('content')}`,
  folder: `SELECT t.id, coalesce((SELECT f.name FROM folders f WHERE f.id = t.parent_id), '') AS hint ${of('folders')}`,
  widget: `SELECT t.id, t.widget_type AS type ${of('widgets')}`,
  layout: `SELECT t.id, (CASE t.is_template WHEN 1 THEN 'template' ELSE '' END) AS type ${of('layouts')}`,
  wall: `SELECT t.id, (SELECT count(*) FROM wall_members m WHERE m.wall_id = t.id) AS screens ${of('walls')}`,
  person: `SELECT t.id, t.email AS hint, m.role AS type FROM users AS t
    JOIN workspace_members m ON m.user_id = t.id AND m.workspace_id = @workspace
    WHERE t.id IN (SELECT value FROM json_each(@ids))`,
};

/** Character above every used character, for the end of a prefix range. */
const LAST = '\u{10ffff}';

/** Maximum number of matches that are ranked. The newest matches are taken. */
const MAX_RANKED = 1000;

export class SearchStore {
  readonly #db: Database;
  readonly #prepared = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the next `limit` rows after `after`, in the order of creation. */
  names(workspace: string, kind: Exclude<KeptKind, WordKind>, after: number, limit: number): NameRow[] {
    const sql = `${NAMES[kind]} AND t.rowid > @after ORDER BY t.rowid LIMIT @limit`;
    return this.#statement(sql).all({ workspace, after, limit }) as NameRow[];
  }

  /** Returns the records of the given ids that exist. */
  namesOf(workspace: string, kind: Exclude<KeptKind, WordKind>, ids: readonly string[]): NameRow[] {
    const sql = `${NAMES[kind]} AND t.id IN (SELECT value FROM json_each(@ids))`;
    return this.#statement(sql).all({ workspace, ids: JSON.stringify(ids) }) as NameRow[];
  }

  /** Returns the tags or labels in use, sorted. */
  words(workspace: string, kind: WordKind): Named[] {
    return this.#statement(WORDS[kind]).all({ workspace }) as Named[];
  }

  /** Returns the devices in any of these groups. */
  membersOf(groupIds: readonly string[]): Set<string> {
    const sql = 'SELECT device_id FROM group_members WHERE group_id IN (SELECT value FROM json_each(@ids))';
    return new Set(
      this.#statement(sql)
        .pluck()
        .all({ ids: JSON.stringify(groupIds) }) as string[],
    );
  }

  newestContents(workspace: string, limit: number): Named[] {
    const sql = `SELECT id, filename AS name FROM content WHERE workspace_id = @workspace
      ORDER BY created_at DESC, id DESC LIMIT @limit`;
    return this.#statement(sql).all({ workspace, limit }) as Named[];
  }

  contentsOf(workspace: string, ids: readonly string[]): Named[] {
    const sql = `SELECT id, filename AS name FROM content WHERE workspace_id = @workspace
      AND id IN (SELECT value FROM json_each(@ids))`;
    return this.#statement(sql).all({ workspace, ids: JSON.stringify(ids) }) as Named[];
  }

  countContents(workspace: string): number {
    return this.#number('SELECT count(*) FROM content WHERE workspace_id = @workspace', { workspace });
  }

  /** Returns contents whose names start with a text, the first of them in order of names. */
  contentsBeginning(workspace: string, text: string, limit: number): FoldedContent[] {
    const sql = `SELECT id, search_name AS text FROM content WHERE workspace_id = @workspace
      AND search_name >= @text AND search_name < @end ORDER BY search_name, id LIMIT @limit`;
    return this.#statement(sql).all({ workspace, text, end: text + LAST, limit }) as FoldedContent[];
  }

  /** Returns the newest contents with all of these words, and the total. Uses only an index and reads no rows. */
  contentsWith(workspace: string, words: readonly string[]): { newest: FoldedContent[]; total: number } {
    const from = `FROM content INDEXED BY content_newest WHERE workspace_id = @workspace
      AND ${words.map((_, i) => `instr(search_name, @word${i}) > 0`).join(' AND ')}`;
    const asked = { workspace, ...Object.fromEntries(words.map((word, i) => [`word${i}`, word])) };
    const newest = this.#statement(
      `SELECT id, search_name AS text ${from} ORDER BY created_at DESC, id DESC LIMIT ${MAX_RANKED}`,
    ).all(asked) as FoldedContent[];
    const total = newest.length < MAX_RANKED ? newest.length : this.#number(`SELECT count(*) ${from}`, asked);
    return { newest, total };
  }

  details(workspace: string, kind: SearchKind, ids: readonly string[]): Map<string, Details> {
    const sql = DETAILS[kind];
    if (sql === undefined || ids.length === 0) return new Map();
    const rows = this.#statement(sql).all({ ids: JSON.stringify(ids), workspace }) as (Details & { id: string })[];
    return new Map(rows.map(({ id, ...details }) => [id, details]));
  }

  #number(sql: string, asked: Record<string, unknown>): number {
    return this.#statement(sql).pluck().get(asked) as number;
  }

  /** Prepares each statement once, at its first use, because preparing costs more than running. */
  #statement(sql: string): Statement {
    let found = this.#prepared.get(sql);
    if (!found) this.#prepared.set(sql, (found = this.#db.raw.prepare(sql)));
    return found;
  }
}

/** A content with its name in folded form for the search. */
export interface FoldedContent {
  readonly id: string;
  readonly text: string;
}
