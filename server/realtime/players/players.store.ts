import type { Database } from '../../db/database.ts';
import type { devices } from '../../db/schema.ts';

/** A stored row; `capabilities` and `formats` are JSON text. */
export type PlayerRow = Omit<typeof devices.$inferSelect, 'capabilities' | 'formats'> & {
  readonly capabilities: string;
  readonly formats: string | null;
};

export class PlayersStore {
  readonly #db: Database;
  readonly #statements;

  constructor(db: Database) {
    this.#db = db;
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      find: p('SELECT * FROM devices WHERE id = ?'),
      bySecret: p('SELECT * FROM devices WHERE secret_hash = ?'),
      setSigningKey: p('UPDATE devices SET signing_key = ? WHERE id = ? AND signing_key IS NULL'),
      credential: p('SELECT workspace_id, secret_hash FROM devices WHERE id = ?'),
      asset: p(
        'SELECT b.size, b.mime FROM content c JOIN blobs b ON b.sha256 = c.sha256 WHERE c.sha256 = ? AND c.workspace_id = ? LIMIT 1',
      ),
      // CROSS JOIN fixes the join order. Otherwise SQLite would search each of a thousand ids among all devices of the
      // workspace.
      names: p(
        'SELECT d.id, d.name FROM json_each(?) j CROSS JOIN devices d ON d.id = j.value WHERE +d.workspace_id = ?',
      ),
      groups: p(
        'SELECT g.name FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE m.device_id = ? ORDER BY m.seq LIMIT 20',
      ),
    };
  }

  find(deviceId: string): PlayerRow | undefined {
    return this.#statements.find.get(deviceId) as PlayerRow | undefined;
  }

  findBySecretHash(secretHash: string): PlayerRow | undefined {
    return this.#statements.bySecret.get(secretHash) as PlayerRow | undefined;
  }

  setSigningKey(deviceId: string, key: string): void {
    this.#db.write(() => this.#statements.setSigningKey.run(key, deviceId));
  }

  credential(deviceId: string) {
    return this.#statements.credential.get(deviceId) as { workspace_id: string; secret_hash: string } | undefined;
  }

  /** Returns the given devices that belong to the workspace, in the given order. */
  names(workspaceId: string, deviceIds: readonly string[]): { id: string; name: string }[] {
    return this.#statements.names.all(JSON.stringify(deviceIds), workspaceId) as { id: string; name: string }[];
  }

  /** Returns the names of the device's groups, the oldest membership first. */
  groupNames(deviceId: string): string[] {
    return this.#statements.groups.pluck().all(deviceId) as string[];
  }

  /** Returns a file if any content of the workspace uses it; otherwise undefined. */
  asset(workspaceId: string, sha256: string) {
    return this.#statements.asset.get(sha256, workspaceId) as { size: number; mime: string } | undefined;
  }
}
