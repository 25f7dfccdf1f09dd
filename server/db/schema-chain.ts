/**
 * Tables of a chain: what a store knows about its headquarters, and headquarters about its stores. This file is not
 * loaded at run time; the chain's classes use plain SQL, so that a server outside of a chain pays nothing for it.
 */
import { blob, index, integer, primaryKey, real, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';
import { layouts, playlists, users, workspaces } from './schema.ts';

// — tables of a store —
/**
 * Epochs: the numberings of plays of successive databases. A restored database starts a new epoch. The newest row is
 * the current epoch.
 */
export const playEpochs = sqliteTable('play_epochs', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Id of the epoch: 32 hexadecimal digits. */
  epoch: text().notNull().unique(),
  /** Number of the first play in the epoch. */
  first: integer().notNull(),
  /** Highest play number used in the epoch; one less than `first` when the epoch has no play. */
  through: integer().notNull(),
  /** Start of the epoch in epoch seconds. */
  since: integer().notNull(),
});

/** The headquarters of a workspace. */
export const chainLinks = sqliteTable('chain_links', {
  workspace_id: text()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  /** Id and name of the store at headquarters. */
  store: text().notNull(),
  name: text().notNull(),
  /** Address of headquarters, `https://host:port`. */
  address: text().notNull(),
  headquarters: text().notNull(),
  /**
   * Key of headquarters (Ed25519, SubjectPublicKeyInfo, hex), and the certificate that its server must present (DER,
   * hex).
   */
  key: text().notNull(),
  certificate: text().notNull(),
  enrolled_at: integer().notNull(),
  /** Name of the person who enrolled the workspace. */
  enrolled_by: text().notNull(),
  /** Highest role in the workspace for visitors from headquarters; null: visitors are not allowed. */
  may: text({ enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }),
  /** Highest revision of the desired state that this store has accepted. The store refuses lower revisions. */
  desired_rev: integer().notNull().default(0),
  /** Time in epoch seconds at which the store accepted this desired state. */
  desired_at: integer(),
  /** Limit for downloads from headquarters, in kB/s; null: no limit. */
  fetch_rate: integer(),
  /** Hours in which files are downloaded, as blocks of days and times; empty: always. */
  fetch_hours: text({ mode: 'json' }).notNull().default(sql`'[]'`),
  /** 1: headquarters may change the version of the server. */
  lets_update: integer().notNull().default(0),
  /** JSON: the last version ordered by headquarters, and its progress (store-link/commands/software-commands.ts). */
  update_order: text(),
  /**
   * JSON: values of this store by name, set by headquarters, and which of them campaigns show
   * (store-link/campaigns/campaigns.store.ts).
   */
  store_values: text().notNull().default('{}'),
  /** Key with which data for headquarters is encrypted (X25519, raw, hex); null: not known yet. */
  seal_key: text(),
  /** Number of the last transfer file that was imported, and of the last transfer file that was written. */
  stick_in: integer().notNull().default(0),
  stick_out: integer().notNull().default(0),
});

/** Campaigns that headquarters wants in this store, and their state. */
export const chainCampaigns = sqliteTable(
  'chain_campaigns',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    /** Id and name of the campaign at headquarters. */
    campaign: text().notNull(),
    name: text().notNull().default(''),
    /** Edition that headquarters wants; null: no edition is wanted, and the applied edition is removed. */
    wanted: integer(),
    sha256: text().notNull(),
    bytes: integer().notNull(),
    /** Document of the wanted edition; null: not received yet. */
    doc: text(),
    /** Edition that screens show, and the document of this edition. */
    applied: integer(),
    applied_doc: text(),
    /** 1: all files of the applied edition were present at the last check. */
    is_whole: integer().notNull().default(0),
    /** Reason why the wanted edition was refused; null: not refused. */
    refused: text(),
    told_at: integer().notNull(),
    armed_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.campaign] })],
);

/** Files that campaigns in this store need, downloaded or not. The sweep of unused files does not delete them. */
export const chainFiles = sqliteTable(
  'chain_files',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    campaign: text().notNull(),
    sha256: text().notNull(),
    size: integer().notNull(),
    mime: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.campaign, t.sha256] }), index('chain_files_sha').on(t.sha256)],
);

/** Records that belong to headquarters. Triggers keep other code from changing them. */
export const chainRecords = sqliteTable(
  'chain_records',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    kind: text({ enum: ['content', 'widgets', 'playlists', 'layouts'] }).notNull(),
    id: text().notNull(),
    /** Id of a campaign that contains the record. */
    campaign: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('chain_records_workspace').on(t.workspace_id, t.campaign)],
);

/**
 * Contains a row while the server changes headquarters' records, within that transaction only. The triggers then allow
 * changes.
 */
export const chainApplying = sqliteTable('chain_applying', { one: integer().primaryKey() });

/** Content and times of campaigns on screens. These rows stay when a store leaves its headquarters. */
export const campaignPlans = sqliteTable(
  'campaign_plans',
  {
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    campaign: text().notNull(),
    edition: integer().notNull(),
    title: text().notNull(),
    rank: text({ enum: ['safety', 'must', 'default'] }).notNull(),
    /** Tags: the content is for screens with any of these tags; empty: all screens. */
    screen_tags: text({ mode: 'json' }).$type<string[]>().notNull(),
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
    layout_id: text().references(() => layouts.id, { onDelete: 'set null' }),
    start_time: text().notNull(),
    end_time: text().notNull(),
    timezone: text().notNull(),
    recurrence: text(),
    recurrence_end: text(),
    created_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.campaign] })],
);

/**
 * Slots of campaigns. A slot is a position in a campaign's playlist for which the store chooses one of its own
 * playlists.
 */
export const chainSlots = sqliteTable(
  'chain_slots',
  {
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    campaign: text().notNull(),
    /** JSON: limits of the slot (shared/chain/campaign.ts, SlotLimits). */
    limits: text({ mode: 'json' }).notNull(),
    /** Playlist that the store chose; null: none yet. */
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.id] }), index('chain_slots_playlist').on(t.playlist_id)],
);

/** Visitors from headquarters who have worked in a workspace. Each is a user who cannot sign in. */
export const chainVisitors = sqliteTable('chain_visitors', {
  /** SHA-256 of the key of headquarters and the person's id there, hex. */
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
});

/** For each epoch, the number of the last play that headquarters has confirmed. */
export const chainCursors = sqliteTable(
  'chain_cursors',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    epoch: text().notNull(),
    through: integer().notNull(),
    head: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.epoch] })],
);

/**
 * Ends of segments (number and hash of the last play), recorded before a segment is sent. With these records a server
 * detects that a copy of its database also sends segments.
 */
export const chainSegments = sqliteTable(
  'chain_segments',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    epoch: text().notNull(),
    last: integer().notNull(),
    head: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.epoch, t.last] })],
);

export const chainIncidents = sqliteTable(
  'chain_incidents',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    details: text().notNull(),
    at: integer().notNull(),
    /** 1: headquarters has confirmed the incident. */
    told: integer().notNull().default(0),
  },
  (t) => [index('chain_incidents_workspace').on(t.workspace_id, t.id)],
);

// — tables of headquarters —
export const hqStores = sqliteTable(
  'hq_stores',
  {
    /** Number of the store, used in the tables of sums and segments. */
    id: integer().primaryKey({ autoIncrement: true }),
    ref: text().notNull().unique(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    region: text().notNull().default(''),
    /** Tags of the store, as a JSON list of strings. */
    tags: text().notNull().default('[]'),
    note: text().notNull().default(''),
    /** Key of the store's server (Ed25519, raw, hex); null: the store is not enrolled, or has left headquarters. */
    key: text(),
    server_name: text().notNull().default(''),
    workspace_name: text().notNull().default(''),
    enrolled_at: integer(),
    left_at: integer(),
    /** JSON (shared/chain/wire.ts) of the latest report of the store, and the time of this report (epoch seconds). */
    presence: text(),
    heard_at: integer(),
    /** Milliseconds by which the store's clock was ahead at the time of the latest report. */
    clock_ms: integer(),
    /** Coordinates: degrees north and degrees east; null: unknown. */
    latitude: real(),
    longitude: real(),
    /** JSON: values by name that widgets of campaigns show for this store. */
    store_values: text().notNull().default('{}'),
    /** Key with which data for the store is encrypted (X25519, raw, hex); null: not known yet. */
    seal_key: text(),
    /** Number of the last transfer file that was imported, and of the last transfer file that was written. */
    stick_in: integer().notNull().default(0),
    stick_out: integer().notNull().default(0),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('hq_stores_key').on(t.key).where(sql`${t.key} IS NOT NULL`),
    uniqueIndex('hq_stores_name').on(t.workspace_id, t.name),
  ],
);

/** One-time codes for stores that are not enrolled yet. */
export const hqCodes = sqliteTable('hq_codes', {
  store: integer()
    .primaryKey()
    .references(() => hqStores.id, { onDelete: 'cascade' }),
  /** SHA-256 of the secret, hex. */
  hash: text().notNull().unique(),
  expires_at: integer().notNull(),
});

/** Keys that signed segments of a store, including keys of computers that were the store's server earlier. */
export const hqKeys = sqliteTable(
  'hq_keys',
  {
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.store, t.key] })],
);

/** Cursor of each store and epoch: the last play that headquarters has. */
export const hqCursors = sqliteTable(
  'hq_cursors',
  {
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    epoch: text().notNull(),
    first: integer().notNull(),
    through: integer().notNull(),
    head: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.store, t.epoch] })],
);

/** Segments: file, offset and range of plays of each stored segment. */
export const hqSegments = sqliteTable(
  'hq_segments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    epoch: text().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    /** Number of plays counted from this segment, without plays that an earlier segment contains. */
    plays: integer().notNull(),
    /** Start of the earliest and the latest of these plays, epoch milliseconds. */
    from_ms: integer().notNull(),
    to_ms: integer().notNull(),
    /** First new play number. Plays with lower numbers belong to an earlier segment. */
    fresh: integer().notNull(),
    /** JSON: numbers of plays that are not counted, because they are already stored under other numbers. */
    dropped: text(),
    /** Name of the segment file, and the offset in the file. */
    pack: text().notNull(),
    offset: integer().notNull(),
    bytes: integer().notNull(),
  },
  (t) => [
    // Unique, because each accepted segment ends after the previous one.
    uniqueIndex('hq_segments_store').on(t.store, t.epoch, t.last),
    index('hq_segments_pack').on(t.pack, t.offset),
    index('hq_segments_time').on(t.to_ms),
    index('hq_segments_store_time').on(t.store, t.to_ms),
  ],
);

/**
 * Segments in which a signed group of plays begins. A proof of later plays of the same screen starts at such a segment.
 */
export const hqMarks = sqliteTable(
  'hq_marks',
  {
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    device: text().notNull(),
    segment: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.store, t.device, t.segment] })],
);

/**
 * Ids of plays that may arrive a second time in another epoch of the store. A play with a stored id is not counted
 * again.
 */
export const hqOverlaps = sqliteTable(
  'hq_overlaps',
  {
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    play: blob().notNull(),
  },
  (t) => [primaryKey({ columns: [t.store, t.play] })],
);

export const hqSubjects = sqliteTable(
  'hq_subjects',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    /** `of_campaign`: an item that a campaign showed. */
    kind: text({ enum: ['device', 'content', 'widget', 'other', 'campaign', 'of_campaign'] }).notNull(),
    /**
     * Id in the store. For the kind `other`, the name of the subject; for `of_campaign`, the id of the campaign and a
     * suffix.
     */
    ref: text().notNull(),
    name: text().notNull(),
    named_ms: integer().notNull(),
  },
  (t) => [uniqueIndex('hq_subjects_ref').on(t.store, t.kind, t.ref)],
);

/**
 * Sums of plays, written together with the cursor. The table is WITHOUT ROWID. Only the migration can express this,
 * drizzle cannot.
 */
export const hqSums = sqliteTable(
  'hq_sums',
  {
    /** 0: the row is the sum over all screens of a store; 1: the row is the sum of one screen. */
    scope: integer().notNull(),
    /** Epoch day in the time zone of headquarters. */
    day: integer().notNull(),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    /** Number of the device in hq_subjects; 0: all devices. */
    device: integer().notNull(),
    /** Number in hq_subjects of the subject that was shown. */
    shown: integer().notNull(),
    plays: integer().notNull(),
    ms: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.day, t.store, t.device, t.shown] })],
);

export const hqIncidents = sqliteTable(
  'hq_incidents',
  {
    id: text().primaryKey(),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    details: text().notNull(),
    /** Time of the incident in epoch seconds. */
    at: integer().notNull(),
    seen_at: integer(),
    /** Name of the person who acknowledged the incident. */
    seen_by: text(),
  },
  (t) => [index('hq_incidents_store').on(t.store, t.seen_at)],
);

/** Commands for screens of many stores. */
export const hqOrders = sqliteTable(
  'hq_orders',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The command as JSON, in the form in which each screen receives it. */
    command: text().notNull(),
    /** Target: screens with this tag; null: all screens of a store. */
    tag: text(),
    /** JSON of the person who sent the command (shared/chain/wire.ts, Visitor). */
    visitor: text().notNull(),
    /** Creation and expiry in epoch milliseconds. */
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [index('hq_orders_workspace').on(t.workspace_id, t.created_at)],
);

export const hqOrderStores = sqliteTable(
  'hq_order_stores',
  {
    order_id: text()
      .notNull()
      .references(() => hqOrders.id, { onDelete: 'cascade' }),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    /** State of the command in this store. `told`: the command was sent, and the store has not answered yet. */
    state: text({ enum: ['waiting', 'told', 'done', 'refused', 'expired', 'taken_back'] })
      .notNull()
      .default('waiting'),
    /** Numbers of screens that received the command, that confirmed it, and that failed to execute it. */
    screens: integer().notNull().default(0),
    acked: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Reason for a refusal, as a sentence. */
    error: text().notNull().default(''),
    /** Time of the last change in epoch milliseconds; null: no change yet. */
    at: integer(),
  },
  (t) => [primaryKey({ columns: [t.order_id, t.store] }), index('hq_order_stores_open').on(t.store, t.state)],
);

/** Rollouts of releases to stores, in waves. */
export const hqRollouts = sqliteTable(
  'hq_rollouts',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    version: text().notNull(),
    /** The release's files as JSON, in the form that stores receive (shared/chain/wire.ts, ReleaseFile). */
    files: text().notNull(),
    /** JSON of the waves, as requested (shared/contract/headquarters/rollouts.ts, Wave). */
    waves: text().notNull(),
    /** State. `stopped`: stopped automatically, until a person decides. `ended`: ended by a person, for good. */
    status: text({ enum: ['running', 'paused', 'stopped', 'done', 'ended'] }).notNull(),
    /** Number of the current wave, from 0, and its start (epoch milliseconds). */
    wave: integer().notNull().default(0),
    wave_at: integer().notNull(),
    /** Minutes for which a wave must be healthy before the next wave starts. */
    healthy_minutes: integer().notNull(),
    /** Store whose failure stopped the rollout. */
    stopped_at_store: integer().references(() => hqStores.id, { onDelete: 'set null' }),
    /** JSON of the person who started the rollout (shared/chain/wire.ts, Visitor). */
    visitor: text().notNull(),
    /** Time of creation in epoch milliseconds. */
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (t) => [index('hq_rollouts_workspace').on(t.workspace_id, t.created_at)],
);

/** State of each store of a rollout (shared/chain/rollouts.ts, WaveMemory). */
export const hqRolloutStores = sqliteTable(
  'hq_rollout_stores',
  {
    rollout: text()
      .notNull()
      .references(() => hqRollouts.id, { onDelete: 'cascade' }),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    wave: integer().notNull(),
    state: text().notNull(),
    why: text().notNull().default(''),
    at: integer().notNull(),
    told_at: integer(),
    /** 1: the store has accepted the order to install the release. */
    accepted: integer().notNull().default(0),
    /** Number of the attempt to update this store. It increases when a person retries the store. */
    attempt: integer().notNull().default(1),
    before_online: integer(),
    /** Row id of the newest incident of any store at the time of the order. */
    before_incident: integer(),
    lacking_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.rollout, t.store] }), index('hq_rollout_stores_store').on(t.store)],
);

/** Campaigns: content that headquarters plans for its stores, with times and target stores. */
export const hqCampaigns = sqliteTable(
  'hq_campaigns',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    note: text().notNull().default(''),
    rank: text({ enum: ['safety', 'must', 'default', 'offer'] }).notNull(),
    /** JSON: content, times and targets (shared/contract/headquarters/campaigns.ts). */
    body: text({ mode: 'json' }).notNull(),
    state: text({ enum: ['draft', 'waiting', 'running', 'stopped'] })
      .notNull()
      .default('draft'),
    /** Edition that is running or ran last; null: the campaign was never started. */
    edition: integer(),
    /** Names of the last editor, of the person who requested the start, and of the approver. */
    changed_by: text().notNull(),
    asked_by: text(),
    /** Id of the person who requested the start. Nobody approves their own request. */
    asked_by_id: text(),
    /**
     * SHA-256 of the document for which the start was requested; null: no request, or a request from before this column
     * existed.
     */
    asked_sha256: text(),
    approved_by: text(),
    /**
     * JSON: the last refused request: who requested, who refused, when and why
     * (shared/contract/headquarters/campaigns.ts). Null: none.
     */
    refused: text({ mode: 'json' }),
    started_at: integer(),
    stopped_at: integer(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (t) => [index('hq_campaigns_workspace').on(t.workspace_id, t.created_at)],
);

/** Every started edition of a campaign, as stores receive it. */
export const hqEditions = sqliteTable(
  'hq_editions',
  {
    campaign: text()
      .notNull()
      .references(() => hqCampaigns.id, { onDelete: 'cascade' }),
    edition: integer().notNull(),
    sha256: text().notNull(),
    /** Text of the document that stores receive (JSON). */
    doc: text().notNull(),
    /** JSON: body of the campaign at the start of the edition. */
    body: text().notNull(),
    /** Total size of the files of the edition in bytes. */
    bytes: integer().notNull(),
    made_at: integer().notNull(),
    made_by: text().notNull(),
    approved_by: text(),
  },
  (t) => [primaryKey({ columns: [t.campaign, t.edition] }), index('hq_editions_sha').on(t.sha256)],
);

/** Files that editions need. A file is stored as long as an edition needs it. */
export const hqBlobs = sqliteTable(
  'hq_blobs',
  {
    campaign: text()
      .notNull()
      .references(() => hqCampaigns.id, { onDelete: 'cascade' }),
    edition: integer().notNull(),
    sha256: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaign, t.edition, t.sha256] }), index('hq_blobs_sha').on(t.sha256)],
);

/** Desired state of each store, as it was last signed. */
export const hqDesired = sqliteTable('hq_desired', {
  store: integer()
    .primaryKey()
    .references(() => hqStores.id, { onDelete: 'cascade' }),
  rev: integer().notNull(),
  /** The signed desired state (JSON; shared/chain/campaign.ts, DesiredDoc), and its signature in hex. */
  text: text().notNull(),
  signature: text().notNull(),
  issued_ms: integer().notNull(),
});

/** Progress of campaigns in stores, as last reported by the stores. */
export const hqReadiness = sqliteTable(
  'hq_readiness',
  {
    campaign: text()
      .notNull()
      .references(() => hqCampaigns.id, { onDelete: 'cascade' }),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    edition: integer().notNull(),
    phase: text().notNull(),
    applied: integer(),
    bytes_left: integer().notNull(),
    rate: integer(),
    screens: integer().notNull(),
    ready: integer().notNull(),
    why: text().notNull().default(''),
    told_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaign, t.store] }), index('hq_readiness_store').on(t.store)],
);
