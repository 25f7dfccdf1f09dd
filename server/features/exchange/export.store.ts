import type BetterSqlite3 from 'better-sqlite3';

type Row = Readonly<Record<string, unknown>>;

/** Reads the records of a workspace for an export. Runs in its own thread (export.worker.ts). */
export class ExportStore {
  readonly #raw: BetterSqlite3.Database;

  constructor(raw: BetterSqlite3.Database) {
    this.#raw = raw;
  }

  /** Runs all reads on one snapshot of the database. */
  at<T>(read: () => T): T {
    return this.#raw.transaction(read).deferred();
  }

  contents(workspaceId: string): (Row & { readonly filename: string; readonly sha256: string | null })[] {
    const columns = 'id, filename, mime_type, duration_sec, remote_url, folder, sha256';
    return this.#all('content', columns, workspaceId) as ReturnType<ExportStore['contents']>;
  }

  widgets(workspaceId: string): Row[] {
    return this.#all('widgets', 'id, widget_type, name, config', workspaceId).map(withConfig);
  }

  kioskPages(workspaceId: string): Row[] {
    return this.#all('kiosk_pages', 'id, name, config', workspaceId).map(withConfig);
  }

  layouts(workspaceId: string): Row[] {
    const zones = this.#raw.prepare(
      'SELECT id, name, x_percent, y_percent, width_percent, height_percent, z_index, zone_type, fit_mode, background_color, content_id, widget_id, playlist_id FROM zones WHERE layout_id = ? ORDER BY position, id',
    );
    return this.#all('layouts', 'id, name, width, height', workspaceId).map((row) => ({
      ...row,
      zones: zones.all(row['id']),
    }));
  }

  playlists(workspaceId: string): Row[] {
    const items = this.#raw.prepare(
      'SELECT content_id, widget_id, zone_id, duration_sec, muted, blocks FROM playlist_items WHERE playlist_id = ? ORDER BY sort_order',
    );
    const columns = "id, name, description, status = 'published' AS published";
    return this.#all('playlists', columns, workspaceId).map(({ published, ...row }) => ({
      ...row,
      published: published === 1,
      items: (items.all(row['id']) as Row[]).map(({ blocks, muted, ...item }) => ({
        ...item,
        muted: muted === 1,
        schedules: JSON.parse(String(blocks)) as unknown,
      })),
    }));
  }

  groups(workspaceId: string): Row[] {
    return this.#all('"groups"', 'id, name, color, playlist_id', workspaceId);
  }

  schedules(workspaceId: string): Row[] {
    return this.#all(
      'schedules',
      `(SELECT name FROM devices d WHERE d.id = schedules.device_id) AS device_name, plan_id AS plan, group_id, zone_id, content_id, widget_id, layout_id, playlist_id,
         title, start_time, end_time, timezone, recurrence, recurrence_end, color, priority, enabled`,
      workspaceId,
    );
  }

  #all(table: string, columns: string, workspaceId: string): Row[] {
    return this.#raw
      .prepare(`SELECT ${columns} FROM ${table} WHERE workspace_id = ? ORDER BY created_at, id`)
      .all(workspaceId) as Row[];
  }
}

const withConfig = (row: Row): Row => ({ ...row, config: JSON.parse(String(row['config'])) as unknown });
