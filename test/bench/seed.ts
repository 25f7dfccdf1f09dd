/** Creates data folders for the rows directly in SQLite, with the data of a store after some time. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { loadIdentity } from '../../server/identity.ts';

export const TOKEN = `vtr_${'b'.repeat(43)}`;
export const WORKSPACE = 'bench-workspace';
/** Secret of a device: 32 bytes in hex that encode its number. */
export const secretOf = (device: number): string => device.toString(16).padStart(64, '0');
export const deviceId = (n: number): string => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const contentId = (n: number): string => `01990000-0000-7000-8001-${String(n).padStart(12, '0')}`;
export const PLAYLIST = '01990000-0000-7000-8002-000000000000';
const DAY_S = 86_400;

/** Opens the folder's database without durability, since lost data can be created again. */
export const seed = (data: string, write: (db: Database) => void): void => {
  mkdirSync(data, { recursive: true });
  loadIdentity(data);
  const db = openDatabase(join(data, 'vitrine.db'));
  db.raw.pragma('synchronous = OFF');
  db.raw.pragma('cache_size = -400000');
  db.write(() => write(db));
  db.close();
};

export const addStore = ({ raw }: Database, now = Math.floor(Date.now() / 1000)): void => {
  raw.prepare("INSERT INTO organizations (id, name, created_at) VALUES ('bench', 'Bench', ?)").run(now);
  raw
    .prepare(
      `INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ('${WORKSPACE}', 'bench', 'Bench', ?)`,
    )
    .run(now);
  raw
    .prepare(
      "INSERT INTO users (id, email, name, plan_id, role, created_at) VALUES ('bench-user', 'bench@store.test', 'Bench', 'enterprise', 'platform_admin', ?)",
    )
    .run(now);
  raw
    .prepare(
      `INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES ('${WORKSPACE}', 'bench-user', 'workspace_admin', ?)`,
    )
    .run(now);
  raw
    .prepare(
      `INSERT INTO tokens (id, hash, prefix, name, scope, user_id, workspace_id, created_at) VALUES ('bench-token', ?, 'vtr_bbbb', 'Bench', 'full', 'bench-user', '${WORKSPACE}', ?)`,
    )
    .run(hash('sha256', TOKEN, 'hex'), now);
};

/**
 * Adds devices with all telemetry. With `history`, also adds status changes and the reports of a year, as sparse as the
 * server keeps them.
 */
export const addDevices = (
  { raw }: Database,
  count: number,
  options: { history?: boolean; playlist?: string; first?: number } = {},
): void => {
  const now = Math.floor(Date.now() / 1000);
  const insert = raw.prepare(
    `INSERT INTO devices (id, workspace_id, name, notes, timezone, playlist_id, secret_hash, platform, version, screen_width, screen_height, ip_address, last_heartbeat, local_ip, local_ip6,
       wifi_ssid, wifi_rssi, battery_level, battery_charging, storage_free_mb, storage_total_mb, ram_free_mb, ram_total_mb, cpu_usage, uptime_seconds, created_at, updated_at)
     VALUES (@id, '${WORKSPACE}', @name, 'By the entrance, above the second shelf', 'Europe/Berlin', @playlist, @secret, 'Linux', '1.0.0', 1920, 1080, '192.168.1.20', @now, '192.168.1.21', '2001:db8::1234',
       'Store', -52, 80, 1, 20000, 64000, 1800, 4000, 12.5, 864000, @created, @now)`,
  );
  for (let n = options.first ?? 0; n < count; n++) {
    const secret = hash('sha256', Buffer.from(secretOf(n), 'hex'), 'hex');
    insert.run({
      id: deviceId(n),
      name: `Screen ${String(n).padStart(4, '0')}`,
      playlist: options.playlist ?? null,
      secret,
      now,
      created: now - 365 * DAY_S,
    });
  }
  if (options.history) addHistory(raw, count, now);
};

const addHistory = (raw: Database['raw'], count: number, now: number): void => {
  const series = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)';
  for (let n = 0; n < count; n++) {
    raw
      .prepare(
        `${series} INSERT INTO telemetry (device_id, reported_at, local_ip, wifi_ssid, wifi_rssi, ram_free_mb, cpu_usage, uptime_seconds) SELECT ?, ? + i * 3600, '192.168.1.21', 'Store', -52, 1800, 12.5, i * 3600 FROM n`,
      )
      .run(999, deviceId(n), now - 999 * 3600);
    raw
      .prepare(
        `${series} INSERT INTO status_intervals (device_id, status, since, until) SELECT ?, iif(i % 2, 'offline', 'online'), ? + i * 43200, ? + (i + 1) * 43200 FROM n`,
      )
      .run(729, deviceId(n), now - 365 * DAY_S, now - 365 * DAY_S);
  }
};

/**
 * Adds contents. With `files`, each content refers to a file, so that programs contain it; the file itself does not
 * exist.
 */
export const addContents = ({ raw }: Database, count: number, { files = false }: { files?: boolean } = {}): void => {
  const blob = raw.prepare("INSERT INTO blobs (sha256, size, mime, created_at) VALUES (?, 2500000, 'image/jpeg', 0)");
  const insert = raw.prepare(
    `INSERT INTO content (id, workspace_id, filename, search_name, mime_type, kind, file_size, width, height, sha256, created_at, updated_at) VALUES ($id, '${WORKSPACE}', $name, vitrine_fold($name), 'image/jpeg', 'image', 2500000, 4000, 3000, $sha256, $at, 0)`,
  );
  for (let n = 0; n < count; n++) {
    const sha256 = files ? hash('sha256', `file ${n}`) : null;
    if (sha256 !== null) blob.run(sha256);
    insert.run({ id: contentId(n), name: `Autumn offer ${n}, shelf ${n % 40}.jpg`, sha256, at: 1_700_000_000 + n });
  }
};

export const addPlaylist = ({ raw }: Database, items: number, id = PLAYLIST, name = 'Entrance'): void => {
  raw
    .prepare(
      `INSERT INTO playlists (id, workspace_id, name, status, published_ms, created_at, updated_at) VALUES (?, '${WORKSPACE}', ?, 'published', 1700000000000, 0, 0)`,
    )
    .run(id, name);
  const insert = raw.prepare(
    'INSERT INTO playlist_items (playlist_id, content_id, sort_order, duration_sec) VALUES (?, ?, ?, 10)',
  );
  for (let n = 0; n < items; n++) insert.run(id, contentId(n), n);
  raw
    .prepare(
      'INSERT INTO published_items (id, playlist_id, content_id, widget_id, zone_id, sort_order, duration_sec, muted, blocks) SELECT id, playlist_id, content_id, widget_id, zone_id, sort_order, duration_sec, muted, blocks FROM playlist_items WHERE playlist_id = ?',
    )
    .run(id);
};

/** A store with 1,000,000 plays of 100 screens. Created once per run, for rows that do not change it. */
export const millionPlays = (folder: string): string => {
  const data = join(folder, 'million');
  if (existsSync(data)) return data;
  seed(data, (db) => {
    addStore(db);
    addContents(db, 500);
    addPlaylist(db, 50);
    addDevices(db, 100, { playlist: PLAYLIST });
    addPlays(db, 1_000_000, { devices: 100, contents: 50 });
  });
  return data;
};

const PLAY_MS = 10_000;
const QUARTER_MS = 900_000;

/**
 * Adds plays of `devices` screens over the last 30 days, and their sums. Each screen shows one of `contents` after the
 * other.
 */
export const addPlays = (
  { raw }: Database,
  count: number,
  { devices, contents }: { devices: number; contents: number },
): void => {
  const turns = Math.ceil(count / devices);
  const stepMs = Math.floor((30 * DAY_S * 1000) / turns);
  const firstMs = Date.now() - turns * stepMs;
  const numbers = addSubjects(raw, devices, contents);
  // Creates the indexes after the rows, which is faster than a million index updates.
  const indexes = raw
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'play_log' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) raw.exec(`DROP INDEX ${name}`);
  raw
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @last),
         turns AS (SELECT i, i / @devices AS turn, i % @devices AS device, (i / @devices + i % @devices) % @contents AS content FROM n)
       INSERT INTO play_log (workspace, device, shown, turn, boot, seq, started_ms, lasted_ms, completed, uncertainty, play_id)
       SELECT @workspace, @firstDevice + device, @firstContent + content, 1 + device * @contents + content, 1, turn + 1, @first + turn * @step, ${PLAY_MS}, 1, 1 + i % 50, randomblob(16) FROM turns`,
    )
    .run({ last: count - 1, devices, contents, first: firstMs, step: stepMs, ...numbers });
  for (const { sql } of indexes) raw.exec(sql);
  raw.prepare('UPDATE play_epochs SET through = (SELECT max(id) FROM play_log)').run();
  addSums(raw, numbers, (add) => {
    for (let i = 0; i < count; i++) {
      const turn = Math.floor(i / devices);
      const device = i % devices;
      add(device, (turn + device) % contents, Math.floor((firstMs + turn * stepMs) / QUARTER_MS));
    }
  });
};

/** Ids in the table play_subjects. Devices and contents have consecutive ids. */
interface Numbers {
  readonly workspace: number;
  readonly firstDevice: number;
  readonly firstContent: number;
}

/**
 * Adds the workspace, the devices and the contents to play_subjects, and a row in play_turns for each content on each
 * device.
 */
const addSubjects = (raw: Database['raw'], devices: number, contents: number): Numbers => {
  const subject = raw.prepare(
    `INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES ('${WORKSPACE}', ?, ?, ?, 0)`,
  );
  const add = (kind: string, ref: string, name: string) => Number(subject.run(kind, ref, name).lastInsertRowid);
  const workspace = add('workspace', '', '');
  for (let n = 0; n < devices; n++) add('device', deviceId(n), `device ${n}`);
  for (let n = 0; n < contents; n++) add('content', contentId(n), `content ${n}`);
  const numbers = { workspace, firstDevice: workspace + 1, firstContent: workspace + 1 + devices };
  raw.prepare("INSERT INTO play_boots (id, boot_id) VALUES (1, '01990000-0000-7000-8005-000000000000')").run();
  const turn = raw.prepare(
    `INSERT INTO play_turns (device, shown, device_name, content_id, content_name, playlist_id, item_id) VALUES (?, ?, ?, ?, ?, '${PLAYLIST}', 1)`,
  );
  for (let device = 0; device < devices; device++)
    for (let content = 0; content < contents; content++)
      turn.run(
        numbers.firstDevice + device,
        numbers.firstContent + content,
        `Screen ${String(device).padStart(4, '0')}`,
        contentId(content),
        `Autumn offer ${content}.jpg`,
      );
  return numbers;
};

/**
 * Sums up the plays here as features/reports/ingest/sums.ts does, since SQLite would take minutes for ten million
 * plays.
 */
const addSums = (
  raw: Database['raw'],
  { workspace, firstDevice, firstContent }: Numbers,
  each: (add: (device: number, content: number, quarter: number) => void) => void,
): void => {
  const sums = new Map<number, Map<number, number>>();
  // Both keys of the nested maps are numbers: building millions of strings would take longer than adding the plays.
  const count = (scope: number, series: number, bucket: number, of: number) => {
    const outer = scope * 8 + series;
    let inner = sums.get(outer);
    if (!inner) sums.set(outer, (inner = new Map()));
    const key = bucket * 65_536 + of;
    inner.set(key, (inner.get(key) ?? 0) + 1);
  };
  each((device, content, quarter) => {
    const from = firstDevice + device;
    const shown = firstContent + content;
    const day = Math.floor(quarter / 96);
    count(workspace, 1, quarter, 0);
    count(from, 1, quarter, 0);
    count(workspace, 2, quarter, shown);
    count(workspace, 3, day, shown);
    count(from, 3, day, shown);
    count(workspace, 4, day, from);
  });
  const insert = raw.prepare(
    'INSERT INTO play_sums (scope_id, series, bucket, subject_id, plays, ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const [outer, inner] of [...sums].sort(([a], [b]) => a - b)) {
    for (const [key, plays] of [...inner].sort(([a], [b]) => a - b))
      insert.run(Math.floor(outer / 8), outer % 8, Math.floor(key / 65_536), key % 65_536, plays, plays * PLAY_MS);
  }
};
