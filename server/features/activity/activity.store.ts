import type { Database } from '../../db/database.ts';
import type { activity } from '../../db/schema.ts';

type ActivityRow = typeof activity.$inferSelect;

/**
 * Condition for members of headquarters who are limited to regions. Selects the member's own entries, and entries that
 * are not about stores or campaigns. An entry about stores contains their names in its details, but not their regions,
 * so entries of other members about stores are left out.
 */
const WITHIN = "(user_id = @userId OR NOT (action GLOB 'store.*' OR action GLOB 'campaign.*'))";

interface Wanted {
  readonly workspaceId: string;
  readonly deviceId: string | undefined;
  /** The member whose regions narrow the log; undefined for a member who sees all stores. */
  readonly within: string | undefined;
}

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
      listWithin: p(
        `SELECT * FROM activity WHERE workspace_id = @workspaceId AND (@deviceId IS NULL OR device_id = @deviceId) AND ${WITHIN} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
      ),
      count: p('SELECT count(*) AS n FROM activity WHERE workspace_id = ?'),
      countOfDevice: p('SELECT count(*) AS n FROM activity WHERE workspace_id = ? AND device_id = ?'),
      countWithin: p(
        `SELECT count(*) AS n FROM activity WHERE workspace_id = @workspaceId AND (@deviceId IS NULL OR device_id = @deviceId) AND ${WITHIN}`,
      ),
      deviceExists: p('SELECT 1 FROM devices WHERE id = ? AND workspace_id = ?'),
    };
  }

  insert(row: ActivityRow): void {
    this.#statements.insert.run(row);
  }

  list({ workspaceId, deviceId, within }: Wanted, limit: number, offset: number): ActivityRow[] {
    const { list, listOfDevice, listWithin } = this.#statements;
    if (within !== undefined)
      return listWithin.all({
        workspaceId,
        deviceId: deviceId ?? null,
        userId: within,
        limit,
        offset,
      }) as ActivityRow[];
    return (
      deviceId ? listOfDevice.all(workspaceId, deviceId, limit, offset) : list.all(workspaceId, limit, offset)
    ) as ActivityRow[];
  }

  count({ workspaceId, deviceId, within }: Wanted): number {
    const { count, countOfDevice, countWithin } = this.#statements;
    const counted =
      within !== undefined
        ? countWithin.get({ workspaceId, deviceId: deviceId ?? null, userId: within })
        : deviceId
          ? countOfDevice.get(workspaceId, deviceId)
          : count.get(workspaceId);
    return (counted as { n: number }).n;
  }

  deviceExists(workspaceId: string, deviceId: string): boolean {
    return this.#statements.deviceExists.get(deviceId, workspaceId) !== undefined;
  }
}
