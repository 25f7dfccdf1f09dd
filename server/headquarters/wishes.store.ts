/** What stores are to have, as it was signed, and how far each told to be. */
import type { Statement } from 'better-sqlite3';
import type { Readiness, SignedDesired } from '../../shared/chain/campaign.ts';
import type { Database } from '../db/database.ts';

export interface DesiredRow extends SignedDesired {
  readonly rev: number;
}
export type LiveRow = {
  readonly campaign: string;
  readonly edition: number;
  readonly sha256: string;
  readonly body: string;
};
/** A campaign in a store. */
export interface ToldRow extends Readiness {
  readonly told_at: number;
}

export class WishesStore {
  readonly #db: Database;
  /** Prepared once: thousands of stores are asked for in a row. */
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** By the stores' numbers. */
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

  /** Editions that stores of a workspace are to have; those started last come last. */
  live(workspaceId: string): LiveRow[] {
    return this.#sql(
      `SELECT e.campaign, e.edition, e.sha256, e.body FROM hq_campaigns c
           JOIN hq_editions e ON e.campaign = c.id AND e.edition = c.edition
         WHERE c.workspace_id = ? AND c.stopped_at IS NULL ORDER BY c.started_at, c.id`,
    ).all(workspaceId) as LiveRow[];
  }

  /** Bytes of its document, the files that it needs, and the document where values of stores are put into it. */
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

  /** A document by its hash. */
  document(sha256: string): string | undefined {
    return this.#sql('SELECT doc FROM hq_editions WHERE sha256 = ? LIMIT 1').pluck().get(sha256) as string | undefined;
  }

  /** What is known of a stored file. */
  file(sha256: string): { size: number; mime: string } | undefined {
    return this.#sql('SELECT size, mime FROM blobs WHERE sha256 = ?').get(sha256) as
      | { size: number; mime: string }
      | undefined;
  }

  /** What a store told last, by campaign. */
  told(store: number): Map<string, Readiness> {
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

  /** Of campaigns that a store is not to have any more. */
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
