/** Records what the server acknowledged, and checks the files directly, without using the server. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A value that a client set: the last acknowledged value, and a newer value that was sent but not answered. */
export class Register {
  #acknowledged: string;
  #sent: string | undefined;
  constructor(value: string) {
    this.#acknowledged = value;
  }
  sending(value: string): void {
    this.#sent = value;
  }
  acknowledged(value: string): void {
    this.#acknowledged = value;
    this.#sent = undefined;
  }
  /**
   * Accepts the value that was found after a restart as the acknowledged value. Returns a sentence if it is neither the
   * acknowledged nor the sent value.
   */
  settle(found: string): string | undefined {
    if (found !== this.#acknowledged && found !== this.#sent)
      return `is ${found}, acknowledged ${this.#acknowledged}, sent ${this.#sent}`;
    this.#acknowledged = found;
    this.#sent = undefined;
    return undefined;
  }
}

export class Ledger {
  /** Ids of the contents whose upload was acknowledged, and that no request has deleted. */
  readonly contents = new Set<string>();
  /** Ids of records whose deletion the server has acknowledged. */
  readonly deleted = new Set<string>();
  /** Name of each playlist by its id. `published`: durations of the published items. */
  readonly names = new Map<string, Register>();
  readonly published = new Map<string, Register>();
  /** Plays by their ids; true if acknowledged. */
  readonly plays = new Map<string, boolean>();
  readonly backups = new Set<string>();
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];

/** Returns a sentence for each deviation; an empty list if there is none. */
export const audit = (data: string, ledger: Ledger): string[] => {
  const db = new Database(join(data, 'vitrine.db'), { fileMustExist: true });
  db.pragma('query_only = ON');
  try {
    const wrong: string[] = [];
    const integrity = db.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') wrong.push(`database: ${integrity}`);
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) wrong.push('database: broken references');
    return [...wrong, ...promises(db, ledger), ...files(db, data)];
  } finally {
    db.close();
  }
};

const promises = (db: Database.Database, ledger: Ledger): string[] => {
  const wrong: string[] = [];
  const column = (sql: string) => db.prepare(sql).pluck().all() as string[];
  const contents = new Set(column('SELECT id FROM content'));
  for (const id of ledger.contents) if (!contents.has(id)) wrong.push(`content ${id} was acknowledged and is gone`);
  for (const id of ledger.deleted) if (contents.has(id)) wrong.push(`content ${id} was deleted and is back`);
  for (const { id, name, published } of db
    .prepare(
      'SELECT id, name, (SELECT group_concat(duration_sec) FROM (SELECT duration_sec FROM published_items WHERE playlist_id = p.id ORDER BY sort_order)) AS published FROM playlists p',
    )
    .all() as { id: string; name: string; published: string | null }[]) {
    const said = [ledger.names.get(id)?.settle(name), ledger.published.get(id)?.settle(published ?? '')].filter(
      (one) => one !== undefined,
    );
    wrong.push(...said.map((one) => `playlist ${id} ${one}`));
  }
  const stored = new Map(
    (
      db.prepare('SELECT play_id, count(*) AS n FROM plays GROUP BY play_id').all() as { play_id: string; n: number }[]
    ).map(({ play_id, n }) => [play_id, n]),
  );
  for (const [id, acknowledged] of ledger.plays)
    if (acknowledged && stored.get(id) !== 1)
      wrong.push(`play ${id} was acknowledged and is there ${stored.get(id) ?? 0} times`);
  for (const [id, n] of stored) if (n !== 1 || !ledger.plays.has(id)) wrong.push(`play ${id} is there ${n} times`);
  const summed = db
    .prepare(
      "SELECT coalesce(sum(s.plays), 0) FROM play_sums s JOIN play_subjects w ON w.id = s.scope_id AND w.kind = 'workspace' WHERE s.series = 1",
    )
    .pluck()
    .get();
  if (summed !== stored.size) wrong.push(`the sums know ${summed} plays, there are ${stored.size}`);
  return wrong;
};

const files = (db: Database.Database, data: string): string[] => {
  const wrong: string[] = [];
  const blobs = new Map(
    (db.prepare('SELECT sha256, size FROM blobs').all() as { sha256: string; size: number }[]).map(
      ({ sha256, size }) => [sha256, size],
    ),
  );
  const used = new Set(
    db
      .prepare(
        'SELECT sha256 FROM content WHERE sha256 IS NOT NULL UNION SELECT thumbnail FROM content WHERE thumbnail IS NOT NULL',
      )
      .pluck()
      .all() as string[],
  );
  const media = join(data, 'media');
  for (const [sha256, size] of blobs) {
    if (!used.has(sha256)) wrong.push(`file ${sha256} belongs to nobody`);
    const found = statSync(join(media, sha256.slice(0, 2), sha256), { throwIfNoEntry: false });
    if (found?.size !== size)
      wrong.push(`file ${sha256} is ${found ? `${found.size} bytes instead of ${size}` : 'missing'}`);
  }
  for (const name of filesIn(media)) if (!blobs.has(name)) wrong.push(`${name} in media belongs to nobody`);
  for (const name of existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')) : [])
    if (name !== 'media' && !/^vitrine-[\w-]+\.vitrine$/.test(name)) wrong.push(`${name} was left in backups`);
  return wrong;
};
