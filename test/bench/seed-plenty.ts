/** Adds records of a large store besides screens and contents: hundreds of each kind that users create. */
import type { Database } from '../../server/db/database.ts';
import { addPlaylist, deviceId, WORKSPACE } from './seed.ts';

export const PLENTY = {
  playlists: 500,
  groups: 500,
  layouts: 100,
  walls: 40,
  plans: 500,
  widgets: 500,
  kioskPages: 100,
  folders: 200,
  tags: 40,
  people: 100,
  alerts: 300,
  activity: 20_000,
} as const;
const MEMBERS_OF_GROUP = 8;

type Kind = 'playlist' | 'group' | 'layout' | 'wall' | 'widget' | 'kiosk' | 'plan';
const KINDS: readonly Kind[] = ['playlist', 'group', 'layout', 'wall', 'widget', 'kiosk', 'plan'];
const idOf = (block: number, n: number): string =>
  `01990000-0000-7000-9${block.toString(16).padStart(3, '0')}-${String(n).padStart(12, '0')}`;
/** Returns the id of the n-th record of a kind that {@link addPlenty} adds. */
export const plentyId = (kind: Kind, n: number): string => idOf(KINDS.indexOf(kind), n);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** @param db with contents and at least 2,000 devices */
export const addPlenty = (db: Database, now = Math.floor(Date.now() / 1000)): void => {
  for (const n of upTo(PLENTY.playlists)) addPlaylist(db, 12, plentyId('playlist', n), `Playlist ${n}`);
  addTagsAndGroups(db, now);
  addLayouts(db, now);
  addWalls(db, now);
  addPlans(db, now);
  addPages(db, now);
  addHappenings(db, now);
};

const addTagsAndGroups = ({ raw }: Database, now: number): void => {
  const tag = raw.prepare('INSERT INTO device_tags (device_id, tag) VALUES (?, ?)');
  for (const n of upTo(2000))
    for (const which of [n % PLENTY.tags, (n + 7) % PLENTY.tags]) tag.run(deviceId(n), `tag ${which}`);
  const group = raw.prepare(
    'INSERT INTO groups (id, workspace_id, name, playlist_id, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const member = raw.prepare('INSERT INTO group_members (group_id, device_id) VALUES (?, ?)');
  for (const n of upTo(PLENTY.groups)) {
    group.run(plentyId('group', n), WORKSPACE, `Department ${n}`, plentyId('playlist', n % PLENTY.playlists), now);
    for (const each of upTo(MEMBERS_OF_GROUP))
      member.run(plentyId('group', n), deviceId((n * MEMBERS_OF_GROUP + each) % 2000));
  }
};

const addLayouts = ({ raw }: Database, now: number): void => {
  const layout = raw.prepare(
    'INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at) VALUES (?, ?, ?, 1920, 1080, ?, ?)',
  );
  const zone = raw.prepare(
    'INSERT INTO zones (id, layout_id, position, name, x_percent, y_percent, width_percent, height_percent, playlist_id) VALUES (?, ?, ?, ?, ?, 0, 33, 100, ?)',
  );
  for (const n of upTo(PLENTY.layouts)) {
    layout.run(plentyId('layout', n), WORKSPACE, `Layout ${n}`, now, now);
    for (const at of upTo(3))
      zone.run(
        `${plentyId('layout', n)}-${at}`,
        plentyId('layout', n),
        at,
        `Zone ${at}`,
        at * 33,
        plentyId('playlist', n),
      );
  }
};

const addWalls = ({ raw }: Database, now: number): void => {
  const wall = raw.prepare(
    'INSERT INTO walls (id, workspace_id, name, playlist_id, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const member = raw.prepare('INSERT INTO wall_members (device_id, wall_id, grid_col, grid_row) VALUES (?, ?, ?, ?)');
  for (const n of upTo(PLENTY.walls)) {
    wall.run(plentyId('wall', n), WORKSPACE, `Wall ${n}`, plentyId('playlist', n), now);
    for (const each of upTo(4))
      member.run(deviceId(1800 + n * 4 + each), plentyId('wall', n), each % 2, Math.floor(each / 2));
  }
};

const addPlans = ({ raw }: Database, now: number): void => {
  const columns =
    'workspace_id, playlist_id, title, start_time, end_time, timezone, recurrence, priority, created_at, updated_at';
  const plan = raw.prepare(`INSERT INTO plans (id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, 'Europe/Berlin', ?, ?, ?, ?)`);
  const target = raw.prepare('INSERT INTO plan_targets (plan_id, position, kind, ref) VALUES (?, 0, ?, ?)');
  const schedule = raw.prepare(
    `INSERT INTO schedules (id, plan_id, device_id, group_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'Europe/Berlin', ?, ?, ?, ?)`,
  );
  for (const n of upTo(PLENTY.plans)) {
    const id = plentyId('plan', n);
    const [device, group] = n % 2 === 0 ? [deviceId(n), null] : [null, plentyId('group', n)];
    const hour = String(8 + (n % 10)).padStart(2, '0');
    const values = [
      WORKSPACE,
      plentyId('playlist', n % PLENTY.playlists),
      `Campaign ${n}`,
      `2026-01-05T${hour}:00:00`,
      `2026-01-05T${hour}:45:00`,
      'FREQ=WEEKLY;BYDAY=MO,WE,FR',
      n % 5,
      now,
      now,
    ];
    plan.run(id, ...values);
    target.run(id, device ? 'device' : 'group', device ?? group);
    schedule.run(`${id}-0`, id, device, group, ...values);
  }
};

const addPages = ({ raw }: Database, now: number): void => {
  const widget = raw.prepare(
    'INSERT INTO widgets (id, workspace_id, widget_type, name, config, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const n of upTo(PLENTY.widgets))
    widget.run(
      plentyId('widget', n),
      WORKSPACE,
      n % 2 ? 'clock' : 'text',
      `Widget ${n}`,
      '{"text":"Fresh bread"}',
      now,
      now,
    );
  const kiosk = raw.prepare(
    'INSERT INTO kiosk_pages (id, workspace_id, name, config, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const n of upTo(PLENTY.kioskPages))
    kiosk.run(plentyId('kiosk', n), WORKSPACE, `Kiosk ${n}`, '{"title":"Welcome"}', now, now);
  const folder = raw.prepare(
    'INSERT INTO folders (id, workspace_id, parent_id, name, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  for (const n of upTo(PLENTY.folders))
    folder.run(`folder-${n}`, WORKSPACE, n % 10 === 0 ? null : `folder-${n - (n % 10)}`, `Folder ${n}`, now);
  raw
    .prepare("UPDATE content SET folder_id = 'folder-' || CAST(rowid % ? AS INTEGER) WHERE rowid % 3 = 0")
    .run(PLENTY.folders);
};

const addHappenings = ({ raw }: Database, now: number): void => {
  const user = raw.prepare(
    "INSERT INTO users (id, email, name, plan_id, role, created_at) VALUES (?, ?, ?, 'enterprise', 'user', ?)",
  );
  const member = raw.prepare(
    "INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'workspace_editor', ?)",
  );
  for (const n of upTo(PLENTY.people)) {
    user.run(`person-${n}`, `person${n}@store.test`, `Person ${n}`, now);
    member.run(WORKSPACE, `person-${n}`, now);
  }
  const activity = raw.prepare(
    "INSERT INTO activity (id, workspace_id, user_id, user_name, device_id, action, details, created_at) VALUES (?, ?, 'bench-user', 'Bench', ?, 'device.updated', 'Screen 0001', ?)",
  );
  for (const n of upTo(PLENTY.activity))
    activity.run(idOf(99, n), WORKSPACE, deviceId(n % 2000), now - (PLENTY.activity - n) * 60);
  const alert = raw.prepare(
    "INSERT INTO alerts (id, workspace_id, kind, ref, name, since) VALUES (?, ?, 'screen_dark', ?, ?, ?)",
  );
  for (const n of upTo(PLENTY.alerts)) alert.run(idOf(98, n), WORKSPACE, deviceId(n), `Screen ${n}`, now - n * 60);
};
