import type { Database } from '../../db/database.ts';

const KNOWN = `SELECT t.tag FROM device_tags t JOIN devices d ON d.id = t.device_id
    WHERE d.workspace_id = @workspaceId AND t.device_id NOT IN (SELECT value FROM json_each(@except))
  UNION SELECT r.value FROM "groups" g, json_each(g.rule_tags) r WHERE g.workspace_id = @workspaceId
  UNION SELECT x.ref FROM plan_targets x JOIN plans p ON p.id = x.plan_id WHERE p.workspace_id = @workspaceId AND x.kind = 'tag'`;

/** Tags of devices. */
export class TagsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (text: string) => db.raw.prepare(text);
    this.#statements = {
      list: p(
        `SELECT t.tag, count(*) AS count FROM device_tags t JOIN devices d ON d.id = t.device_id
         WHERE d.workspace_id = @workspaceId GROUP BY t.tag ORDER BY vitrine_order(t.tag), t.tag LIMIT @limit OFFSET @offset`,
      ),
      count: p(
        'SELECT count(DISTINCT t.tag) AS n FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE d.workspace_id = ?',
      ),
      known: p(KNOWN),
      names: p(
        'SELECT id, name FROM devices WHERE workspace_id = @workspaceId AND id IN (SELECT value FROM json_each(@ids))',
      ),
      of: p('SELECT tag FROM device_tags WHERE device_id = ? ORDER BY vitrine_order(tag), tag'),
      add: p('INSERT INTO device_tags (device_id, tag) VALUES (?, ?)'),
      remove: p('DELETE FROM device_tags WHERE device_id = ? AND tag = ?'),
      edited: p('UPDATE devices SET revision = revision + 1, updated_at = @now WHERE id = @id'),
    };
  }

  /** Returns the tags of devices in the workspace, each with its number of devices. */
  list(workspaceId: string, page: { limit: number; offset: number }): { tag: string; count: number }[] {
    return this.#statements.list.all({ workspaceId, ...page }) as { tag: string; count: number }[];
  }

  count(workspaceId: string): number {
    return (this.#statements.count.get(workspaceId) as { n: number }).n;
  }

  /** Returns every tag in use: on devices that are not in `except`, in rules of groups, and in plans. */
  known(workspaceId: string, except: readonly string[]): string[] {
    const rows = this.#statements.known.all({ workspaceId, except: JSON.stringify(except) }) as { tag: string }[];
    return rows.map(({ tag }) => tag);
  }

  /** Returns the named devices that belong to the workspace. */
  named(workspaceId: string, ids: readonly string[]): { id: string; name: string }[] {
    return this.#statements.names.all({ workspaceId, ids: JSON.stringify(ids) }) as { id: string; name: string }[];
  }

  of(deviceId: string): string[] {
    return (this.#statements.of.all(deviceId) as { tag: string }[]).map(({ tag }) => tag);
  }

  change(deviceId: string, { add, remove }: { add: readonly string[]; remove: readonly string[] }): void {
    for (const tag of remove) this.#statements.remove.run(deviceId, tag);
    for (const tag of add) this.#statements.add.run(deviceId, tag);
  }

  /** Increments the revision of a device after an edit. */
  edited(id: string, now: number): void {
    this.#statements.edited.run({ id, now });
  }
}
