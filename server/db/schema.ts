/**
 * All tables. Unless noted otherwise, ids are UUIDv7 text, times are integer epoch seconds, and `_ms` are epoch
 * milliseconds. After a change, run `npm run migration`, read the new migration, and commit both.
 */
import type { StoredBrand } from '../../shared/design/brand.ts';
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
/** Revision of the record, also sent as its ETag. Each edit by a person increases the revision by one. */
const revision = () => integer().notNull().default(1);
/** Foreign key; the row is deleted when the referenced row is deleted. */
const goesWith = (id: () => AnySQLiteColumn) => text().notNull().references(id, { onDelete: 'cascade' });
const workspace = () => goesWith(() => workspaces.id);

/**
 * Local `YYYY-MM-DDTHH:MM` by the clock of the screen, `valid_from` inclusive, `valid_until` exclusive; null: no limit.
 */
const validity = () => ({ valid_from: text(), valid_until: text() });
/** Transition at the start of an item. Null for an item: the transition of the playlist; null for a playlist: a cut. */
const transition = () => text({ mode: 'json' }).$type<Transition>();

const columnOf = { text: () => text(), integer: () => integer(), real: () => real() };
/** Creates one column for each telemetry field. */
const telemetryColumns = () =>
  Object.fromEntries(TELEMETRY_FIELDS.map((field) => [field, columnOf[TELEMETRY[field].kind]()])) as {
    [F in TelemetryField]: ReturnType<(typeof columnOf)[(typeof TELEMETRY)[F]['kind']]>;
  };

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).notNull(),
});

// — tables of accounts —
export const users = sqliteTable('users', {
  id: id(),
  /** E-mail address in lower case. */
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
   * Id of the organization whose owner set the password. The password opens only that organization's workspaces until
   * the e-mail address or a platform administrator confirms it.
   */
  password_organization_id: text(),
  email_verified: flag(),
  email_alerts: integer().notNull().default(1),
  /** Language of e-mails to the user, `en` or `de`; null: default of the server. */
  language: text(),
  must_change_password: flag(),
  totp_enabled: flag(),
  /**
   * TOTP secret, encrypted by AES-256-GCM with the key file: iv ‖ tag ‖ ciphertext, base64. Not in use until two-factor
   * sign-in is enabled.
   */
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

/** Permanent id (`sub`) of the user's account at a sign-in provider. Bound at the first sign-in, one per issuer. */
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
 * Used ID tokens, stored until they expire, because each may be used once. Key: hash of issuer and `jti`, or of the
 * token if it has no `jti`.
 */
export const usedIdTokens = sqliteTable(
  'used_id_tokens',
  { hash: text().primaryKey(), expires_at: integer().notNull() },
  (t) => [index('used_id_tokens_expires').on(t.expires_at)],
);

/** E-mail verification: single use, valid for 24 hours. Only the hash is stored. */
export const emailTokens = sqliteTable(
  'email_tokens',
  {
    hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    expires_at: integer().notNull(),
  },
  (t) => [index('email_tokens_user').on(t.user_id)],
);

/**
 * Links to set a new password once, for users without e-mail. An administrator creates a link and hands it over. Only
 * the hash is stored.
 */
export const passwordLinks = sqliteTable(
  'password_links',
  {
    hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    /** Id of the creator. Their rights are checked again when the link is used. */
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
    /**
     * Default content: plays on screens that have nothing else to play and no default content of their own or of a
     * group.
     */
    default_content_id: text().references((): AnySQLiteColumn => content.id, { onDelete: 'set null' }),
    /** Logo of the brand: picture in designs and at the top of reports. */
    logo_content_id: text().references((): AnySQLiteColumn => content.id, { onDelete: 'set null' }),
    /** Logo for dark backgrounds; null: the same logo. */
    logo_dark_content_id: text().references((): AnySQLiteColumn => content.id, { onDelete: 'set null' }),
    /** Brand without its logos; null: the default brand. Fields that are absent have their default. */
    brand: text({ mode: 'json' }).$type<Partial<StoredBrand>>(),
    /** 1: publish requests of editors wait for approval. */
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
    /** Rights of an editor: `all` rights of editors, or `upload` only. */
    duty: text({ enum: ['all', 'upload'] })
      .notNull()
      .default('all'),
    /** Folders (with subfolders) whose contents an editor may change; null: all folders. */
    folder_ids: text({ mode: 'json' }).$type<string[]>(),
    /** Groups whose screens an editor may change; null: all groups. */
    group_ids: text({ mode: 'json' }).$type<string[]>(),
    /** 1: may approve or refuse publish requests. */
    approves: flag(),
    /**
     * Only at headquarters, for members who are not administrators: the regions whose stores the member sees, with the
     * role in each region; null: the member sees all regions.
     */
    regions: text({ mode: 'json' }).$type<
      { region: string; role: 'workspace_viewer' | 'workspace_editor' | 'workspace_admin' }[]
    >(),
    created_at: created(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.user_id] }), index('workspace_members_user').on(t.user_id)],
);

/** Not a foreign key: the invite stays after its workspace is deleted, so that accepting it can return 410. */
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
    /** First characters of the token, so that a person recognizes it. */
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

/** Counters of failed sign-ins, and lockouts. Stored in the database, so that a restart does not reset them. */
export const limits = sqliteTable(
  'limits',
  { key: text().primaryKey(), count: integer().notNull(), resets_at: integer().notNull() },
  (t) => [index('limits_resets').on(t.resets_at)],
);

// — tables of content —
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

/**
 * A stored file, once per distinct content, even if several users upload the same file. Files without a reference are
 * deleted by the sweeper.
 */
export const blobs = sqliteTable('blobs', {
  sha256: text().primaryKey(),
  size: integer().notNull(),
  /** Detected type of the bytes. The file is served with this type, regardless of its name. */
  mime: text().notNull().default('application/octet-stream'),
  /** Codecs of a video or sound; null: another kind of file, or not analysed yet. */
  format: text({ mode: 'json' }).$type<MediaFormat>(),
  created_at: created(),
});

/**
 * Contents that a design shows. The key is the hash of the design's file: the list of a file never changes, and is right
 * for every content with the file (copies, restored files). A shown content may be deleted, and be restored later.
 */
export const designMedia = sqliteTable(
  'design_media',
  {
    sha256: text()
      .notNull()
      .references(() => blobs.sha256, { onDelete: 'cascade' }),
    content_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sha256, t.content_id] }), index('design_media_content').on(t.content_id)],
);

export const content = sqliteTable(
  'content',
  {
    id: id(),
    workspace_id: workspace(),
    /** Name for people; never used as a path. */
    filename: text().notNull(),
    /** Name for searching and sorting (fold.ts). */
    search_name: text().notNull().default(''),
    mime_type: text().notNull(),
    kind: text({ enum: ['image', 'video', 'audio', 'pdf', 'web', 'embed', 'design'] }).notNull(),
    file_size: integer().notNull().default(0),
    duration_sec: real(),
    width: integer(),
    height: integer(),
    remote_url: text(),
    /** Free-text label; '' for none. */
    folder: text().notNull().default(''),
    folder_id: text().references(() => folders.id, { onDelete: 'set null' }),
    /**
     * SHA-256 of the stored file. Null: no file is stored (a live address, or a remote file that is not downloaded
     * yet).
     */
    sha256: text().references(() => blobs.sha256),
    /** Hash of the thumbnail's file (WebP). */
    thumbnail: text().references(() => blobs.sha256),
    /**
     * SHA-256 of the file as it was uploaded, if screens show a converted file instead. Null: the content was not
     * converted.
     */
    original_sha256: text().references(() => blobs.sha256),
    /** Remote content: time of the last download or attempt, and its error. */
    fetched_at: integer(),
    fetch_error: text(),
    /** Id of the user who added the content; null: headquarters, or added before this column existed. */
    uploaded_by: text(),
    ...validity(),
    revision: revision(),
    created_at: created(),
    updated_at: integer().notNull(),
  },
  (t) => [
    // The index includes the search name, so that a search with few hits reads the index only.
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

/** Last valid answer of a feed or weather service, by address. Shown with its age while the network is disconnected. */
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

// — tables of playlists —
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
    /** Epoch milliseconds; null: never published. Playing positions are computed from this instant. */
    published_ms: integer(),
    transition: transition(),
    /** Transition of the playlist at the time of publishing. */
    published_transition: transition(),
    /** Set for a device's own playlist, which is created when content is assigned to the device. */
    owner_device_id: text(),
    /** True if the server created the playlist for the device. It is deleted with the device. */
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
  /**
   * Only in a campaign of headquarters: id of the slot. The playlist that the store chose for the slot plays in place
   * of this item.
   */
  slot_id: text(),
});

/** Items of the draft. */
export const playlistItems = sqliteTable(
  'playlist_items',
  { id: integer().primaryKey({ autoIncrement: true }), ...itemColumns() },
  (t) => [
    index('playlist_items_playlist').on(t.playlist_id, t.sort_order),
    index('playlist_items_content').on(t.content_id),
    index('playlist_items_widget').on(t.widget_id),
  ],
);

/** Published items, which screens play. An item has the same id here and in the draft. */
export const publishedItems = sqliteTable('published_items', { id: integer().notNull(), ...itemColumns() }, (t) => [
  primaryKey({ columns: [t.playlist_id, t.id] }),
  index('published_items_content').on(t.content_id),
  index('published_items_widget').on(t.widget_id),
  index('published_items_slot').on(t.slot_id).where(sql`${t.slot_id} IS NOT NULL`),
]);

// — tables of layouts —
export const layouts = sqliteTable(
  'layouts',
  {
    id: id(),
    /** Workspace of the layout. Null: a template, visible in all workspaces. */
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
    /**
     * The columns below say what the zone shows when the current playlist has no item for the zone. At most one of them
     * is set.
     */
    content_id: text().references(() => content.id, { onDelete: 'set null' }),
    widget_id: text().references(() => widgets.id, { onDelete: 'set null' }),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  },
  (t) => [index('zones_layout').on(t.layout_id, t.position)],
);

// — tables of devices —
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
    /** Opening hours; empty: always on. */
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
    /** Formats that the screen can play, as reported by the player; null: not reported. */
    formats: text({ mode: 'json' }).$type<ScreenFormats>(),
    ip_address: text(),
    last_heartbeat: integer(),
    /** Latest telemetry. */
    ...telemetryColumns(),
    /**
     * Ed25519 key with which the player signs its journal, hex; null: not signed. The first key that a player reports
     * is never replaced, because another key belongs to another player.
     */
    signing_key: text(),
    /** Number of the last row in the device's journal whose play is stored. */
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

/**
 * Status of a device over time, as intervals. `until` is null for the current interval. Uptime is computed from these
 * intervals.
 */
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
    // Contains the current intervals only, so that a status change of five thousand screens at the same moment is fast.
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
    /** Default content: plays on member screens that have nothing else to play and no default content of their own. */
    default_content_id: text().references(() => content.id, { onDelete: 'set null' }),
    /**
     * Tags. The members are all screens with all of these tags, updated automatically; null: people choose the members.
     */
    rule_tags: text({ mode: 'json' }).$type<string[]>(),
    revision: revision(),
    created_at: created(),
  },
  (t) => [index('groups_workspace').on(t.workspace_id), index('groups_playlist').on(t.playlist_id)],
);

export const groupMembers = sqliteTable(
  'group_members',
  {
    /** A device inherits the playlist of the group with its oldest membership. */
    seq: integer().primaryKey({ autoIncrement: true }),
    group_id: goesWith(() => groups.id),
    device_id: goesWith(() => devices.id),
  },
  (t) => [uniqueIndex('group_members_pair').on(t.group_id, t.device_id), index('group_members_device').on(t.device_id)],
);

/** Tags that name places, kinds and sizes of screens. Plans, groups and lists select screens by tag. */
export const deviceTags = sqliteTable(
  'device_tags',
  {
    device_id: goesWith(() => devices.id),
    /** The tag in the letter case in which it was entered. */
    tag: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.tag] }), index('device_tags_tag').on(t.tag, t.device_id)],
);

/** Saved view of the list of screens. */
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

/** Columns for content, time and priority, shared by plans and schedules. */
const planned = () => ({
  zone_id: text(),
  content_id: text().references(() => content.id, { onDelete: 'set null' }),
  widget_id: text().references(() => widgets.id, { onDelete: 'set null' }),
  layout_id: text().references(() => layouts.id, { onDelete: 'set null' }),
  playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  title: text().notNull().default(''),
  /** Local time `YYYY-MM-DDTHH:MM:SS` in `timezone`. */
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

/**
 * Plans: content for certain times on several targets. Each target has its own schedule, which the plan keeps in
 * sync.
 */
export const plans = sqliteTable(
  'plans',
  { id: id(), workspace_id: workspace(), revision: revision(), ...planned() },
  (t) => [
    index('plans_workspace').on(t.workspace_id, t.created_at, t.id),
    index('plans_content').on(t.content_id),
    index('plans_playlist').on(t.playlist_id),
  ],
);

/** Targets of a plan: screens, groups and tags. A tag stands for all screens that have it. */
export const planTargets = sqliteTable(
  'plan_targets',
  {
    plan_id: goesWith(() => plans.id),
    position: integer().notNull(),
    kind: text({ enum: ['device', 'group', 'tag'] }).notNull(),
    /** Id of the device or group; for a tag, the tag itself. */
    ref: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.plan_id, t.kind, t.ref] }), index('plan_targets_ref').on(t.kind, t.ref)],
);

export const schedules = sqliteTable(
  'schedules',
  {
    id: id(),
    workspace_id: workspace(),
    /** Plan of the schedule. Every schedule belongs to a plan, even if the plan has only one schedule. */
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

// — tables of walls —
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
    /**
     * Position and size in millimetres on the wall; null: the position and size follow from the row and column of the
     * device.
     */
    canvas_x: real(),
    canvas_y: real(),
    canvas_width: real(),
    canvas_height: real(),
  },
  (t) => [index('wall_members_wall').on(t.wall_id)],
);

// — tables of commands and overlays —
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

/** The overlay of a device, shown now or as soon as the device is connected. A device has at most one. */
export const overlays = sqliteTable('overlays', {
  device_id: text()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  pip_id: text().notNull(),
  message: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** End in epoch milliseconds; null: until cleared. */
  until_ms: integer(),
  status: text({ enum: ['waiting', 'sent', 'shown', 'failed'] }).notNull(),
  created_at: created(),
});

/** A message sent to screens. `overlays` has the state of the message on each screen, by the id of the message. */
export const messages = sqliteTable(
  'messages',
  {
    id: id(),
    workspace_id: workspace(),
    /** Text and style of the message. */
    message: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Targets: ids of the screens that were selected when the message was sent, and a description. */
    targets: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    user_id: text(),
    user_name: text().notNull(),
    created_at: created(),
    /** End in epoch milliseconds; null: until withdrawn. */
    until_ms: integer(),
    withdrawn_at: integer(),
  },
  (t) => [index('messages_workspace').on(t.workspace_id, t.created_at)],
);

// — tables of proof of play —
/**
 * Epoch day (UTC) on which the newest play that uses this row arrived. The row is deleted when that day is older than
 * the retention.
 */
const usedDay = () => integer().notNull().default(0);

/**
 * Plays. The row of a play stays when the content that it showed is deleted. Values are stored as numbers, because a
 * screen produces three million plays a year. The view `plays` contains them as text; a migration creates this view,
 * because drizzle cannot express it.
 */
export const playLog = sqliteTable(
  'play_log',
  {
    /** Number of the play, in order of arrival. */
    id: integer().primaryKey(),
    /** Numbers of rows in play_subjects. */
    workspace: integer().notNull(),
    device: integer().notNull(),
    shown: integer().notNull(),
    /** Number of a row in play_turns. */
    turn: integer().notNull(),
    /** Number of the row in play_boots with the player's boot id; null: the player reported no boot id. */
    boot: integer(),
    /** Number of the row in the journal of the device. */
    seq: integer().notNull(),
    started_ms: integer().notNull(),
    lasted_ms: integer().notNull(),
    completed: integer().notNull(),
    /**
     * Uncertainty of `started_ms`. An integer value is in tenths of a millisecond, any other value in milliseconds;
     * null: not reported.
     */
    uncertainty: blob(),
    /**
     * Globally unique id, assigned by the player: the 16 bytes of a UUID, or text. Always text when `claimed` is set.
     */
    play_id: blob().notNull(),
    /** JSON [started_at, ended_at] as reported by the player, if the server had to correct them. */
    claimed: text(),
  },
  (t) => [
    index('play_log_time').on(t.workspace, t.started_ms),
    index('play_log_device').on(t.device, t.started_ms),
    index('play_log_content').on(t.shown, t.started_ms),
    index('play_log_claimed').on(t.play_id).where(sql`${t.claimed} IS NOT NULL`),
  ],
);

/** Properties that many plays share, with names as of the time of the play. A row number is never reused. */
export const playTurns = sqliteTable(
  'play_turns',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Numbers of rows in play_subjects. */
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

/**
 * Boot ids: a player creates a new id at each start of its program. The hash of a play includes the boot id
 * (shared/protocol/journal-chain.ts).
 */
export const playBoots = sqliteTable('play_boots', {
  id: integer().primaryKey(),
  boot_id: text().notNull().unique(),
  used_day: usedDay(),
});

/** Plays in the format before the migration `play_log`. The running server moves them to the table `play_log`. */
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
 * Ranges of a device's journal that are covered by a signature: the plays from `first_play` to `last_play` (play ids,
 * both included). A range grows with each message until it has 1,000 rows. Ranges outlive the device, as plays do.
 */
export const playSeals = sqliteTable(
  'play_seals',
  {
    id: integer().primaryKey(),
    workspace_id: text().notNull(),
    device_id: text().notNull(),
    first_play: integer().notNull(),
    last_play: integer().notNull(),
    /** Journal numbers of the first and last row of the range. */
    first: integer().notNull(),
    through: integer().notNull(),
    /** Hash of the row before the first row, and of the last row. */
    prev: text().notNull(),
    head: text().notNull(),
    signature: text().notNull(),
    signing_key: text().notNull(),
  },
  (t) => [index('play_seals_device').on(t.device_id, t.id)],
);

/**
 * Subjects of sums, with a small number each: each device, content and widget that ever played, and each workspace as a
 * whole. A row outlives the record that it names, as plays do.
 */
export const playSubjects = sqliteTable(
  'play_subjects',
  {
    id: integer().primaryKey(),
    workspace_id: text().notNull(),
    kind: text({ enum: ['workspace', 'device', 'content', 'widget', 'other'] }).notNull(),
    /**
     * Id of the device, content or widget. For the kind `other`, which has no record with an id, the name that the player
     * reported for the content. For the kind `workspace`, ''.
     */
    ref: text().notNull(),
    /** Name according to the newest play, which started at `named_ms`. */
    name: text().notNull(),
    named_ms: integer().notNull(),
  },
  (t) => [uniqueIndex('play_subjects_ref').on(t.workspace_id, t.kind, t.ref)],
);

/**
 * Sums of plays, written in the same transaction as the plays, so that a report reads thousands of rows instead of
 * millions (features/reports/ingest/sums.ts defines the series). The table is WITHOUT ROWID. Only the migration can
 * express this, drizzle cannot.
 */
export const playSums = sqliteTable(
  'play_sums',
  {
    /** Scope of the sum: number of a workspace or device (row in play_subjects). */
    scope_id: integer().notNull(),
    series: integer().notNull(),
    /** Time of the sum: epoch quarter-hour or UTC day, depending on the series. */
    bucket: integer().notNull(),
    /** Subject of the sum: number of a row in play_subjects; 0: the sum of everything. */
    subject_id: integer().notNull(),
    plays: integer().notNull(),
    ms: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope_id, t.series, t.bucket, t.subject_id] })],
);

// — tables of planned programs —
/**
 * All programs that screens have had. Each program is stored once. Planned plays are computed from these programs
 * and compared with real plays.
 */
export const programArchive = sqliteTable('program_archive', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Hash of the program, in hex. */
  sha256: text().notNull().unique(),
  /** Compressed bytes of the program. */
  body: blob({ mode: 'buffer' }).notNull(),
  created_at: created(),
});

/** Program that a screen had, with start and end. Rows outlive the screen, as plays do. */
export const programSpans = sqliteTable(
  'program_spans',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspace_id: text().notNull(),
    device_id: text().notNull(),
    /** Number of a row in program_archive. */
    program: integer().notNull(),
    /** Time zone of the screen. */
    timezone: text().notNull(),
    since: integer().notNull(),
    /** End; null: the screen still has the program. */
    until: integer(),
  },
  (t) => [
    index('program_spans_device').on(t.device_id, t.since),
    index('program_spans_workspace').on(t.workspace_id, t.since),
    index('program_spans_program').on(t.program),
  ],
);

/** Time ranges for which the planned plays of a program were summed. All screens that had the program share one row. */
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
    /** Id of the playlist; '' when the item is not from a playlist. */
    playlist_id: text().notNull().default(''),
    /** Id of the plan that scheduled the item; '' when no plan scheduled the item. */
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

// — tables of alerts —
/** Alerts: problems that need a person, from detection until they are over. The newest alerts are kept as history. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: id(),
    /** Workspace; null: an alert of the server, not of a workspace. */
    workspace_id: text().references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Kind of the alert: one of the kinds in shared/contract/server/alerts.ts. */
    kind: text().notNull(),
    /** Subject: id of a device, content, widget or workspace; '' for the server. */
    ref: text().notNull().default(''),
    /** Name of the subject at the time of detection. */
    name: text().notNull().default(''),
    /** Values for the text of the alert. */
    facts: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default(sql`'{}'`),
    /** Time in epoch seconds at which the problem was detected. The times below are also in epoch seconds. */
    since: integer().notNull(),
    /** Time at which the problem was over; null: the problem still exists. */
    ended_at: integer(),
    /** Time at which people were notified; null: nobody was notified. */
    told_at: integer(),
    acknowledged_at: integer(),
    /** Name of the person who acknowledged the alert. */
    acknowledged_by: text(),
    assigned_to: text().references(() => users.id, { onDelete: 'set null' }),
    muted_until: integer(),
  },
  (t) => [
    uniqueIndex('alerts_open').on(t.kind, t.ref).where(sql`${t.ended_at} IS NULL`),
    index('alerts_workspace').on(t.workspace_id, t.ended_at, t.since),
  ],
);

/** Alert settings of a workspace that differ from the defaults in shared/contract/server/alerts.ts. */
export const alertRules = sqliteTable(
  'alert_rules',
  {
    workspace_id: workspace(),
    kind: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull().default(true),
    /** Threshold in the unit of the kind; null: default. */
    threshold: real(),
    /** Minutes for which the condition must hold; null: default. */
    minutes: integer(),
    /** Notification channels in addition to the alerts page: JSON list of mail, webhook, mqtt; null: default. */
    tell: text({ mode: 'json' }).$type<string[]>(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.kind] })],
);

// — tables of the bin and of earlier versions —
/** The bin: a deleted or replaced record with its references, stored for 30 days. */
export const bin = sqliteTable(
  'bin',
  {
    id: id(),
    workspace_id: workspace(),
    /** Kind of the deleted record: one of the kinds in shared/contract/content/bin.ts. */
    kind: text().notNull(),
    /** Id of the record. A restored record has the same id. */
    ref: text().notNull(),
    name: text().notNull(),
    /** Everything needed to restore the record: its rows and its references. */
    record: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Size in bytes of the files that only the bin still needs. */
    bytes: integer().notNull().default(0),
    user_id: text(),
    user_name: text().notNull(),
    created_at: created(),
  },
  (t) => [index('bin_workspace').on(t.workspace_id, t.created_at), index('bin_ref').on(t.ref)],
);

/** Files of records in the bin. The sweeper does not delete them. */
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

/** Ids of all records that an entry refers to, to find the entries that concern a record. */
export const binNames = sqliteTable('bin_names', { bin_id: goesWith(() => bin.id), ref: text().notNull() }, (t) => [
  primaryKey({ columns: [t.bin_id, t.ref] }),
  index('bin_names_ref').on(t.ref),
]);

/** Content of a playlist at each publication. The newest versions are kept. */
export const playlistVersions = sqliteTable(
  'playlist_versions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    playlist_id: goesWith(() => playlists.id),
    published_ms: integer().notNull(),
    user_id: text(),
    user_name: text().notNull(),
    /** Name of the requester, if another person approved the publication. `user_name` is then the approver. */
    asked_by_name: text(),
    transition: transition(),
    /** JSON: the rows of the playlist's items. */
    items: text({ mode: 'json' }).$type<Record<string, unknown>[]>().notNull(),
  },
  (t) => [index('playlist_versions_playlist').on(t.playlist_id, t.id)],
);

/** Publish requests and the decisions about them. A playlist has at most one waiting request. */
export const publishRequests = sqliteTable(
  'publish_requests',
  {
    id: id(),
    workspace_id: workspace(),
    playlist_id: goesWith(() => playlists.id),
    /** Revision of the playlist at the time of the request, so that the approver decides about the requested state. */
    revision: integer().notNull(),
    /**
     * JSON: a hash of each record that the playlist would show, at the time of the request
     * (features/playlists/shown.store.ts). Null: the request is from before this column existed, and only the revision is
     * compared.
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
    /** Comment of the approver to the author of the request. */
    answer: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('publish_requests_waiting').on(t.playlist_id).where(sql`${t.state} = 'waiting'`),
    index('publish_requests_workspace').on(t.workspace_id, t.state, t.created_at),
  ],
);

// — tables of scheduled reports —
/** Saved filters of a report with a name, and recipients of the monthly e-mail. */
export const savedReports = sqliteTable(
  'saved_reports',
  {
    id: id(),
    workspace_id: workspace(),
    name: text().notNull(),
    /** Format: shared/contract/server/reports.ts. */
    filters: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** E-mail addresses that receive the report on the first day of each month; empty: nobody. */
    recipients: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    /** Last month whose report was sent, `YYYY-MM`. */
    sent_month: text(),
    user_id: text(),
    created_at: created(),
  },
  (t) => [index('saved_reports_workspace').on(t.workspace_id, t.created_at)],
);

// — tables of player updates —
export const releases = sqliteTable('releases', {
  id: id(),
  version: text().notNull().unique(),
  created_at: created(),
});

/** Files of releases, stored in `<data>/updates` under their hash. */
export const releaseFiles = sqliteTable(
  'release_files',
  {
    release_id: goesWith(() => releases.id),
    name: text().notNull(),
    platform: text({ enum: ['linux', 'win', 'mac'] }).notNull(),
    arch: text({ enum: ['x64', 'arm64'] }).notNull(),
    kind: text().notNull(),
    size: integer().notNull(),
    /** SHA-256 of the file in hex. */
    sha256: text().notNull(),
    /** SHA-512 in base64. */
    sha512: text().notNull(),
    /**
     * Signature of the publisher in hex; null: the signature has not been uploaded yet, so screens cannot get the file.
     */
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

/** State of each screen in a rollout. Screens without a row are waiting. */
export const rolloutDevices = sqliteTable(
  'rollout_devices',
  {
    rollout_id: goesWith(() => rollouts.id),
    device_id: goesWith(() => devices.id),
    status: text({ enum: ['told', 'healthy', 'failed', 'unsupported'] }).notNull(),
    told_at: integer(),
    /** Time at which the screen was first seen with the new version. */
    seen_at: integer(),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.rollout_id, t.device_id] }), index('rollout_devices_device').on(t.device_id)],
);
