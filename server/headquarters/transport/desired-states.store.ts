/** Stores the signed desired states of stores, and the progress that stores report. */
import type { Statement } from 'better-sqlite3';
import type { Readiness, SignedDesired } from '../../../shared/chain/campaign.ts';
import type { Database } from '../../db/database.ts';

export interface DesiredRow extends SignedDesired {
  readonly rev: number;
}
export type LiveRow = {
  readonly campaign: string;
  readonly edition: number;
  readonly sha256: string;
  readonly body: string;
};
/** The last report that a store sent about one campaign. */
export interface ToldRow extends Readiness {
  readonly told_at: number;
}

export class DesiredStatesStore {
  readonly #db: Database;
  /** Prepared statements. They are reused, because thousands of stores are read in a row. */
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns revisions by store number. */
  revs(): Map<number, number> {
    const rows = this.#sql('SELECT store, rev FROM hq_desired').all() as { store: number; rev: number }[];
    return new Map(rows.map(({ store, rev }) => [store, rev]));
  }

  desired(store: number): DesiredRow | undefined {
    return this.#sql('SELECT rev, text, signature FROM hq_desired WHERE store = ?').get(store) as
      | DesiredRow
      | undefined;
  }

  setDesired(store: number, row: DesiredRow & { readonly issued_ms: number }): void {
    this.#sql(
      `INSERT INTO hq_desired (store, rev, text, signature, issued_ms) VALUES (@store, @rev, @text, @signature, @issued_ms)
         ON CONFLICT (store) DO UPDATE SET rev = excluded.rev, text = excluded.text, signature = excluded.signature, issued_ms = excluded.issued_ms`,
    ).run({ ...row, store });
  }

  workspaces(): string[] {
    return this.#sql('SELECT DISTINCT workspace_id FROM hq_campaigns').pluck().all() as string[];
  }

  /** Returns the running editions of a workspace, in the order in which the campaigns were started. */
  live(workspaceId: string): LiveRow[] {
    return this.#sql(
      `SELECT e.campaign, e.edition, e.sha256, e.body FROM hq_campaigns c
           JOIN hq_editions e ON e.campaign = c.id AND e.edition = c.edition
         WHERE c.workspace_id = ? AND c.stopped_at IS NULL ORDER BY c.started_at, c.id`,
    ).all(workspaceId) as LiveRow[];
  }

  /**
   * Returns the size of the document in bytes, the hashes of its files, and its text if the document has placeholders
   * for values.
   */
  needs(campaign: string, edition: number): { bytes: number; files: string[]; template: string | null } {
    const { bytes, template } = this.#sql(
      `SELECT length(CAST(doc AS BLOB)) AS bytes, CASE WHEN doc ->> '$.version' > 1 THEN doc END AS template
         FROM hq_editions WHERE campaign = ? AND edition = ?`,
    ).get(campaign, edition) as { bytes: number; template: string | null };
    const files = this.#sql('SELECT sha256 FROM hq_blobs WHERE campaign = ? AND edition = ?')
      .pluck()
      .all(campaign, edition) as string[];
    return { bytes, files, template };
  }

  /** Returns the document with this hash. */
  document(sha256: string): string | undefined {
    return this.#sql('SELECT doc FROM hq_editions WHERE sha256 = ? LIMIT 1').pluck().get(sha256) as string | undefined;
  }

  /** Returns size and type of a stored file. */
  file(sha256: string): { size: number; mime: string } | undefined {
    return this.#sql('SELECT size, mime FROM blobs WHERE sha256 = ?').get(sha256) as
      | { size: number; mime: string }
      | undefined;
  }

  /** Returns the last reports of a store, by campaign. */
  listReports(store: number): Map<string, Readiness> {
    const rows = this.#sql(
      'SELECT campaign AS id, edition, phase, applied, bytes_left, rate, screens, ready, why FROM hq_readiness WHERE store = ?',
    ).all(store) as Readiness[];
    return new Map(rows.map((row) => [row.id, row]));
  }

  setTold(store: number, row: ToldRow): void {
    this.#sql(
      `INSERT INTO hq_readiness (campaign, store, edition, phase, applied, bytes_left, rate, screens, ready, why, told_at)
         VALUES (@id, @store, @edition, @phase, @applied, @bytes_left, @rate, @screens, @ready, @why, @told_at)
         ON CONFLICT (campaign, store) DO UPDATE SET edition = excluded.edition, phase = excluded.phase, applied = excluded.applied,
           bytes_left = excluded.bytes_left, rate = excluded.rate, screens = excluded.screens, ready = excluded.ready,
           why = excluded.why, told_at = excluded.told_at`,
    ).run({ ...row, store });
  }

  /** Deletes reports about campaigns that the store no longer has. */
  forgetTold(store: number, stillWanted: readonly string[]): void {
    this.#sql('DELETE FROM hq_readiness WHERE store = ? AND campaign NOT IN (SELECT value FROM json_each(?))').run(
      store,
      JSON.stringify(stillWanted),
    );
  }

  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.#db.raw.prepare(text)));
    return statement;
  }
}
