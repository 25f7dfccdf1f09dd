/**
 * Every table. Ids are UUIDv7 text unless told otherwise; times are integer epoch seconds, `_ms` epoch milliseconds.
 * After a change here: `npm run migration`, read what it made, commit both.
 */
import type { MediaFormat } from '../../shared/formats/media-format.ts';
import type { ScreenFormats } from '../../shared/formats/screen-formats.ts';
import type { Transition } from '../../shared/program/program.ts';
import { TELEMETRY, TELEMETRY_FIELDS, type TelemetryField } from '../../shared/protocol/telemetry.ts';
import {
  type AnySQLiteColumn,
  blob,
  index,
  integer,
  primaryKey,
  real,
  sql,
  sqliteTable,
  text,
  uniqueIndex,
} from './drizzle.ts';

const id = () => text().primaryKey();
const created = () => integer().notNull();
const flag = () => integer().notNull().default(0);
/** Grows by one with every edit a person made; the record's ETag. */
const revision = () => integer().notNull().default(1);
/** A row with which this one is deleted. */
const goesWith = (id: () => AnySQLiteColumn) => text().notNull().references(id, { onDelete: 'cascade' });
const workspace = () => goesWith(() => workspaces.id);

/** Local `YYYY-MM-DDTHH:MM` by the clock of the screen that shows it, from inclusive, until exclusive; null: no bound. */
const validity = () => ({ valid_from: text(), valid_until: text() });
/** How a turn of an item begins; null: as the playlist says, and there: a cut. */
const transition = () => text({ mode: 'json' }).$type<Transition>();

const columnOf = { text: () => text(), integer: () => integer(), real: () => real() };
/** A column for each field of telemetry. */
const telemetryColumns = () =>
  Object.fromEntries(TELEMETRY_FIELDS.map((field) => [field, columnOf[TELEMETRY[field].kind]()])) as {
    [F in TelemetryField]: ReturnType<(typeof columnOf)[(typeof TELEMETRY)[F]['kind']]>;
  };

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
});

// — accounts —
export const users = sqliteTable('users', {
  id: id(),
  /** Lower-cased. */
  email: text().notNull().unique(),
  name: text().notNull(),
  role: text({ enum: ['user', 'platform_operator', 'platform_admin'] })
    .notNull()
    .default('user'),
  auth_provider: text({ enum: ['local', 'provider_a', 'provider_b', 'headquarters'] })
    .notNull()
    .default('local'),
  avatar_url: text().notNull().default(''),
  plan_id: text().notNull(),
  password_hash: text(),
  /**
   * Its owner has set the password: it opens that organization's workspaces alone until the address or a platform admin
   * confirms it.
   */
  password_organization_id: text(),
  email_verified: flag(),
  email_alerts: integer().notNull().default(1),
  /** Of the mails to them: `en` or `de`; null: what the server's are in. */
  language: text(),
  must_change_password: flag(),
  totp_enabled: flag(),
  /** AES-256-GCM under the key file: iv ‖ tag ‖ ciphertext, base64. Pending until enabled. */
  totp_secret: text(),
  totp_last_step: integer().notNull().default(0),
  trial_started_at: integer(),
  payment_customer_id: text(),
  payment_subscription_id: text(),
  subscription_status: text(),
  subscription_ends: integer(),
  last_login_at: integer(),
  last_workspace_id: text(),
  created_at: created(),
});

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    used_at: integer(),
  },
  (t) => [index('recovery_codes_user').on(t.user_id)],
);

/** The `sub` by which an identity provider knows an account: bound at the first sign-in, one for each issuer. */
export const identities = sqliteTable(
  'identities',
  {
    user_id: goesWith(() => users.id),
    issuer: text().notNull(),
    subject: text().notNull(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.issuer] })],
);

/**
 * ID tokens that were taken, until they expire: each is good once. The hash of issuer and `jti`, else of the token
 * itself.
 */
export const usedIdTokens = sqliteTable(
  'used_id_tokens',
  { hash: text().primaryKey(), expires_at: integer().notNull() },
  (t) => [index('used_id_tokens_expires').on(t.expires_at)],
);

/** E-mail verification; single use, 24 hours; only the hash is stored. */
export const emailTokens = sqliteTable(
  'email_tokens',
  {
    hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    expires_at: integer().notNull(),
  },
  (t) => [index('email_tokens_user').on(t.user_id)],
);

/** Sets a new password once, where no mail comes: made by an administrator, handed over by hand. Only the hash is kept. */
export const passwordLinks = sqliteTable(
  'password_links',
  {
    hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    /** Id of who made it: whether they may is asked again when it is used. */
    made_by: text().notNull(),
    expires_at: integer().notNull(),
    created_at: created(),
  },
  (t) => [index('password_links_user').on(t.user_id)],
);

export const organizations = sqliteTable('organizations', {
  id: id(),
  name: text().notNull(),
  created_at: created(),
});

export const organizationMembers = sqliteTable(
  'organization_members',
  {
    organization_id: goesWith(() => organizations.id),
    user_id: goesWith(() => users.id),
    role: text({ enum: ['org_owner', 'org_admin'] }).notNull(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.user_id] }), index('organization_members_user').on(t.user_id)],
);

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: id(),
    organization_id: goesWith(() => organizations.id),
    name: text().notNull(),
    /** Plays on its screens when nothing else does, nor they nor their groups have one. */
    default_content_id: text().references((): AnySQLiteColumn => content.id, { onDelete: 'set null' }),
    /** Picture that stands at the top of reports. */
    logo_content_id: text().references((): AnySQLiteColumn => content.id, { onDelete: 'set null' }),
    /** 1: what its editors publish waits until somebody who approves has seen it. */
    approval: flag(),
    created_at: created(),
  },
  (t) => [index('workspaces_organization').on(t.organization_id)],
);

export const workspaceMembers = sqliteTable(
  'workspace_members',
  {
    workspace_id: workspace(),
    user_id: goesWith(() => users.id),
    role: text({ enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }).notNull(),
    /** An editor's: `all` that editors may, or `upload` alone. */
    duty: text({ enum: ['all', 'upload'] })
      .notNull()
      .default('all'),
    /** An editor's: the folders whose contents it may change, with those within; null: all. */
    folder_ids: text({ mode: 'json' }).$type<string[]>(),
    /** An editor's: the groups whose screens it may change; null: all. */
    group_ids: text({ mode: 'json' }).$type<string[]>(),
    /** 1: decides about what waits to be published. */
    approves: flag(),
    /** At headquarters, who is no administrator: the regions whose stores it sees, and its role in these; null: all. */
    regions: text({ mode: 'json' }).$type<
      { region: string; role: 'workspace_viewer' | 'workspace_editor' | 'workspace_admin' }[]
    >(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.user_id] }), index('workspace_members_user').on(t.user_id)],
);

/** Outlives its workspace, so that accepting it can answer 410. */
export const invites = sqliteTable(
  'invites',
  {
    id: id(),
    workspace_id: text().notNull(),
    email: text().notNull(),
    role: text({ enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }).notNull(),
    invited_by: text(),
    expires_at: integer().notNull(),
    created_at: created(),
  },
  (t) => [index('invites_workspace').on(t.workspace_id, t.email), index('invites_email').on(t.email)],
);

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    kind: text({ enum: ['session', 'mfa'] })
      .notNull()
      .default('session'),
    user_id: goesWith(() => users.id),
    workspace_id: text().references(() => workspaces.id, { onDelete: 'set null' }),
    expires_at: integer().notNull(),
    created_at: created(),
  },
  (t) => [index('sessions_user').on(t.user_id), index('sessions_expires').on(t.expires_at)],
);

export const tokens = sqliteTable(
  'tokens',
  {
    id: id(),
    hash: text().notNull().unique(),
    /** The first characters, so that a person recognizes it. */
    prefix: text().notNull(),
    name: text().notNull(),
    scope: text({ enum: ['read', 'write', 'full'] }).notNull(),
    user_id: goesWith(() => users.id),
    workspace_id: workspace(),
    created_at: created(),
    last_used_at: integer(),
    expires_at: integer(),
    revoked_at: integer(),
  },
  (t) => [index('tokens_user').on(t.user_id, t.workspace_id), index('tokens_workspace').on(t.workspace_id)],
);

/** Failure counters and lockouts; kept here so that a restart does not lift them. */
export const limits = sqliteTable(
  'limits',
  { key: text().primaryKey(), count: integer().notNull(), resets_at: integer().notNull() },
  (t) => [index('limits_resets').on(t.resets_at)],
);

// — content —
export const folders = sqliteTable(
  'folders',
  {
    id: id(),
    workspace_id: workspace(),
    parent_id: text(),
    name: text().notNull(),
    created_at: created(),
  },
  (t) => [index('folders_workspace').on(t.workspace_id, t.parent_id)],
);

/** A stored file, once per distinct bytes, whoever uploaded it. What nothing refers to is swept. */
export const blobs = sqliteTable('blobs', {
  sha256: text().primaryKey(),
  size: integer().notNull(),
  /** What the bytes are: how the file is served, whatever people call it. */
  mime: text().notNull().default('application/octet-stream'),
  /** Codecs of a video or sound; null: another kind of file, or not read yet. */
  format: text({ mode: 'json' }).$type<MediaFormat>(),
  created_at: created(),
});

export const content = sqliteTable(
  'content',
  {
    id: id(),
    workspace_id: workspace(),
    /** What people call it; a label, never a path. */
    filename: text().notNull(),
    /** The name as it is searched and sorted (fold.ts). */
    search_name: text().notNull().default(''),
    mime_type: text().notNull(),
    kind: text({ enum: ['image', 'video', 'audio', 'pdf', 'web', 'embed'] }).notNull(),
    file_size: integer().notNull().default(0),
    duration_sec: real(),
    width: integer(),
    height: integer(),
    remote_url: text(),
    /** Free-text label; '' = none. */
    folder: text().notNull().default(''),
    folder_id: text().references(() => folders.id, { onDelete: 'set null' }),
    /** Null: nothing stored (a live address, or a remote copy not fetched yet). */
    sha256: text().references(() => blobs.sha256),
    /** Blob of the thumbnail (WebP). */
    thumbnail: text().references(() => blobs.sha256),
    /** Blob of the file as it was uploaded, while a conversion of it is shown. Null: the content was not converted. */
    original_sha256: text().references(() => blobs.sha256),
    /** Remote content: when the copy was last fetched or tried, and what went wrong. */
    fetched_at: integer(),
    fetch_error: text(),
    /** Id of the user who added it; null: headquarters, or added before this was recorded. */
    uploaded_by: text(),
    ...validity(),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [
    // With the name to search by: a search that finds little reads the index, not the table.
    index('content_newest').on(t.workspace_id, t.created_at, t.id, t.search_name),
    index('content_name').on(t.workspace_id, t.search_name, t.id),
    index('content_folder').on(t.folder_id),
    index('content_sha').on(t.sha256),
    index('content_thumbnail').on(t.thumbnail),
    index('content_original').on(t.original_sha256),
  ],
);

export const widgets = sqliteTable(
  'widgets',
  {
    id: id(),
    workspace_id: workspace(),
    widget_type: text().notNull(),
    name: text().notNull(),
    config: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    ...validity(),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [index('widgets_workspace').on(t.workspace_id)],
);

/** The last good answer of a feed or weather service, by address: shown with its age while the LAN is cut off. */
export const feeds = sqliteTable('feeds', {
  url: text().primaryKey(),
  data: text({ mode: 'json' }),
  etag: text(),
  fetched_at: integer(),
  tried_at: integer().notNull(),
  error: text(),
});

export const kioskPages = sqliteTable(
  'kiosk_pages',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    config: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [index('kiosk_pages_workspace').on(t.workspace_id)],
);

// — playlists —
export type StoredBlock = {
  days: number[];
  start: string;
  end: string;
  start_date: string | null;
  end_date: string | null;
};

export const playlists = sqliteTable(
  'playlists',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    description: text().notNull().default(''),
    status: text({ enum: ['draft', 'published'] })
      .notNull()
      .default('draft'),
    /** Epoch milliseconds; null: never published. The anchor from which positions follow. */
    published_ms: integer(),
    transition: transition(),
    /** As it was when the items were published. */
    published_transition: transition(),
    /** Set on a device's own playlist (made by assigning to it). */
    owner_device_id: text(),
    /** Made by the server as a device's own, and goes with it. */
    made_for_owner: integer({ mode: 'boolean' }).notNull().default(false),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [
    index('playlists_workspace').on(t.workspace_id, t.created_at),
    index('playlists_owner').on(t.owner_device_id),
  ],
);

const itemColumns = () => ({
  playlist_id: goesWith(() => playlists.id),
  content_id: text().references(() => content.id, { onDelete: 'cascade' }),
  widget_id: text().references(() => widgets.id, { onDelete: 'cascade' }),
  zone_id: text(),
  sort_order: integer().notNull(),
  duration_sec: integer().notNull(),
  muted: integer({ mode: 'boolean' }).notNull().default(false),
  blocks: text({ mode: 'json' }).$type<StoredBlock[]>().notNull().default(sql`'[]'`),
  ...validity(),
  transition: transition(),
  /** Of a campaign of headquarters: what the store puts there plays in place of this item. */
  slot_id: text(),
});

/** The draft. */
export const playlistItems = sqliteTable(
  'playlist_items',
  { id: integer().primaryKey({ autoIncrement: true }), ...itemColumns() },
  (t) => [
    index('playlist_items_playlist').on(t.playlist_id, t.sort_order),
    index('playlist_items_content').on(t.content_id),
    index('playlist_items_widget').on(t.widget_id),
  ],
);

/** The snapshot that screens play; an item keeps its id from the draft. */
export const publishedItems = sqliteTable('published_items', { id: integer().notNull(), ...itemColumns() }, (t) => [
  primaryKey({ columns: [t.playlist_id, t.id] }),
  index('published_items_content').on(t.content_id),
  index('published_items_widget').on(t.widget_id),
  index('published_items_slot').on(t.slot_id).where(sql`${t.slot_id} IS NOT NULL`),
]);

// — layouts —
export const layouts = sqliteTable(
  'layouts',
  {
    id: id(),
    /** Null: a template, seen by all. */
    workspace_id: text().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    is_template: flag(),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [index('layouts_workspace').on(t.workspace_id)],
);

export const zones = sqliteTable(
  'zones',
  {
    id: id(),
    layout_id: goesWith(() => layouts.id),
    position: integer().notNull(),
    name: text().notNull(),
    x_percent: real().notNull(),
    y_percent: real().notNull(),
    width_percent: real().notNull(),
    height_percent: real().notNull(),
    z_index: integer().notNull().default(0),
    zone_type: text().notNull().default('content'),
    fit_mode: text({ enum: ['cover', 'contain', 'fill'] })
      .notNull()
      .default('cover'),
    background_color: text().notNull().default('#000000'),
    /** What it shows by itself, one of these or none: where the playlist in force has nothing for it. */
    content_id: text().references(() => content.id, { onDelete: 'set null' }),
    widget_id: text().references(() => widgets.id, { onDelete: 'set null' }),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  },
  (t) => [index('zones_layout').on(t.layout_id, t.position)],
);

// — devices —
export const devices = sqliteTable(
  'devices',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    notes: text().notNull().default(''),
    timezone: text().notNull(),
    orientation: text({ enum: ['0', '90', '180', '270'] })
      .notNull()
      .default('0'),
    /** Opening hours; none: always on. */
    opening_hours: text({ mode: 'json' }).$type<StoredBlock[]>().notNull().default(sql`'[]'`),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
    layout_id: text().references(() => layouts.id, { onDelete: 'set null' }),
    default_content_id: text().references(() => content.id, { onDelete: 'set null' }),
    /** SHA-256 of the player's secret, hex. */
    secret_hash: text().notNull().unique(),
    platform: text().notNull().default(''),
    version: text().notNull().default(''),
    capabilities: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    screen_width: integer().notNull().default(0),
    screen_height: integer().notNull().default(0),
    /** What the screen plays, as its player reported; null: it does not report. */
    formats: text({ mode: 'json' }).$type<ScreenFormats>(),
    ip_address: text(),
    last_heartbeat: integer(),
    /** The latest. */
    ...telemetryColumns(),
    /**
     * Ed25519 key by which the player signs its journal, hex; null: it does not. The first it names stays: another
     * would be another player.
     */
    signing_key: text(),
    /** Journal number up to which plays are committed. */
    plays_through: integer().notNull().default(0),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [
    index('devices_workspace').on(t.workspace_id, t.name),
    index('devices_playlist').on(t.playlist_id),
    index('devices_layout').on(t.layout_id),
  ],
);

export const telemetry = sqliteTable(
  'telemetry',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    device_id: goesWith(() => devices.id),
    reported_at: integer().notNull(),
    ...telemetryColumns(),
  },
  (t) => [index('telemetry_device').on(t.device_id, t.reported_at)],
);

/** Each change of a device's status as an interval; `until` null while it lasts. Uptime is computed from these. */
export const statusIntervals = sqliteTable(
  'status_intervals',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    device_id: goesWith(() => devices.id),
    status: text({ enum: ['online', 'offline'] }).notNull(),
    since: integer().notNull(),
    until: integer(),
  },
  (t) => [
    index('status_intervals_device').on(t.device_id, t.since),
    // Of a year's changes the one that lasts: it ends with the next, of five thousand screens in one moment.
    index('status_intervals_open').on(t.device_id).where(sql`${t.until} IS NULL`),
  ],
);

export const groups = sqliteTable(
  'groups',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    color: text().notNull().default('#3B82F6'),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
    /** Plays on members when nothing else does and they have none of their own. */
    default_content_id: text().references(() => content.id, { onDelete: 'set null' }),
    /** Its members are the screens with all of these tags, and follow them; null: people choose the members. */
    rule_tags: text({ mode: 'json' }).$type<string[]>(),
    revision: revision(),
    created_at: created(),
  },
  (t) => [index('groups_workspace').on(t.workspace_id), index('groups_playlist').on(t.playlist_id)],
);

export const groupMembers = sqliteTable(
  'group_members',
  {
    /** Oldest membership first decides which group's playlist a device inherits. */
    seq: integer().primaryKey({ autoIncrement: true }),
    group_id: goesWith(() => groups.id),
    device_id: goesWith(() => devices.id),
  },
  (t) => [uniqueIndex('group_members_pair').on(t.group_id, t.device_id), index('group_members_device').on(t.device_id)],
);

/** What people call places, kinds and sizes of screens: plans, groups and lists choose by them. */
export const deviceTags = sqliteTable(
  'device_tags',
  {
    device_id: goesWith(() => devices.id),
    /** As people wrote it. */
    tag: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.tag] }), index('device_tags_tag').on(t.tag, t.device_id)],
);

/** A list of screens as somebody likes to see it. */
export const views = sqliteTable(
  'views',
  {
    id: id(),
    workspace_id: workspace(),
    user_id: goesWith(() => users.id),
    name: text().notNull(),
    query: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    created_at: created(),
  },
  (t) => [index('views_owner').on(t.workspace_id, t.user_id)],
);

/** What is shown, when, and how strongly: of a plan, and of each of its schedules. */
const planned = () => ({
  zone_id: text(),
  content_id: text().references(() => content.id, { onDelete: 'set null' }),
  widget_id: text().references(() => widgets.id, { onDelete: 'set null' }),
  layout_id: text().references(() => layouts.id, { onDelete: 'set null' }),
  playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  title: text().notNull().default(''),
  /** Local wall clock `YYYY-MM-DDTHH:MM:SS` in `timezone`. */
  start_time: text().notNull(),
  end_time: text().notNull(),
  timezone: text().notNull(),
  recurrence: text(),
  recurrence_end: text(),
  color: text(),
  priority: integer().notNull().default(0),
  enabled: integer().notNull().default(1),
  created_at: created(),
  updated_at: integer().notNull(),
});

/** One thing at one time on several targets; each of them has a schedule of its own, which the plan keeps alike. */
export const plans = sqliteTable(
  'plans',
  { id: id(), workspace_id: workspace(), revision: revision(), ...planned() },
  (t) => [
    index('plans_workspace').on(t.workspace_id, t.created_at, t.id),
    index('plans_content').on(t.content_id),
    index('plans_playlist').on(t.playlist_id),
  ],
);

/** For whom a plan is: screens, groups, and tags, which stand for the screens that have them. */
export const planTargets = sqliteTable(
  'plan_targets',
  {
    plan_id: goesWith(() => plans.id),
    position: integer().notNull(),
    kind: text({ enum: ['device', 'group', 'tag'] }).notNull(),
    /** Id of the device or group, or the tag. */
    ref: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.plan_id, t.kind, t.ref] }), index('plan_targets_ref').on(t.kind, t.ref)],
);

export const schedules = sqliteTable(
  'schedules',
  {
    id: id(),
    workspace_id: workspace(),
    /** Each schedule is one of a plan's, be it the only one. */
    plan_id: text().references(() => plans.id, { onDelete: 'cascade' }),
    device_id: text().references(() => devices.id, { onDelete: 'cascade' }),
    group_id: text().references(() => groups.id, { onDelete: 'cascade' }),
    ...planned(),
  },
  (t) => [
    index('schedules_workspace').on(t.workspace_id),
    index('schedules_plan').on(t.plan_id),
    index('schedules_device').on(t.device_id),
    index('schedules_group').on(t.group_id),
    index('schedules_playlist').on(t.playlist_id),
  ],
);

// — walls —
export const walls = sqliteTable(
  'walls',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    grid_cols: integer().notNull().default(2),
    grid_rows: integer().notNull().default(2),
    bezel_h_mm: real().notNull().default(0),
    bezel_v_mm: real().notNull().default(0),
    screen_w_mm: real().notNull().default(400),
    screen_h_mm: real().notNull().default(225),
    sync_mode: text().notNull().default('clock'),
    leader_device_id: text().references(() => devices.id, { onDelete: 'set null' }),
    content_id: text().references(() => content.id, { onDelete: 'set null' }),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
    revision: revision(),
    created_at: created(),
  },
  (t) => [index('walls_workspace').on(t.workspace_id)],
);

export const wallMembers = sqliteTable(
  'wall_members',
  {
    /** A device is in one wall at a time. */
    device_id: text()
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    wall_id: goesWith(() => walls.id),
    grid_col: integer().notNull(),
    grid_row: integer().notNull(),
    rotation: integer().notNull().default(0),
    /** Millimetres in wall space; null: computed from the cell. */
    canvas_x: real(),
    canvas_y: real(),
    canvas_width: real(),
    canvas_height: real(),
  },
  (t) => [index('wall_members_wall').on(t.wall_id)],
);

// — commands and overlays —
export const commands = sqliteTable(
  'commands',
  {
    id: id(),
    device_id: goesWith(() => devices.id),
    command: text().notNull(),
    payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    created_at: created(),
    expires_at: integer().notNull(),
    status: text({ enum: ['waiting', 'sent', 'done', 'failed', 'unsupported'] }).notNull(),
    error: text(),
  },
  (t) => [index('commands_device').on(t.device_id, t.expires_at)],
);

/** The overlay a device shows or will show when it comes back; one per device. */
export const overlays = sqliteTable('overlays', {
  device_id: text()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  pip_id: text().notNull(),
  message: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** Epoch milliseconds; null: until cleared. */
  until_ms: integer(),
  status: text({ enum: ['waiting', 'sent', 'shown', 'failed'] }).notNull(),
  created_at: created(),
});

/** A message that was put on screens; `overlays` has by its id what each of them shows of it. */
export const messages = sqliteTable(
  'messages',
  {
    id: id(),
    workspace_id: workspace(),
    /** What was said and how it looks. */
    message: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Whom it was for: the ids of screens that were meant then, and the words for them. */
    targets: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    user_id: text(),
    user_name: text().notNull(),
    created_at: created(),
    /** Epoch milliseconds; null: until withdrawn. */
    until_ms: integer(),
    withdrawn_at: integer(),
  },
  (t) => [index('messages_workspace').on(t.workspace_id, t.created_at)],
);

// — proof of play —
/** Epoch day (UTC) on which the newest play of it came in: it goes when retention has passed that. */
const usedDay = () => integer().notNull().default(0);

/**
 * A play survives the deletion of what it showed. It is kept in numbers, since a screen makes three million of them a
 * year; whoever wants it in words reads the view `plays`, which drizzle cannot say and the migration makes.
 */
export const playLog = sqliteTable(
  'play_log',
  {
    /** In the order in which they came. */
    id: integer().primaryKey(),
    /** Numbers in play_subjects. */
    workspace: integer().notNull(),
    device: integer().notNull(),
    shown: integer().notNull(),
    /** Number in play_turns. */
    turn: integer().notNull(),
    /** Number in play_boots; null: the player did not say. */
    boot: integer(),
    /** Number in the device's journal. */
    seq: integer().notNull(),
    started_ms: integer().notNull(),
    lasted_ms: integer().notNull(),
    completed: integer().notNull(),
    /**
     * Of `started_ms`: an integer is tenths of a millisecond, anything else milliseconds; null: the player did not say.
     */
    uncertainty: blob(),
    /** The player's own id of the play, unique for ever: the 16 bytes of a UUID, or text. With `claimed` it is text. */
    play_id: blob().notNull(),
    /** JSON [started_at, ended_at] as the player gave them, where they could not be believed. */
    claimed: text(),
  },
  (t) => [
    index('play_log_time').on(t.workspace, t.started_ms),
    index('play_log_device').on(t.device, t.started_ms),
    index('play_log_content').on(t.shown, t.started_ms),
    index('play_log_claimed').on(t.play_id).where(sql`${t.claimed} IS NOT NULL`),
  ],
);

/** What many plays have in common, as it was called when they were shown. A number is never given twice. */
export const playTurns = sqliteTable(
  'play_turns',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Numbers in play_subjects. */
    device: integer().notNull(),
    shown: integer().notNull(),
    device_name: text().notNull(),
    content_id: text(),
    widget_id: text(),
    content_name: text().notNull(),
    zone_id: text(),
    playlist_id: text(),
    item_id: integer(),
    used_day: usedDay(),
  },
  (t) => [index('play_turns_of').on(t.device, t.shown)],
);

/** Runs of players, which the hash of a play covers (shared/protocol/journal-chain.ts). */
export const playBoots = sqliteTable('play_boots', {
  id: integer().primaryKey(),
  boot_id: text().notNull().unique(),
  used_day: usedDay(),
});

/** Plays as versions before the migration `play_log` kept them; they move to `play_log` while the server runs. */
export const oldPlays = sqliteTable(
  'old_plays',
  {
    id: integer().primaryKey(),
    play_id: text().notNull().unique('plays_play_id_unique'),
    workspace_id: text().notNull(),
    device_id: text().notNull(),
    device_name: text().notNull(),
    content_id: text(),
    widget_id: text(),
    content_name: text().notNull(),
    zone_id: text(),
    playlist_id: text(),
    item_id: integer(),
    started_ms: integer().notNull(),
    ended_ms: integer().notNull(),
    completed: integer().notNull(),
    seq: integer().notNull(),
    boot_id: text(),
    uncertainty_ms: real(),
    claimed: text(),
  },
  (t) => [
    index('plays_time').on(t.workspace_id, t.started_ms),
    index('plays_device').on(t.workspace_id, t.device_id, t.started_ms),
    index('plays_content').on(t.workspace_id, t.content_id, t.started_ms),
  ],
);

/**
 * Stretches of a device's journal that its signature vouches for: those plays which came between `first_play` and
 * `last_play` (ids of plays, both included). A stretch grows with each message until it has 1,000 rows. They outlive
 * the device, as the plays do.
 */
export const playSeals = sqliteTable(
  'play_seals',
  {
    id: integer().primaryKey(),
    workspace_id: text().notNull(),
    device_id: text().notNull(),
    first_play: integer().notNull(),
    last_play: integer().notNull(),
    /** Journal numbers. */
    first: integer().notNull(),
    through: integer().notNull(),
    /** Hash of the row before the first, and of the last. */
    prev: text().notNull(),
    head: text().notNull(),
    signature: text().notNull(),
    signing_key: text().notNull(),
  },
  (t) => [index('play_seals_device').on(t.device_id, t.id)],
);

/**
 * Whatever plays are summed by, under a small number: each device, content and widget that ever played, and each
 * workspace as a whole. Outlives what it names, as the plays do.
 */
export const playSubjects = sqliteTable(
  'play_subjects',
  {
    id: integer().primaryKey(),
    workspace_id: text().notNull(),
    kind: text({ enum: ['workspace', 'device', 'content', 'widget', 'other'] }).notNull(),
    /** Id of the device, content or widget; of `other` the name; of the workspace ''. */
    ref: text().notNull(),
    /** As the newest play has it, which started at `named_ms`. */
    name: text().notNull(),
    named_ms: integer().notNull(),
  },
  (t) => [uniqueIndex('play_subjects_ref').on(t.workspace_id, t.kind, t.ref)],
);

/**
 * Sums of plays, written in the transaction that writes the plays, so that a report reads thousands of rows, not
 * millions (features/reports/sums.ts has the series). WITHOUT ROWID, which drizzle cannot say: the migration does.
 */
export const playSums = sqliteTable(
  'play_sums',
  {
    /** Whose plays: a workspace's or a device's number in play_subjects. */
    scope_id: integer().notNull(),
    series: integer().notNull(),
    /** Epoch quarter-hour or UTC day, by the series. */
    bucket: integer().notNull(),
    /** Of what: a number in play_subjects; 0: of everything. */
    subject_id: integer().notNull(),
    plays: integer().notNull(),
    ms: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope_id, t.series, t.bucket, t.subject_id] })],
);

// — what was planned —
/** Programs that screens have had, each once: what was to be shown can be worked out again, and held against the plays. */
export const programArchive = sqliteTable('program_archive', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Its name, in hex. */
  sha256: text().notNull().unique(),
  /** Its bytes, compressed. */
  body: blob({ mode: 'buffer' }).notNull(),
  created_at: created(),
});

/** Which program a screen was to show, from when until when. Outlives the screen, as the plays do. */
export const programSpans = sqliteTable(
  'program_spans',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspace_id: text().notNull(),
    device_id: text().notNull(),
    /** Number in program_archive. */
    program: integer().notNull(),
    /** Zone of time of the screen. */
    timezone: text().notNull(),
    since: integer().notNull(),
    /** Null: it lasts. */
    until: integer(),
  },
  (t) => [
    index('program_spans_device').on(t.device_id, t.since),
    index('program_spans_workspace').on(t.workspace_id, t.since),
    index('program_spans_program').on(t.program),
  ],
);

/** Stretches of time of a program whose planned plays are summed, once for all screens that had it then. */
export const plannedWindows = sqliteTable(
  'planned_windows',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    program: integer().notNull(),
    timezone: text().notNull(),
    since: integer().notNull(),
    until: integer().notNull(),
  },
  (t) => [uniqueIndex('planned_windows_of').on(t.program, t.timezone, t.since, t.until)],
);

export const plannedSums = sqliteTable(
  'planned_sums',
  {
    window: integer()
      .notNull()
      .references(() => plannedWindows.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['content', 'widget'] }).notNull(),
    /** Id of the content or widget. */
    ref: text().notNull(),
    /** '' where none is behind it. */
    playlist_id: text().notNull().default(''),
    /** Plan by which it was due, or ''. */
    plan_id: text().notNull().default(''),
    plays: integer().notNull(),
    ms: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.window, t.kind, t.ref, t.playlist_id, t.plan_id] })],
);

export const activity = sqliteTable(
  'activity',
  {
    id: id(),
    workspace_id: text().notNull(),
    user_id: text(),
    user_name: text().notNull(),
    device_id: text(),
    action: text().notNull(),
    details: text().notNull(),
    ip_address: text(),
    created_at: created(),
  },
  (t) => [
    index('activity_workspace').on(t.workspace_id, t.id),
    index('activity_device').on(t.workspace_id, t.device_id, t.id),
  ],
);

/** The newest screenshot of each device. */
export const screenshots = sqliteTable('screenshots', {
  device_id: text()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  mime: text().notNull(),
  data: blob({ mode: 'buffer' }).notNull(),
  taken_at: integer().notNull(),
});

// — what needs a person —
/** Something that a person should see to, from when it was noticed until it is over; the newest are kept as history. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: id(),
    /** Null: it is the server's, not a workspace's. */
    workspace_id: text().references(() => workspaces.id, { onDelete: 'cascade' }),
    /** One of shared/contract/alerts.ts. */
    kind: text().notNull(),
    /** What it is about: id of a device, content, widget, workspace; '' of the server. */
    ref: text().notNull().default(''),
    /** What it was called when it was noticed. */
    name: text().notNull().default(''),
    /** Values that its words are made of. */
    facts: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default(sql`'{}'`),
    /** In epoch seconds, like all below. */
    since: integer().notNull(),
    /** Null: it lasts. */
    ended_at: integer(),
    /** When people were told; null: not (yet). */
    told_at: integer(),
    acknowledged_at: integer(),
    /** Name of who did. */
    acknowledged_by: text(),
    assigned_to: text().references(() => users.id, { onDelete: 'set null' }),
    muted_until: integer(),
  },
  (t) => [
    uniqueIndex('alerts_open').on(t.kind, t.ref).where(sql`${t.ended_at} IS NULL`),
    index('alerts_workspace').on(t.workspace_id, t.ended_at, t.since),
  ],
);

/** From when on something needs a person, where a workspace has it otherwise than shared/contract/alerts.ts. */
export const alertRules = sqliteTable(
  'alert_rules',
  {
    workspace_id: workspace(),
    kind: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull().default(true),
    /** In the unit of its kind; null: as it comes. */
    threshold: real(),
    /** For how long it must be so; null: as it comes. */
    minutes: integer(),
    /** Whom it is told to, beside the page: JSON list of mail, webhook, mqtt; null: as it comes. */
    tell: text({ mode: 'json' }).$type<string[]>(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.kind] })],
);

// — what was deleted or replaced —
/** A deleted or replaced record with its places, for 30 days. */
export const bin = sqliteTable(
  'bin',
  {
    id: id(),
    workspace_id: workspace(),
    /** One of shared/contract/bin.ts. */
    kind: text().notNull(),
    /** Id of the record, which it has again when it comes back. */
    ref: text().notNull(),
    name: text().notNull(),
    /** All that brings it back: its rows, and where it stood. */
    record: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Of the files that only the bin keeps. */
    bytes: integer().notNull().default(0),
    user_id: text(),
    user_name: text().notNull(),
    created_at: created(),
  },
  (t) => [index('bin_workspace').on(t.workspace_id, t.created_at), index('bin_ref').on(t.ref)],
);

/** Keeps the files of what is in the bin from being swept. */
export const binFiles = sqliteTable(
  'bin_files',
  {
    bin_id: goesWith(() => bin.id),
    sha256: text()
      .notNull()
      .references(() => blobs.sha256),
  },
  (t) => [primaryKey({ columns: [t.bin_id, t.sha256] }), index('bin_files_sha').on(t.sha256)],
);

/** Ids of the records that an entry of the bin names: finds the entries that concern a record. */
export const binNames = sqliteTable('bin_names', { bin_id: goesWith(() => bin.id), ref: text().notNull() }, (t) => [
  primaryKey({ columns: [t.bin_id, t.ref] }),
  index('bin_names_ref').on(t.ref),
]);

/** What a playlist was each time it was published; the newest are kept. */
export const playlistVersions = sqliteTable(
  'playlist_versions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    playlist_id: goesWith(() => playlists.id),
    published_ms: integer().notNull(),
    user_id: text(),
    user_name: text().notNull(),
    /** Name of who asked for it, where somebody else approved: that is `user_name` then. */
    asked_by_name: text(),
    transition: transition(),
    /** The rows of its items. */
    items: text({ mode: 'json' }).$type<Record<string, unknown>[]>().notNull(),
  },
  (t) => [index('playlist_versions_playlist').on(t.playlist_id, t.id)],
);

/** What somebody wants to have published, and who decided about it. One of a playlist waits at a time. */
export const publishRequests = sqliteTable(
  'publish_requests',
  {
    id: id(),
    workspace_id: workspace(),
    playlist_id: goesWith(() => playlists.id),
    /** Of the playlist, as it was when it was asked for: what is decided about is what was seen. */
    revision: integer().notNull(),
    /**
     * JSON: a hash for each record that the playlist would show, as it was when it was asked for
     * (features/playlists/shown-now.ts). Null: asked for before this was recorded; the revision alone is compared.
     */
    shows: text(),
    user_id: text(),
    user_name: text().notNull(),
    note: text().notNull().default(''),
    created_at: created(),
    state: text({ enum: ['waiting', 'approved', 'refused', 'withdrawn'] })
      .notNull()
      .default('waiting'),
    decided_at: integer(),
    decided_by: text(),
    decided_by_name: text(),
    /** What was said with the decision. */
    answer: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('publish_requests_waiting').on(t.playlist_id).where(sql`${t.state} = 'waiting'`),
    index('publish_requests_workspace').on(t.workspace_id, t.state, t.created_at),
  ],
);

// — reports that come by themselves —
/** Filters of a report under a name, and whom it is sent to. */
export const savedReports = sqliteTable(
  'saved_reports',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    /** As shared/contract/reports.ts has them. */
    filters: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Addresses that get it on the first day of each month; none: nobody does. */
    recipients: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    /** The month, `YYYY-MM`, that was sent last. */
    sent_month: text(),
    user_id: text(),
    created_at: created(),
  },
  (t) => [index('saved_reports_workspace').on(t.workspace_id, t.created_at)],
);

// — updates of the screens —
export const releases = sqliteTable('releases', {
  id: id(),
  version: text().notNull().unique(),
  created_at: created(),
});

/** Kept in `<data>/updates` by their hash. */
export const releaseFiles = sqliteTable(
  'release_files',
  {
    release_id: goesWith(() => releases.id),
    name: text().notNull(),
    platform: text({ enum: ['linux', 'win', 'mac'] }).notNull(),
    arch: text({ enum: ['x64', 'arm64'] }).notNull(),
    kind: text().notNull(),
    size: integer().notNull(),
    /** Hex. */
    sha256: text().notNull(),
    /** Base64. */
    sha512: text().notNull(),
    /** The publisher's, hex; null: none was uploaded (yet), and no screen is offered the file. */
    signature: text(),
  },
  (t) => [primaryKey({ columns: [t.release_id, t.name] })],
);

export const rollouts = sqliteTable(
  'rollouts',
  {
    id: id(),
    release_id: goesWith(() => releases.id),
    status: text({ enum: ['running', 'paused', 'done', 'stopped', 'aborted'] }).notNull(),
    stage: text({ enum: ['first', 'groups', 'everyone'] }).notNull(),
    first_device_id: text().notNull(),
    group_ids: text({ mode: 'json' }).$type<string[]>().notNull(),
    minutes: integer().notNull(),
    reason: text(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [index('rollouts_release').on(t.release_id)],
);

/** How far each screen of a rollout is; those without a row wait. */
export const rolloutDevices = sqliteTable(
  'rollout_devices',
  {
    rollout_id: goesWith(() => rollouts.id),
    device_id: goesWith(() => devices.id),
    status: text({ enum: ['told', 'healthy', 'failed', 'unsupported'] }).notNull(),
    told_at: integer(),
    /** When it was first seen with the version. */
    seen_at: integer(),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.rollout_id, t.device_id] }), index('rollout_devices_device').on(t.device_id)],
);
