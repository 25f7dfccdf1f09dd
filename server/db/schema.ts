/**
 * Every table. Ids are UUIDv7 text unless told otherwise; times are integer epoch seconds, `_ms` epoch milliseconds.
 * After a change here: `npm run migration`, read what it made, commit both.
 */
import { TELEMETRY, TELEMETRY_FIELDS, type TelemetryField } from '../../shared/protocol/telemetry.ts';
import { blob, index, integer, primaryKey, real, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';

const id = () => text('id').primaryKey();
const created = () => integer('created_at').notNull();
const flag = (name: string) => integer(name).notNull().default(0);
/** Grows by one with every edit a person made; the record's ETag. */
const revision = () => integer('revision').notNull().default(1);
const workspace = () =>
  text('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

const columnOf = {
  text: (name: string) => text(name),
  integer: (name: string) => integer(name),
  real: (name: string) => real(name),
};
/** A column for each field of telemetry. */
const telemetryColumns = () =>
  Object.fromEntries(TELEMETRY_FIELDS.map((field) => [field, columnOf[TELEMETRY[field].kind](field)])) as {
    [F in TelemetryField]: ReturnType<(typeof columnOf)[(typeof TELEMETRY)[F]['kind']]>;
  };

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value', { mode: 'json' }).notNull(),
});

// — accounts —
export const users = sqliteTable('users', {
  id: id(),
  /** Lower-cased. */
  email: text('email').notNull().unique(),
  name: text('name').notNull(),
  role: text('role', { enum: ['user', 'platform_operator', 'platform_admin'] })
    .notNull()
    .default('user'),
  auth_provider: text('auth_provider', { enum: ['local', 'provider_a', 'provider_b'] })
    .notNull()
    .default('local'),
  avatar_url: text('avatar_url').notNull().default(''),
  plan_id: text('plan_id').notNull(),
  password_hash: text('password_hash'),
  /**
   * Its owner has set the password: it opens that organization's workspaces alone until the address or a platform admin
   * confirms it.
   */
  password_organization_id: text('password_organization_id'),
  email_verified: flag('email_verified'),
  email_alerts: integer('email_alerts').notNull().default(1),
  must_change_password: flag('must_change_password'),
  totp_enabled: flag('totp_enabled'),
  /** AES-256-GCM under the key file: iv ‖ tag ‖ ciphertext, base64. Pending until enabled. */
  totp_secret: text('totp_secret'),
  totp_last_step: integer('totp_last_step').notNull().default(0),
  trial_started_at: integer('trial_started_at'),
  payment_customer_id: text('payment_customer_id'),
  payment_subscription_id: text('payment_subscription_id'),
  subscription_status: text('subscription_status'),
  subscription_ends: integer('subscription_ends'),
  last_login_at: integer('last_login_at'),
  last_workspace_id: text('last_workspace_id'),
  created_at: created(),
});

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    used_at: integer('used_at'),
  },
  (t) => [index('recovery_codes_user').on(t.user_id)],
);

/** The `sub` by which an identity provider knows an account: bound at the first sign-in, one for each issuer. */
export const identities = sqliteTable(
  'identities',
  {
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
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
  { hash: text('hash').primaryKey(), expires_at: integer('expires_at').notNull() },
  (t) => [index('used_id_tokens_expires').on(t.expires_at)],
);

/** E-mail verification; single use, 24 hours; only the hash is stored. */
export const emailTokens = sqliteTable(
  'email_tokens',
  {
    hash: text('hash').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires_at: integer('expires_at').notNull(),
  },
  (t) => [index('email_tokens_user').on(t.user_id)],
);

export const organizations = sqliteTable('organizations', {
  id: id(),
  name: text('name').notNull(),
  created_at: created(),
});

export const organizationMembers = sqliteTable(
  'organization_members',
  {
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['org_owner', 'org_admin'] }).notNull(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.user_id] }), index('organization_members_user').on(t.user_id)],
);

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: id(),
    organization_id: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    created_at: created(),
  },
  (t) => [index('workspaces_organization').on(t.organization_id)],
);

export const workspaceMembers = sqliteTable(
  'workspace_members',
  {
    workspace_id: workspace(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }).notNull(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.user_id] }), index('workspace_members_user').on(t.user_id)],
);

/** Outlives its workspace, so that accepting it can answer 410. */
export const invites = sqliteTable(
  'invites',
  {
    id: id(),
    workspace_id: text('workspace_id').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }).notNull(),
    invited_by: text('invited_by'),
    expires_at: integer('expires_at').notNull(),
    created_at: created(),
  },
  (t) => [index('invites_workspace').on(t.workspace_id, t.email), index('invites_email').on(t.email)],
);

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the token, hex. */
    hash: text('hash').primaryKey(),
    kind: text('kind', { enum: ['session', 'mfa'] })
      .notNull()
      .default('session'),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    workspace_id: text('workspace_id').references(() => workspaces.id, { onDelete: 'set null' }),
    expires_at: integer('expires_at').notNull(),
    created_at: created(),
  },
  (t) => [index('sessions_user').on(t.user_id), index('sessions_expires').on(t.expires_at)],
);

export const tokens = sqliteTable(
  'tokens',
  {
    id: id(),
    hash: text('hash').notNull().unique(),
    /** The first characters, so that a person recognizes it. */
    prefix: text('prefix').notNull(),
    name: text('name').notNull(),
    scope: text('scope', { enum: ['read', 'write', 'full'] }).notNull(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    workspace_id: workspace(),
    created_at: created(),
    last_used_at: integer('last_used_at'),
    expires_at: integer('expires_at'),
    revoked_at: integer('revoked_at'),
  },
  (t) => [index('tokens_user').on(t.user_id, t.workspace_id), index('tokens_workspace').on(t.workspace_id)],
);

/** Failure counters and lockouts; kept here so that a restart does not lift them. */
export const limits = sqliteTable(
  'limits',
  { key: text('key').primaryKey(), count: integer('count').notNull(), resets_at: integer('resets_at').notNull() },
  (t) => [index('limits_resets').on(t.resets_at)],
);

// — content —
export const folders = sqliteTable(
  'folders',
  {
    id: id(),
    workspace_id: workspace(),
    parent_id: text('parent_id'),
    name: text('name').notNull(),
    created_at: created(),
  },
  (t) => [index('folders_workspace').on(t.workspace_id, t.parent_id)],
);

/** A stored file, once per distinct bytes, whoever uploaded it. What nothing refers to is swept. */
export const blobs = sqliteTable('blobs', {
  sha256: text('sha256').primaryKey(),
  size: integer('size').notNull(),
  /** What the bytes are: how the file is served, whatever people call it. */
  mime: text('mime').notNull().default('application/octet-stream'),
  created_at: created(),
});

export const content = sqliteTable(
  'content',
  {
    id: id(),
    workspace_id: workspace(),
    /** What people call it; a label, never a path. */
    filename: text('filename').notNull(),
    mime_type: text('mime_type').notNull(),
    kind: text('kind', { enum: ['image', 'video', 'audio', 'pdf', 'web', 'embed'] }).notNull(),
    file_size: integer('file_size').notNull().default(0),
    duration_sec: real('duration_sec'),
    width: integer('width'),
    height: integer('height'),
    remote_url: text('remote_url'),
    /** Free-text label; '' = none. */
    folder: text('folder').notNull().default(''),
    folder_id: text('folder_id').references(() => folders.id, { onDelete: 'set null' }),
    /** Null: nothing stored (a live address, or a remote copy not fetched yet). */
    sha256: text('sha256').references(() => blobs.sha256),
    /** Blob of the thumbnail (WebP). */
    thumbnail: text('thumbnail').references(() => blobs.sha256),
    /** Remote content: when the copy was last fetched or tried, and what went wrong. */
    fetched_at: integer('fetched_at'),
    fetch_error: text('fetch_error'),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [
    index('content_workspace').on(t.workspace_id, t.created_at),
    index('content_folder').on(t.folder_id),
    index('content_sha').on(t.sha256),
    index('content_thumbnail').on(t.thumbnail),
  ],
);

export const widgets = sqliteTable(
  'widgets',
  {
    id: id(),
    workspace_id: workspace(),
    widget_type: text('widget_type').notNull(),
    name: text('name').notNull(),
    config: text('config', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [index('widgets_workspace').on(t.workspace_id)],
);

/** The last good answer of a feed or weather service, by address: shown with its age while the LAN is cut off. */
export const feeds = sqliteTable('feeds', {
  url: text('url').primaryKey(),
  data: text('data', { mode: 'json' }),
  etag: text('etag'),
  fetched_at: integer('fetched_at'),
  tried_at: integer('tried_at').notNull(),
  error: text('error'),
});

export const kioskPages = sqliteTable(
  'kiosk_pages',
  {
    id: id(),
    workspace_id: workspace(),
    name: text('name').notNull(),
    config: text('config', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
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
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    status: text('status', { enum: ['draft', 'published'] })
      .notNull()
      .default('draft'),
    /** Epoch milliseconds; null: never published. The anchor from which positions follow. */
    published_ms: integer('published_ms'),
    /** Set on a device's own playlist (made by assigning to it). */
    owner_device_id: text('owner_device_id'),
    /** Made by the server as a device's own, and goes with it. */
    made_for_owner: integer('made_for_owner', { mode: 'boolean' }).notNull().default(false),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [
    index('playlists_workspace').on(t.workspace_id, t.created_at),
    index('playlists_owner').on(t.owner_device_id),
  ],
);

const itemColumns = () => ({
  playlist_id: text('playlist_id')
    .notNull()
    .references(() => playlists.id, { onDelete: 'cascade' }),
  content_id: text('content_id').references(() => content.id, { onDelete: 'cascade' }),
  widget_id: text('widget_id').references(() => widgets.id, { onDelete: 'cascade' }),
  zone_id: text('zone_id'),
  sort_order: integer('sort_order').notNull(),
  duration_sec: integer('duration_sec').notNull(),
  muted: integer('muted', { mode: 'boolean' }).notNull().default(false),
  blocks: text('blocks', { mode: 'json' }).$type<StoredBlock[]>().notNull().default(sql`'[]'`),
});

/** The draft. */
export const playlistItems = sqliteTable(
  'playlist_items',
  { id: integer('id').primaryKey({ autoIncrement: true }), ...itemColumns() },
  (t) => [
    index('playlist_items_playlist').on(t.playlist_id, t.sort_order),
    index('playlist_items_content').on(t.content_id),
    index('playlist_items_widget').on(t.widget_id),
  ],
);

/** The snapshot that screens play; an item keeps its id from the draft. */
export const publishedItems = sqliteTable('published_items', { id: integer('id').notNull(), ...itemColumns() }, (t) => [
  primaryKey({ columns: [t.playlist_id, t.id] }),
  index('published_items_content').on(t.content_id),
  index('published_items_widget').on(t.widget_id),
]);

// — layouts —
export const layouts = sqliteTable(
  'layouts',
  {
    id: id(),
    /** Null: a template, seen by all. */
    workspace_id: text('workspace_id').references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    is_template: flag('is_template'),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [index('layouts_workspace').on(t.workspace_id)],
);

export const zones = sqliteTable(
  'zones',
  {
    id: id(),
    layout_id: text('layout_id')
      .notNull()
      .references(() => layouts.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    x_percent: real('x_percent').notNull(),
    y_percent: real('y_percent').notNull(),
    width_percent: real('width_percent').notNull(),
    height_percent: real('height_percent').notNull(),
    z_index: integer('z_index').notNull().default(0),
    zone_type: text('zone_type').notNull().default('content'),
    fit_mode: text('fit_mode', { enum: ['cover', 'contain', 'fill'] })
      .notNull()
      .default('cover'),
    background_color: text('background_color').notNull().default('#000000'),
  },
  (t) => [index('zones_layout').on(t.layout_id, t.position)],
);

// — devices —
export const devices = sqliteTable(
  'devices',
  {
    id: id(),
    workspace_id: workspace(),
    name: text('name').notNull(),
    notes: text('notes').notNull().default(''),
    timezone: text('timezone').notNull(),
    orientation: text('orientation', { enum: ['0', '90', '180', '270'] })
      .notNull()
      .default('0'),
    /** Opening hours; none: always on. */
    opening_hours: text('opening_hours', { mode: 'json' }).$type<StoredBlock[]>().notNull().default(sql`'[]'`),
    playlist_id: text('playlist_id').references(() => playlists.id, { onDelete: 'set null' }),
    layout_id: text('layout_id').references(() => layouts.id, { onDelete: 'set null' }),
    default_content_id: text('default_content_id').references(() => content.id, { onDelete: 'set null' }),
    /** SHA-256 of the player's secret, hex. */
    secret_hash: text('secret_hash').notNull().unique(),
    platform: text('platform').notNull().default(''),
    version: text('version').notNull().default(''),
    capabilities: text('capabilities', { mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    screen_width: integer('screen_width').notNull().default(0),
    screen_height: integer('screen_height').notNull().default(0),
    ip_address: text('ip_address'),
    last_heartbeat: integer('last_heartbeat'),
    /** The latest. */
    ...telemetryColumns(),
    /**
     * Ed25519 key by which the player signs its journal, hex; null: it does not. The first it names stays: another
     * would be another player.
     */
    signing_key: text('signing_key'),
    /** Journal number up to which plays are committed. */
    plays_through: integer('plays_through').notNull().default(0),
    revision: revision(),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
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
    id: integer('id').primaryKey({ autoIncrement: true }),
    device_id: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    reported_at: integer('reported_at').notNull(),
    ...telemetryColumns(),
  },
  (t) => [index('telemetry_device').on(t.device_id, t.reported_at)],
);

/** Each change of a device's status as an interval; `until` null while it lasts. Uptime is computed from these. */
export const statusIntervals = sqliteTable(
  'status_intervals',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    device_id: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ['online', 'offline'] }).notNull(),
    since: integer('since').notNull(),
    until: integer('until'),
  },
  (t) => [index('status_intervals_device').on(t.device_id, t.since)],
);

export const groups = sqliteTable(
  'groups',
  {
    id: id(),
    workspace_id: workspace(),
    name: text('name').notNull(),
    color: text('color').notNull().default('#3B82F6'),
    playlist_id: text('playlist_id').references(() => playlists.id, { onDelete: 'set null' }),
    revision: revision(),
    created_at: created(),
  },
  (t) => [index('groups_workspace').on(t.workspace_id), index('groups_playlist').on(t.playlist_id)],
);

export const groupMembers = sqliteTable(
  'group_members',
  {
    /** Oldest membership first decides which group's playlist a device inherits. */
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    group_id: text('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    device_id: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [uniqueIndex('group_members_pair').on(t.group_id, t.device_id), index('group_members_device').on(t.device_id)],
);

export const schedules = sqliteTable(
  'schedules',
  {
    id: id(),
    workspace_id: workspace(),
    device_id: text('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    group_id: text('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    zone_id: text('zone_id'),
    content_id: text('content_id').references(() => content.id, { onDelete: 'set null' }),
    widget_id: text('widget_id').references(() => widgets.id, { onDelete: 'set null' }),
    layout_id: text('layout_id').references(() => layouts.id, { onDelete: 'set null' }),
    playlist_id: text('playlist_id').references(() => playlists.id, { onDelete: 'set null' }),
    title: text('title').notNull().default(''),
    /** Local wall clock `YYYY-MM-DDTHH:MM:SS` in `timezone`. */
    start_time: text('start_time').notNull(),
    end_time: text('end_time').notNull(),
    timezone: text('timezone').notNull(),
    recurrence: text('recurrence'),
    recurrence_end: text('recurrence_end'),
    color: text('color'),
    priority: integer('priority').notNull().default(0),
    enabled: integer('enabled').notNull().default(1),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [
    index('schedules_workspace').on(t.workspace_id),
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
    name: text('name').notNull(),
    grid_cols: integer('grid_cols').notNull().default(2),
    grid_rows: integer('grid_rows').notNull().default(2),
    bezel_h_mm: real('bezel_h_mm').notNull().default(0),
    bezel_v_mm: real('bezel_v_mm').notNull().default(0),
    screen_w_mm: real('screen_w_mm').notNull().default(400),
    screen_h_mm: real('screen_h_mm').notNull().default(225),
    sync_mode: text('sync_mode').notNull().default('clock'),
    leader_device_id: text('leader_device_id').references(() => devices.id, { onDelete: 'set null' }),
    content_id: text('content_id').references(() => content.id, { onDelete: 'set null' }),
    playlist_id: text('playlist_id').references(() => playlists.id, { onDelete: 'set null' }),
    revision: revision(),
    created_at: created(),
  },
  (t) => [index('walls_workspace').on(t.workspace_id)],
);

export const wallMembers = sqliteTable(
  'wall_members',
  {
    /** A device is in one wall at a time. */
    device_id: text('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    wall_id: text('wall_id')
      .notNull()
      .references(() => walls.id, { onDelete: 'cascade' }),
    grid_col: integer('grid_col').notNull(),
    grid_row: integer('grid_row').notNull(),
    rotation: integer('rotation').notNull().default(0),
    /** Millimetres in wall space; null: computed from the cell. */
    canvas_x: real('canvas_x'),
    canvas_y: real('canvas_y'),
    canvas_width: real('canvas_width'),
    canvas_height: real('canvas_height'),
  },
  (t) => [index('wall_members_wall').on(t.wall_id)],
);

// — commands and overlays —
export const commands = sqliteTable(
  'commands',
  {
    id: id(),
    device_id: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    command: text('command').notNull(),
    payload: text('payload', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    created_at: created(),
    expires_at: integer('expires_at').notNull(),
    status: text('status', { enum: ['waiting', 'sent', 'done', 'failed', 'unsupported'] }).notNull(),
    error: text('error'),
  },
  (t) => [index('commands_device').on(t.device_id, t.expires_at)],
);

/** The overlay a device shows or will show when it comes back; one per device. */
export const overlays = sqliteTable('overlays', {
  device_id: text('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  pip_id: text('pip_id').notNull(),
  message: text('message', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** Epoch milliseconds; null: until cleared. */
  until_ms: integer('until_ms'),
  status: text('status', { enum: ['waiting', 'sent', 'shown', 'failed'] }).notNull(),
  created_at: created(),
});

// — proof of play —
/** Denormalized on purpose: a play survives the deletion of what it showed. */
export const plays = sqliteTable(
  'plays',
  {
    id: integer('id').primaryKey(),
    /** The player's own id of the play: unique for ever. */
    play_id: text('play_id').notNull().unique(),
    workspace_id: text('workspace_id').notNull(),
    device_id: text('device_id').notNull(),
    device_name: text('device_name').notNull(),
    content_id: text('content_id'),
    widget_id: text('widget_id'),
    content_name: text('content_name').notNull(),
    zone_id: text('zone_id'),
    playlist_id: text('playlist_id'),
    item_id: integer('item_id'),
    started_ms: integer('started_ms').notNull(),
    ended_ms: integer('ended_ms').notNull(),
    completed: integer('completed').notNull(),
    /** Number in the device's journal. */
    seq: integer('seq').notNull(),
    /** What the journal's hash covers besides (shared/protocol/journal-chain.ts); null: the player did not say. */
    boot_id: text('boot_id'),
    uncertainty_ms: real('uncertainty_ms'),
    /** JSON [started_at, ended_at] as the player gave them, where they could not be believed. */
    claimed: text('claimed'),
  },
  (t) => [
    index('plays_time').on(t.workspace_id, t.started_ms),
    index('plays_device').on(t.workspace_id, t.device_id, t.started_ms),
    index('plays_content').on(t.workspace_id, t.content_id, t.started_ms),
  ],
);

/**
 * Stretches of a device's journal that its signature vouches for: those plays which came between `first_play` and
 * `last_play` (ids of `plays`, both included). A stretch grows with each message until it has 1,000 rows. They outlive
 * the device, as the plays do.
 */
export const playSeals = sqliteTable(
  'play_seals',
  {
    id: integer('id').primaryKey(),
    workspace_id: text('workspace_id').notNull(),
    device_id: text('device_id').notNull(),
    first_play: integer('first_play').notNull(),
    last_play: integer('last_play').notNull(),
    /** Journal numbers. */
    first: integer('first').notNull(),
    through: integer('through').notNull(),
    /** Hash of the row before the first, and of the last. */
    prev: text('prev').notNull(),
    head: text('head').notNull(),
    signature: text('signature').notNull(),
    signing_key: text('signing_key').notNull(),
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
    id: integer('id').primaryKey(),
    workspace_id: text('workspace_id').notNull(),
    kind: text('kind', { enum: ['workspace', 'device', 'content', 'widget', 'other'] }).notNull(),
    /** Id of the device, content or widget; of `other` the name; of the workspace ''. */
    ref: text('ref').notNull(),
    /** As the newest play has it, which started at `named_ms`. */
    name: text('name').notNull(),
    named_ms: integer('named_ms').notNull(),
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
    scope_id: integer('scope_id').notNull(),
    series: integer('series').notNull(),
    /** Epoch quarter-hour or UTC day, by the series. */
    bucket: integer('bucket').notNull(),
    /** Of what: a number in play_subjects; 0: of everything. */
    subject_id: integer('subject_id').notNull(),
    plays: integer('plays').notNull(),
    ms: integer('ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope_id, t.series, t.bucket, t.subject_id] })],
);

export const activity = sqliteTable(
  'activity',
  {
    id: id(),
    workspace_id: text('workspace_id').notNull(),
    user_id: text('user_id'),
    user_name: text('user_name').notNull(),
    device_id: text('device_id'),
    action: text('action').notNull(),
    details: text('details').notNull(),
    ip_address: text('ip_address'),
    created_at: created(),
  },
  (t) => [
    index('activity_workspace').on(t.workspace_id, t.id),
    index('activity_device').on(t.workspace_id, t.device_id, t.id),
  ],
);

/** The newest screenshot of each device. */
export const screenshots = sqliteTable('screenshots', {
  device_id: text('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  mime: text('mime').notNull(),
  data: blob('data', { mode: 'buffer' }).notNull(),
  taken_at: integer('taken_at').notNull(),
});

// — updates of the screens —
export const releases = sqliteTable('releases', {
  id: id(),
  version: text('version').notNull().unique(),
  created_at: created(),
});

/** Kept in `<data>/updates` by their hash. */
export const releaseFiles = sqliteTable(
  'release_files',
  {
    release_id: text('release_id')
      .notNull()
      .references(() => releases.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    platform: text('platform', { enum: ['linux', 'win', 'mac'] }).notNull(),
    arch: text('arch', { enum: ['x64', 'arm64'] }).notNull(),
    kind: text('kind').notNull(),
    size: integer('size').notNull(),
    /** Hex. */
    sha256: text('sha256').notNull(),
    /** Base64. */
    sha512: text('sha512').notNull(),
    /** The publisher's, hex; null: none was uploaded (yet), and no screen is offered the file. */
    signature: text('signature'),
  },
  (t) => [primaryKey({ columns: [t.release_id, t.name] })],
);

export const rollouts = sqliteTable(
  'rollouts',
  {
    id: id(),
    release_id: text('release_id')
      .notNull()
      .references(() => releases.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ['running', 'paused', 'done', 'stopped', 'aborted'] }).notNull(),
    stage: text('stage', { enum: ['first', 'groups', 'everyone'] }).notNull(),
    first_device_id: text('first_device_id').notNull(),
    group_ids: text('group_ids', { mode: 'json' }).$type<string[]>().notNull(),
    minutes: integer('minutes').notNull(),
    reason: text('reason'),
    created_at: created(),
    updated_at: integer('updated_at').notNull(),
  },
  (t) => [index('rollouts_release').on(t.release_id)],
);

/** How far each screen of a rollout is; those without a row wait. */
export const rolloutDevices = sqliteTable(
  'rollout_devices',
  {
    rollout_id: text('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    device_id: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ['told', 'healthy', 'failed', 'unsupported'] }).notNull(),
    told_at: integer('told_at'),
    /** When it was first seen with the version. */
    seen_at: integer('seen_at'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.rollout_id, t.device_id] }), index('rollout_devices_device').on(t.device_id)],
);
