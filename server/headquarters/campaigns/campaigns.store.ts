/** Stores campaigns: what people decided, the editions that stores were given, and the progress of each store. */
import type { Statement } from 'better-sqlite3';
import type { Phase } from '../../../shared/chain/campaign.ts';
import { type Heard, THERE } from '../../../shared/chain/readiness.ts';
import type {
  CAMPAIGN_STATES,
  CampaignBody,
  CampaignEdition,
} from '../../../shared/contract/headquarters/campaigns.ts';
import type { Database } from '../../db/database.ts';
import { fold } from '../../db/fold.ts';

export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export interface CampaignRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly note: string;
  readonly rank: CampaignBody['rank'];
  /** JSON of the fields of the campaign that have no column of their own. */
  readonly body: string;
  readonly state: CampaignState;
  readonly edition: number | null;
  readonly changed_by: string;
  readonly asked_by: string | null;
  readonly asked_by_id: string | null;
  /**
   * Hash of the document whose start was requested; null: no start was requested, or an older version stored the
   * request.
   */
  readonly asked_sha256: string | null;
  readonly approved_by: string | null;
  /** JSON of the last refusal of a request to start the campaign; null: the last request was not refused. */
  readonly refused: string | null;
  readonly started_at: number | null;
  /**
   * Time at which the campaign was stopped; null if it is not stopped. A store needs the edition of a campaign only
   * while this is null.
   */
  readonly stopped_at: number | null;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface EditionRow {
  readonly campaign: string;
  readonly edition: number;
  readonly sha256: string;
  /** Text of the document (JSON). */
  readonly doc: string;
  /** JSON of the campaign as it was when the edition was made. */
  readonly body: string;
  /** Total size of the files of the edition, in bytes. */
  readonly bytes: number;
  readonly made_at: number;
  readonly made_by: string;
  readonly approved_by: string | null;
}

/** A running campaign: targeted stores show its edition or still have to download it. */
export interface LiveCampaign extends Pick<CampaignRow, 'id' | 'workspace_id' | 'name'> {
  readonly edition: number;
}

const HEARD = 'edition, phase, applied, bytes_left, rate, screens, ready, why, told_at';
const FIRST = "CASE WHEN state IN ('running', 'waiting') THEN 0 ELSE 1 END";

interface Filter {
  readonly state: CampaignState | undefined;
  readonly q: string | undefined;
}

export class CampaignsStore {
  readonly #db: Database;
  #toldBy: Statement | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  insert(row: CampaignRow): void {
    this.#db.raw
      .prepare(
        `INSERT INTO hq_campaigns (id, workspace_id, name, note, rank, body, state, edition, changed_by, asked_by, asked_by_id, asked_sha256, approved_by,
           refused, started_at, stopped_at, revision, created_at, updated_at)
         VALUES (@id, @workspace_id, @name, @note, @rank, @body, @state, @edition, @changed_by, @asked_by, @asked_by_id, @asked_sha256, @approved_by,
           @refused, @started_at, @stopped_at, @revision, @created_at, @updated_at)`,
      )
      .run(row);
  }

  /** Returns undefined for an unknown campaign. */
  name(workspaceId: string, id: string): string | undefined {
    return this.#db.raw
      .prepare('SELECT name FROM hq_campaigns WHERE id = ? AND workspace_id = ?')
      .pluck()
      .get(id, workspaceId) as string | undefined;
  }

  /** Updates the row and increments its revision. */
  update(row: CampaignRow): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_campaigns SET name = @name, note = @note, rank = @rank, body = @body, state = @state, edition = @edition,
           changed_by = @changed_by, asked_by = @asked_by, asked_by_id = @asked_by_id, asked_sha256 = @asked_sha256, approved_by = @approved_by,
           refused = @refused, started_at = @started_at, stopped_at = @stopped_at, updated_at = @updated_at, revision = revision + 1 WHERE id = @id`,
      )
      .run(row);
  }

  delete(id: string): void {
    this.#db.raw.prepare('DELETE FROM hq_campaigns WHERE id = ?').run(id);
  }

  find(workspaceId: string, id: string): CampaignRow | undefined {
    return this.#db.raw.prepare('SELECT * FROM hq_campaigns WHERE id = ? AND workspace_id = ?').get(id, workspaceId) as
      | CampaignRow
      | undefined;
  }

  count(workspaceId: string): number {
    return this.#db.raw
      .prepare('SELECT count(*) FROM hq_campaigns WHERE workspace_id = ?')
      .pluck()
      .get(workspaceId) as number;
  }

  /** Returns the id of the campaign with this name. */
  named(workspaceId: string, name: string): string | undefined {
    return this.#db.raw
      .prepare('SELECT id FROM hq_campaigns WHERE workspace_id = ? AND name = ?')
      .pluck()
      .get(workspaceId, name) as string | undefined;
  }

  /** Returns campaigns: running and waiting campaigns first, then the other campaigns, each from newest to oldest. */
  page(
    workspaceId: string,
    filter: Filter,
    { limit, offset }: { limit: number; offset: number },
  ): { rows: CampaignRow[]; total: number } {
    const q = fold(filter.q?.trim());
    const where = [
      'workspace_id = @workspaceId',
      ...(filter.state === undefined ? [] : ['state = @state']),
      ...(q ? ['instr(vitrine_fold(name), @q) > 0'] : []),
    ].join(' AND ');
    const values = { workspaceId, state: filter.state, q };
    const rows = this.#db.raw
      .prepare(
        `SELECT * FROM hq_campaigns WHERE ${where} ORDER BY ${FIRST}, created_at DESC, rowid DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ ...values, limit, offset }) as CampaignRow[];
    const total = this.#db.raw
      .prepare(`SELECT count(*) FROM hq_campaigns WHERE ${where}`)
      .pluck()
      .get(values) as number;
    return { rows, total };
  }

  /** @param blobs hashes of its files */
  addEdition(row: EditionRow, blobs: readonly string[]): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `INSERT INTO hq_editions (campaign, edition, sha256, doc, body, bytes, made_at, made_by, approved_by)
         VALUES (@campaign, @edition, @sha256, @doc, @body, @bytes, @made_at, @made_by, @approved_by)`,
      )
      .run(row);
    raw
      .prepare('INSERT INTO hq_blobs (campaign, edition, sha256) SELECT ?, ?, value FROM json_each(?)')
      .run(row.campaign, row.edition, JSON.stringify(blobs));
  }

  edition(campaign: string, edition: number): EditionRow | undefined {
    return this.#db.raw
      .prepare('SELECT * FROM hq_editions WHERE campaign = ? AND edition = ?')
      .get(campaign, edition) as EditionRow | undefined;
  }

  /** Returns the editions of a campaign, newest first. */
  editions(
    campaign: string,
    { limit, offset }: { limit: number; offset: number },
  ): { rows: CampaignEdition[]; total: number } {
    const rows = this.#db.raw
      .prepare(
        'SELECT edition, made_at, made_by, approved_by, bytes, body FROM hq_editions WHERE campaign = ? ORDER BY edition DESC LIMIT ? OFFSET ?',
      )
      .all(campaign, limit, offset) as (Omit<CampaignEdition, 'body'> & { body: string })[];
    const total = this.#db.raw.prepare('SELECT count(*) FROM hq_editions WHERE campaign = ?').pluck().get(campaign);
    return {
      rows: rows.map((row) => ({ ...row, body: JSON.parse(row.body) as CampaignBody })),
      total: total as number,
    };
  }

  /** Deletes all but the newest editions, and their lists of files. */
  dropEditions(campaign: string, keep: number): void {
    const { raw } = this.#db;
    const oldest = raw
      .prepare('SELECT edition FROM hq_editions WHERE campaign = ? ORDER BY edition DESC LIMIT 1 OFFSET ?')
      .pluck()
      .get(campaign, keep) as number | undefined;
    if (oldest === undefined) return;
    for (const table of ['hq_editions', 'hq_blobs'])
      raw.prepare(`DELETE FROM ${table} WHERE campaign = ? AND edition <= ?`).run(campaign, oldest);
  }

  /** Returns whether publishing in this workspace needs approval. */
  isApprovalNeeded(workspaceId: string): boolean {
    return this.#db.raw.prepare('SELECT approval FROM workspaces WHERE id = ?').pluck().get(workspaceId) === 1;
  }

  /**
   * Counts the stores in each phase, counting only stores whose last report is about this edition.
   * @param among store numbers; absent: all stores
   */
  phases(campaign: string, edition: number, among?: readonly number[]): { phase: Phase; stores: number }[] {
    return this.#db.raw
      .prepare(
        `SELECT phase, count(*) AS stores FROM hq_readiness WHERE campaign = @campaign AND edition = @edition
           AND (@among IS NULL OR store IN (SELECT value FROM json_each(@among))) GROUP BY phase`,
      )
      .all({ campaign, edition, among: among ? JSON.stringify(among) : null }) as { phase: Phase; stores: number }[];
  }

  /** Returns the last report of each store about this campaign, by store number. */
  readiness(campaign: string): Map<number, Heard> {
    const rows = this.#db.raw
      .prepare(`SELECT store, ${HEARD} FROM hq_readiness WHERE campaign = ?`)
      .all(campaign) as (Heard & { store: number })[];
    return byStore(rows);
  }

  /** Returns the last report of one store about this campaign. */
  lastReportOf(campaign: string, store: number): Heard | undefined {
    // Runs for each report of a store, so the statement is prepared once.
    this.#toldBy ??= this.#db.raw.prepare(`SELECT ${HEARD} FROM hq_readiness WHERE campaign = ? AND store = ?`);
    return this.#toldBy.get(campaign, store) as Heard | undefined;
  }

  /** Returns the numbers of stores that have the whole edition, and the last reports of the other stores. */
  behind(campaign: string, edition: number): { there: ReadonlySet<number>; lastReports: ReadonlyMap<number, Heard> } {
    const values = { campaign, edition, there: JSON.stringify([...THERE]) };
    const has = 'edition = @edition AND phase IN (SELECT value FROM json_each(@there))';
    const there = this.#db.raw
      .prepare(`SELECT store FROM hq_readiness WHERE campaign = @campaign AND ${has}`)
      .pluck()
      .all(values) as number[];
    const rows = this.#db.raw
      .prepare(`SELECT store, ${HEARD} FROM hq_readiness WHERE campaign = @campaign AND NOT (${has})`)
      .all(values) as (Heard & { store: number })[];
    return { there: new Set(there), lastReports: byStore(rows) };
  }

  /** Returns running campaigns of all workspaces. */
  live(): LiveCampaign[] {
    return this.#db.raw
      .prepare(
        'SELECT id, workspace_id, name, edition FROM hq_campaigns WHERE edition IS NOT NULL AND stopped_at IS NULL',
      )
      .all() as LiveCampaign[];
  }

  /** Returns campaigns that wait for approval, and campaigns with the given ids. */
  needing(workspaceId: string, ids: readonly string[]): CampaignRow[] {
    return this.#db.raw
      .prepare(
        `SELECT * FROM hq_campaigns WHERE workspace_id = @workspaceId
           AND (state = 'waiting' OR id IN (SELECT value FROM json_each(@ids)))`,
      )
      .all({ workspaceId, ids: JSON.stringify(ids) }) as CampaignRow[];
  }

  /** Deletes all reports of stores about this campaign. */
  forgetReadiness(campaign: string): void {
    this.#db.raw.prepare('DELETE FROM hq_readiness WHERE campaign = ?').run(campaign);
  }
}

const byStore = (rows: readonly (Heard & { store: number })[]): Map<number, Heard> =>
  new Map(rows.map(({ store, ...heard }) => [store, heard]));
