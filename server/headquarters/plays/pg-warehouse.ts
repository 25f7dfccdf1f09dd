/**
 * The warehouse in PostgreSQL, for chains of some thousand stores. PostgreSQL knows stores by their refs and numbers
 * them separately. Store numbers of headquarters' own database cannot be used: after a restore, this database may
 * assign a number a second time.
 */
import { createHash } from 'node:crypto';
import { CAMPAIGN_ID_LENGTH } from '../../../shared/chain/campaign-ids.ts';
import type { Epoch } from '../../../shared/chain/cursor.ts';
import { isCountable, type SumRow, type SumsQuestion, type TotalsRow } from '../../features/reports/chain-questions.ts';
import type { PgAsk } from './pg-connection.ts';
import {
  type CursorRow,
  movedOn,
  type Period,
  type SegmentRow,
  type SumsAsked,
  type Taken,
  type Warehouse,
  type Whose,
} from './warehouse.ts';

/**
 * Maximum length in characters of indexed values. An index row has room for 2,700 bytes, and a character takes up to
 * three bytes.
 */
const MAX_REF = 500;
const MAX_PLAY = 500;
/**
 * Limits for the number of stores in a query. Up to FEW stores, each store is looked up in the index. Up to MANY
 * stores, the query filters the rows by store.
 */
const FEW = 50;
const MANY = 500;

const OF_STORE = 'store = (SELECT id FROM vitrine.stores WHERE ref = $1)';
/** SQL columns of a segment. The store number is the number in headquarters' own database. */
const SEGMENT = (store: string) =>
  `id, ${store} AS store, epoch, first, last, plays, from_ms, to_ms, fresh, dropped, pack, "offset", bytes`;

const TAKE = `WITH moved AS (
    UPDATE vitrine.cursors SET through = $3, head = $4 WHERE ${OF_STORE} AND epoch = $2 AND through = $5 RETURNING store),
  segment AS (
    INSERT INTO vitrine.segments (store, epoch, first, last, plays, from_ms, to_ms, fresh, dropped, pack, "offset", bytes)
      SELECT store, $2, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM moved RETURNING id, store),
  marked AS (
    INSERT INTO vitrine.marks (store, device, segment)
      SELECT store, device, id FROM segment, unnest($16::text[]) AS m (device) ON CONFLICT DO NOTHING),
  overlapping AS (
    INSERT INTO vitrine.overlaps (store, play)
      SELECT store, play FROM moved, unnest($17::bytea[]) AS o (play) ON CONFLICT DO NOTHING),
  given AS (
    SELECT * FROM unnest($18::text[], $19::text[], $20::text[], $21::bigint[]) WITH ORDINALITY AS g (kind, ref, name, at, place)),
  named AS (
    INSERT INTO vitrine.subjects AS s (store, kind, ref, name, named_ms)
      SELECT DISTINCT ON (kind, ref) store, kind, ref, name, at FROM moved, given ORDER BY kind, ref, at DESC
      ON CONFLICT (store, kind, ref) DO UPDATE SET
        name = CASE WHEN excluded.named_ms >= s.named_ms THEN excluded.name ELSE s.name END,
        named_ms = greatest(s.named_ms, excluded.named_ms)
      RETURNING id, kind, ref),
  numbered AS (SELECT g.place - 1 AS place, n.id FROM given g JOIN named n USING (kind, ref)),
  added AS (
    SELECT a.day, store, d.id AS device, s.id AS shown, sum(a.plays) AS plays, sum(a.ms) AS ms
      FROM moved, unnest($22::int[], $23::int[], $24::int[], $25::int[], $26::float8[]) AS a (day, device, shown, plays, ms)
      JOIN numbered s ON s.place = a.shown LEFT JOIN numbered d ON d.place = a.device GROUP BY a.day, store, d.id, s.id),
  of_all AS (
    INSERT INTO vitrine.sums AS s (day, store, shown, plays, ms)
      SELECT day, store, shown, plays, ms FROM added WHERE device IS NULL
      ON CONFLICT (day, store, shown) DO UPDATE SET plays = s.plays + excluded.plays, ms = s.ms + excluded.ms),
  of_each AS (
    INSERT INTO vitrine.screen_sums AS s (day, store, device, shown, plays, ms)
      SELECT day, store, device, shown, plays, ms FROM added WHERE device IS NOT NULL
      ON CONFLICT (store, day, device, shown) DO UPDATE SET plays = s.plays + excluded.plays, ms = s.ms + excluded.ms)
  SELECT count(*) AS taken FROM moved`;

export class PgWarehouse implements Warehouse {
  readonly #connection: { readonly quick: PgAsk; readonly long: PgAsk };

  constructor(connection: { readonly quick: PgAsk; readonly long: PgAsk }) {
    this.#connection = connection;
  }

  cursors({ ref }: Whose): Promise<CursorRow[]> {
    return this.#connection.quick({
      name: 'cursors',
      text: `SELECT epoch, first, through, head FROM vitrine.cursors WHERE ${OF_STORE} ORDER BY place`,
      values: [ref],
    });
  }

  async begin({ ref }: Whose, { epoch, first }: Epoch, head: string): Promise<void> {
    await this.#connection.quick({
      text: `WITH s AS (INSERT INTO vitrine.stores (ref) VALUES ($1) ON CONFLICT (ref) DO UPDATE SET ref = excluded.ref RETURNING id)
        INSERT INTO vitrine.cursors (store, epoch, first, through, head) SELECT id, $2, $3, $4, $5 FROM s`,
      values: [ref, epoch, first, first - 1, head],
    });
  }

  async storeSegment(
    { ref }: Whose,
    { segment, marks, overlaps, subjects, sums, cursor, before }: Taken,
  ): Promise<void> {
    const { first, last, plays, from_ms, to_ms, fresh, dropped, pack, offset, bytes } = segment;
    const [found] = await this.#connection.quick<{ taken: number }>({
      name: 'take',
      text: TAKE,
      values: [
        ...[ref, cursor.epoch, cursor.through, cursor.head, before],
        ...[first, last, plays, from_ms, to_ms, fresh, dropped, pack, offset, bytes],
        marks.map(cleanOf),
        overlaps.map(playKey),
        subjects.map(({ kind }) => kind),
        subjects.map((subject) => refKey(subject.ref)),
        subjects.map(({ name }) => cleanOf(name)),
        subjects.map(({ at }) => at),
        sums.map(({ day }) => day),
        sums.map(({ device }) => device),
        sums.map(({ shown }) => shown),
        sums.map((sum) => sum.plays),
        sums.map(({ ms }) => ms),
      ],
    });
    if (found?.taken !== 1) throw movedOn();
  }

  async noteOverlaps({ ref }: Whose, plays: readonly Buffer[]): Promise<void> {
    await this.#connection.quick({
      text: 'INSERT INTO vitrine.overlaps (store, play) SELECT id, play FROM vitrine.stores, unnest($2::bytea[]) AS o (play) WHERE ref = $1 ON CONFLICT DO NOTHING',
      values: [ref, plays.map(playKey)],
    });
  }

  async overlapsAmong({ ref }: Whose, plays: readonly Buffer[]): Promise<Buffer[]> {
    const found = await this.#connection.quick<{ play: Buffer }>({
      name: 'overlaps',
      text: `SELECT play FROM vitrine.overlaps WHERE ${OF_STORE} AND play = ANY ($2::bytea[])`,
      values: [ref, plays.map(playKey)],
    });
    if (found.length === 0) return [];
    const noted = new Set(found.map(({ play }) => play.toString('hex')));
    return plays.filter((play) => noted.has(playKey(play).toString('hex')));
  }

  async endOf(pack: string): Promise<number> {
    const [found] = await this.#connection.quick<{ end: number }>({
      name: 'end',
      text: 'SELECT "offset" + bytes AS end FROM vitrine.segments WHERE pack = $1 ORDER BY "offset" DESC LIMIT 1',
      values: [pack],
    });
    return found?.end ?? 0;
  }

  packsIn({ ref }: Whose): Promise<{ pack: string; bytes: number }[]> {
    // With this form of the query, PostgreSQL looks up each file in the index instead of reading all rows.
    return this.#connection.quick({
      text: `WITH RECURSIVE p (pack) AS (
          (SELECT pack FROM vitrine.segments WHERE pack > $1 AND pack < $2 ORDER BY pack LIMIT 1)
          UNION ALL SELECT (SELECT pack FROM vitrine.segments WHERE pack > p.pack AND pack < $2 ORDER BY pack LIMIT 1)
            FROM p WHERE p.pack IS NOT NULL)
        SELECT pack, (SELECT "offset" + bytes FROM vitrine.segments s WHERE s.pack = p.pack ORDER BY "offset" DESC LIMIT 1) AS bytes
          FROM p WHERE pack IS NOT NULL`,
      // Range that contains all paths beginning with the ref and a slash: “0” is the character after “/”.
      values: [`${ref}/`, `${ref}0`],
    });
  }

  async isIn(paths: readonly string[], { ref }: Whose, { start, end }: Period): Promise<boolean> {
    const found = await this.#connection.long({
      text: `SELECT FROM vitrine.segments WHERE ${OF_STORE} AND to_ms >= $2 AND from_ms < $3 AND plays > 0 AND pack = ANY ($4::text[]) LIMIT 1`,
      values: [ref, start, end, paths],
    });
    return found.length > 0;
  }

  async segmentFrom({ id, ref }: Whose, epoch: string, first: number): Promise<SegmentRow | undefined> {
    const [found] = await this.#connection.quick<SegmentRow>({
      text: `SELECT ${SEGMENT('$4::int')} FROM vitrine.segments WHERE ${OF_STORE} AND epoch = $2 AND last >= $3 ORDER BY last LIMIT 1`,
      values: [ref, epoch, first, id],
    });
    return found;
  }

  newestSegments(
    stores: readonly Whose[],
    { start, end }: Period,
    { before, limit }: { before: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]> {
    const page = (store: string) =>
      `store = ${store} AND (to_ms, id) < ($3::bigint, $4::bigint) AND to_ms >= $5 AND from_ms < $6 AND plays > 0 ORDER BY to_ms DESC, id DESC LIMIT $7`;
    const from =
      stores.length <= FEW
        ? `wanted w CROSS JOIN LATERAL (SELECT * FROM vitrine.segments WHERE ${page('w.there')}) g ORDER BY to_ms DESC, id DESC LIMIT $7`
        : `vitrine.segments g JOIN wanted w ON w.there = g.store WHERE ${page('g.store')}`;
    return this.#connection.long({
      text: `WITH ${WANTED} SELECT ${SEGMENT('w.here').replace(/^id/, 'g.id')} FROM ${from}`,
      values: [...hereAndThere(stores), before.to_ms, before.id, start, end, limit],
    });
  }

  segmentsOf(
    { id, ref }: Whose,
    { start, end }: Period,
    { after, limit }: { after: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]> {
    return this.#connection.long({
      text: `SELECT ${SEGMENT('$2::int')} FROM vitrine.segments WHERE ${OF_STORE} AND to_ms >= $3 AND (to_ms, id) > ($4::bigint, $5::bigint)
        AND from_ms < $6 AND plays > 0 ORDER BY to_ms, id LIMIT $7`,
      values: [ref, id, start, after.to_ms, after.id, end, limit],
    });
  }

  spansOf({ ref }: Whose, { start, end }: Period): Promise<{ epoch: string; from: number; to: number }[]> {
    return this.#connection.long({
      text: `SELECT epoch, min(last) AS "from", max(last) AS "to" FROM vitrine.segments
        WHERE ${OF_STORE} AND to_ms >= $2 AND from_ms < $3 AND plays > 0 GROUP BY epoch ORDER BY min(id)`,
      values: [ref, start, end],
    });
  }

  async beginningOf({ ref }: Whose, epoch: string, last: number, back: number): Promise<number> {
    const [found] = await this.#connection.long<{ last: number | null }>({
      text: `WITH looked AS (SELECT id, last FROM vitrine.segments WHERE ${OF_STORE} AND epoch = $2 AND last <= $3 ORDER BY last DESC LIMIT $4)
        SELECT min(newest) AS last FROM (SELECT max(l.last) AS newest FROM vitrine.marks m JOIN looked l ON l.id = m.segment WHERE ${OF_STORE} GROUP BY m.device) n`,
      values: [ref, epoch, last, back + 1],
    });
    return found?.last ?? last;
  }

  between(
    { id, ref }: Whose,
    epoch: string,
    { from, to }: { from: number; to: number },
    limit: number,
  ): Promise<SegmentRow[]> {
    return this.#connection.long({
      text: `SELECT ${SEGMENT('$2::int')} FROM vitrine.segments WHERE ${OF_STORE} AND epoch = $3 AND last BETWEEN $4 AND $5 ORDER BY last LIMIT $6`,
      values: [ref, id, epoch, from, to, limit],
    });
  }

  async sums(asked: SumsAsked): Promise<{ rows: SumRow[]; total: number }> {
    const { by, limit, offset } = asked;
    const { columns, group } = KEYS[by];
    const isScreens = by === 'screen';
    const order = by === 'day' ? 'day' : 'plays DESC, name, store, campaign NULLS FIRST';
    const found = await this.#connection.long<SumRow & { total: number }>({
      text: `${gathered(asked, { by, device: isScreens })} SELECT ${columns}, sum(m.plays)::bigint AS plays, sum(m.ms) AS ms,
        count(DISTINCT m.store) AS stores, ${isScreens ? '1' : 'NULL'}::int AS screens, count(*) OVER () AS total
        FROM m ${ASKED} GROUP BY ${group} ORDER BY ${order} LIMIT $7 OFFSET $8`,
      values: [...valuesOf(asked), limit, offset],
    });
    const rows = found.map(({ total: _, ...row }) => row);
    const total = found[0]?.total ?? (offset > 0 ? (await this.sums({ ...asked, limit: 1, offset: 0 })).total : 0);
    return { rows: isScreens ? rows : await this.#withScreens(asked, rows), total };
  }

  async totals(asked: Which): Promise<TotalsRow> {
    const by = 'content';
    const [found] = await this.#connection.long<Omit<TotalsRow, 'screens'>>({
      text: `${gathered(asked, { by, device: false })} SELECT coalesce(sum(m.plays), 0)::bigint AS plays, coalesce(sum(m.ms), 0) AS ms,
        count(DISTINCT m.store) AS stores, count(DISTINCT m.name) AS contents FROM m ${ASKED}`,
      values: valuesOf(asked),
    });
    if (!isCountable(asked)) return { ...found!, screens: null };
    const [counted] = await this.#connection.long<{ screens: number }>({
      text: `${gathered(asked, { by: 'store', device: true })} SELECT count(DISTINCT m.device) AS screens FROM m ${ASKED}`,
      values: valuesOf(asked),
    });
    return { ...found!, screens: counted!.screens };
  }

  async campaignNames(campaigns: readonly string[], stores: readonly Whose[]): Promise<Record<string, string>> {
    const found = await this.#connection.long<{ ref: string; name: string }>({
      text: `SELECT c.ref, c.name FROM vitrine.stores w JOIN vitrine.subjects c ON c.store = w.id
        WHERE w.ref = ANY ($1::text[]) AND c.kind = 'campaign' AND c.ref = ANY ($2::text[]) AND c.name <> '' ORDER BY c.named_ms, c.name`,
      values: [stores.map(({ ref }) => ref), campaigns.map(cleanOf)],
    });
    return Object.fromEntries(found.map(({ ref, name }) => [ref, name]));
  }

  /** Does nothing, because a long deletion in PostgreSQL does not block other requests. */
  async thin(): Promise<void> {}

  async forget({ ref }: Whose): Promise<void> {
    const tables = ['cursors', 'segments', 'marks', 'overlaps', 'subjects', 'sums', 'screen_sums'];
    await this.#connection.long({
      text: `WITH gone AS (DELETE FROM vitrine.stores WHERE ref = $1 RETURNING id),
        ${tables.map((table) => `of_${table} AS (DELETE FROM vitrine.${table} t USING gone WHERE t.store = gone.id)`).join(', ')}
        SELECT FROM gone`,
      values: [ref],
    });
  }

  async #withScreens(asked: SumsAsked, rows: readonly SumRow[]): Promise<SumRow[]> {
    if (!isCountable(asked)) return [...rows];
    const { by } = asked;
    const { columns, group } = KEYS[by];
    const counted = await this.#connection.long<Pick<SumRow, Key | 'screens'>>({
      text: `${gathered(asked, { by, device: true })} SELECT ${columns}, count(DISTINCT m.device) AS screens FROM m ${ASKED} GROUP BY ${group}`,
      values: valuesOf(asked),
    });
    const keyOf = ({ name, store, day, campaign }: Pick<SumRow, Key>) => JSON.stringify([name, store, day, campaign]);
    const screens = new Map(counted.map((row) => [keyOf(row), row.screens]));
    return rows.map((row) => ({ ...row, screens: screens.get(keyOf(row)) ?? 0 }));
  }
}

const CAMPAIGN = `CASE WHEN m.kind = 'of_campaign' THEN left(m.ref, ${CAMPAIGN_ID_LENGTH}) END`;
/** Selects NULL for each key column that the grouping does not use. */
const NONE = {
  name: 'NULL AS name',
  store: 'NULL::int AS store',
  day: 'NULL::int AS day',
  campaign: 'NULL AS campaign',
};
const keyed = (own: Partial<typeof NONE>, group: string) => ({
  columns: Object.values({ ...NONE, ...own }).join(', '),
  group,
});
const KEYS = {
  campaign: keyed({ campaign: `${CAMPAIGN} AS campaign` }, CAMPAIGN),
  content: keyed({ name: 'm.name AS name' }, 'm.name'),
  store: keyed({ store: 'm.here AS store' }, 'm.here'),
  screen: keyed({ name: 'm.name AS name', store: 'm.here AS store' }, 'm.device, m.name, m.here'),
  day: keyed({ day: 'm.day AS day' }, 'm.day'),
};

/** The requested stores, each with its number in PostgreSQL (`there`) and its number at headquarters (`here`). */
const WANTED =
  'wanted AS (SELECT s.id AS there, g.here FROM unnest($1::text[], $2::int[]) AS g (ref, here) JOIN vitrine.stores s USING (ref))';
const hereAndThere = (stores: readonly Whose[]): unknown[] => [
  stores.map(({ ref }) => ref),
  stores.map(({ id }) => id),
];

type Which = Omit<SumsAsked, 'by' | 'limit' | 'offset'>;
/** Names of the SQL columns that can identify a row of sums. */
type Key = keyof typeof NONE;

/** Returns whether a grouping needs a join with the table of subjects. Most groupings do not need it. */
const isNamed = (by: SumsQuestion['by']): boolean => by === 'content' || by === 'campaign';

/**
 * SQL that sums the rows of the period before any join. Reduces millions of rows to thousands. Sums by subject
 * (content, screen, campaign) are not grouped by store, because the row of a subject names its store.
 */
const gathered = (
  asked: Pick<SumsAsked, 'stores' | 'content' | 'campaign'>,
  { by, device }: { by: SumsQuestion['by']; device: boolean },
): string => {
  const keys = [...(isNamed(by) ? ['shown'] : []), ...(device ? ['device'] : []), ...(by === 'day' ? ['day'] : [])];
  const subject = isNamed(by) ? 'shown' : device ? 'device' : undefined;
  const group = subject === undefined ? ['store', ...keys] : keys;
  // A few stores are looked up in the index one by one. For very many stores, the query sums the rows of all stores and
  // then drops the sums of other stores.
  const { length } = asked.stores;
  const among =
    length <= FEW
      ? 'AND store = ANY (ARRAY(SELECT there FROM wanted))'
      : length <= MANY
        ? 'AND store IN (SELECT there FROM wanted)'
        : '';
  return `WITH ${WANTED}, added AS MATERIALIZED (
      SELECT ${[...group, 'sum(plays) AS plays', 'sum(ms) AS ms'].join(', ')}
        FROM ${device ? 'vitrine.screen_sums' : 'vitrine.sums'} WHERE day BETWEEN $3 AND $4 ${among} ${narrowed(asked)} GROUP BY ${group.join(', ')}),
    m AS (SELECT a.*, w.here${subject === undefined ? '' : ', o.store, o.kind, o.ref, o.name'} FROM added a
      ${subject === undefined ? 'JOIN wanted w ON w.there = a.store' : `JOIN vitrine.subjects o ON o.id = a.${subject} JOIN wanted w ON w.there = o.store`})`;
};

/**
 * SQL condition that selects subjects (content, screens, campaigns) before anything is added up, because nearly all
 * rows have other subjects. Names of contents are compared without case for ASCII letters only, as in headquarters’ own
 * database.
 */
const narrowed = ({ content, campaign }: Pick<SumsAsked, 'content' | 'campaign'>): string => {
  if (content === undefined && campaign === undefined) return '';
  const named = content === undefined ? '' : 'AND lower(s.name COLLATE "C") = lower($5::text COLLATE "C")';
  // SQL pattern that matches refs (ids of subjects) of the form “campaign id, space, kind and ref of the content”.
  const of =
    campaign === undefined ? '' : `AND s.kind = 'of_campaign' AND s.ref > $6::text || ' ' AND s.ref < $6::text || '!'`;
  return `AND shown IN (SELECT s.id FROM wanted w JOIN vitrine.subjects s ON s.store = w.there WHERE true ${named} ${of})`;
};

/** Uses the optional parameters in every query, because PostgreSQL cannot infer the type of an unused parameter. */
const ASKED = 'WHERE ($5::text IS NULL OR true) AND ($6::text IS NULL OR true)';
const valuesOf = ({ stores, from, to, content, campaign }: Which): unknown[] => [
  ...hereAndThere(stores),
  from,
  to,
  content === undefined ? null : cleanOf(content),
  campaign === undefined ? null : cleanOf(campaign),
];

/** Replaces NUL characters, which PostgreSQL cannot store in text. */
export const cleanOf = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
export const refKey = (ref: string): string =>
  ref.length <= MAX_REF ? cleanOf(ref) : createHash('sha256').update(ref).digest('hex');
export const playKey = (play: Buffer): Buffer =>
  play.length <= MAX_PLAY ? play : createHash('sha256').update(play).digest();
