import type { Database } from '../../db/database.ts';
import type { activity } from '../../db/schema.ts';

type ActivityRow = typeof activity.$inferSelect;

export class ActivityStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      insert: p(
        'INSERT INTO activity (id, workspace_id, user_id, user_name, device_id, action, details, ip_address, created_at) VALUES (@id, @workspace_id, @user_id, @user_name, @device_id, @action, @details, @ip_address, @created_at)',
      ),
      list: p('SELECT * FROM activity WHERE workspace_id = ? ORDER BY id DESC LIMIT ? OFFSET ?'),
      listOfDevice: p(
        'SELECT * FROM activity WHERE workspace_id = ? AND device_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
      ),
      count: p('SELECT count(*) AS n FROM activity WHERE workspace_id = ?'),
      countOfDevice: p('SELECT count(*) AS n FROM activity WHERE workspace_id = ? AND device_id = ?'),
      deviceExists: p('SELECT 1 FROM devices WHERE id = ? AND workspace_id = ?'),
    };
  }

  insert(row: ActivityRow): void {
    this.#statements.insert.run(row);
  }

  list(workspaceId: string, deviceId: string | undefined, limit: number, offset: number): ActivityRow[] {
    return (
      deviceId
        ? this.#statements.listOfDevice.all(workspaceId, deviceId, limit, offset)
        : this.#statements.list.all(workspaceId, limit, offset)
    ) as ActivityRow[];
  }

  count(workspaceId: string, deviceId: string | undefined): number {
    return (
      (deviceId
        ? this.#statements.countOfDevice.get(workspaceId, deviceId)
        : this.#statements.count.get(workspaceId)) as { n: number }
    ).n;
  }

  deviceExists(workspaceId: string, deviceId: string): boolean {
    return this.#statements.deviceExists.get(deviceId, workspaceId) !== undefined;
  }
}
