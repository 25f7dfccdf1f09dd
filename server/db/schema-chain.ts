/**
 * Tables of a chain of stores: what a store knows of its headquarters, and headquarters of its stores. Nobody loads this
 * at run time; stores of the chain speak SQL, so that a server that is in no chain pays for none of it.
 */
import { blob, index, integer, primaryKey, real, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';
import { layouts, playlists, users, workspaces } from './schema.ts';

// — a store —
/**
 * Numbers of plays, in the order in which databases followed each other: a restored one goes on in an epoch of its own.
 * The newest is the one that is written now.
 */
export const playEpochs = sqliteTable('play_epochs', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** 32 hexadecimal digits. */
  epoch: text().notNull().unique(),
  /** The first number of it. */
  first: integer().notNull(),
  /** The highest number that was given in it; one less than the first: none was. */
  through: integer().notNull(),
  /** Epoch seconds. */
  since: integer().notNull(),
});

/** Headquarters to which a workspace belongs. */
export const chainLinks = sqliteTable('chain_links', {
  workspace_id: text()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  /** Its id there, and its name. */
  store: text().notNull(),
  name: text().notNull(),
  /** `https://host:port` */
  address: text().notNull(),
  headquarters: text().notNull(),
  /** Headquarters' key (Ed25519, SubjectPublicKeyInfo, hex) and the certificate that its own is held to (DER, hex). */
  key: text().notNull(),
  certificate: text().notNull(),
  enrolled_at: integer().notNull(),
  /** Name of who did. */
  enrolled_by: text().notNull(),
  /** The most that people of headquarters may do here: a role of the workspace; null: they do not come in. */
  may: text({ enum: ['workspace_viewer', 'workspace_editor', 'workspace_admin'] }),
  /** The newest of what headquarters wanted that was taken; what is not newer is refused. */
  desired_rev: integer().notNull().default(0),
  /** Epoch seconds at which it was taken. */
  desired_at: integer(),
  /** Kilobytes a second that may be fetched from headquarters; null: as fast as it goes. */
  fetch_rate: integer(),
  /** Hours in which files are fetched, as blocks of days and times; none: always. */
  fetch_hours: text({ mode: 'json' }).notNull().default(sql`'[]'`),
  /** Whether headquarters may bring the server to another version. */
  lets_update: integer().notNull().default(0),
  /** JSON: the version that headquarters wanted last, and how far it is (features/chain/software-orders.ts). */
  update_order: text(),
  /** JSON: what headquarters says of this store, by name, and what of it campaigns show (features/chain/campaigns.store.ts). */
  store_values: text().notNull().default('{}'),
  /** What is written for headquarters is sealed for this key (X25519, raw, hex); null: it has said none. */
  seal_key: text(),
  /** The numbers of the last stick that was taken, and of the last that was written. */
  stick_in: integer().notNull().default(0),
  stick_out: integer().notNull().default(0),
});

/** Campaigns that headquarters wants here, and what became of them. */
export const chainCampaigns = sqliteTable(
  'chain_campaigns',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    /** Its id at headquarters, and its name. */
    campaign: text().notNull(),
    name: text().notNull().default(''),
    /** The edition that is wanted; null: none any more, and what is applied goes. */
    wanted: integer(),
    sha256: text().notNull(),
    bytes: integer().notNull(),
    /** The wanted edition's document; null: it has not come yet. */
    doc: text(),
    /** The edition that screens have, and its document. */
    applied: integer(),
    applied_doc: text(),
    /** 1: all files of what is applied were there. */
    is_whole: integer().notNull().default(0),
    /** Why the wanted edition was not taken; null: nothing is wrong with it. */
    refused: text(),
    told_at: integer().notNull(),
    armed_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.campaign] })],
);

/** Files that campaigns here need: fetched or not, none of them is swept. */
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

/** Records that are headquarters': triggers keep everybody else from changing them. */
export const chainRecords = sqliteTable(
  'chain_records',
  {
    workspace_id: text()
      .notNull()
      .references(() => chainLinks.workspace_id, { onDelete: 'cascade' }),
    kind: text({ enum: ['content', 'widgets', 'playlists', 'layouts'] }).notNull(),
    id: text().notNull(),
    /** One of those that have it. */
    campaign: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('chain_records_workspace').on(t.workspace_id, t.campaign)],
);

/** A row while headquarters' own records are being changed, within that transaction alone. */
export const chainApplying = sqliteTable('chain_applying', { one: integer().primaryKey() });

/** What campaigns show on screens, and when. They stay when a store leaves its headquarters. */
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
    /** Screens with any of these; none: all. */
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

/** Places in campaigns that the store fills, each with a playlist of its own. */
export const chainSlots = sqliteTable(
  'chain_slots',
  {
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    campaign: text().notNull(),
    /** JSON: what may stand there (shared/chain/campaign.ts, SlotLimits). */
    limits: text({ mode: 'json' }).notNull(),
    /** What the store puts there; null: nothing yet. */
    playlist_id: text().references(() => playlists.id, { onDelete: 'set null' }),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.id] }), index('chain_slots_playlist').on(t.playlist_id)],
);

/** People of headquarters who have been in a workspace: each is a user without any way to sign in. */
export const chainVisitors = sqliteTable('chain_visitors', {
  /** SHA-256 of headquarters' key and the person's id there, hex. */
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
});

/** What headquarters has said that it has. */
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

/** Ends of the segments that were sent, written before they were: with them a copy of the store is found out. */
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
    /** Headquarters has it. */
    told: integer().notNull().default(0),
  },
  (t) => [index('chain_incidents_workspace').on(t.workspace_id, t.id)],
);

// — headquarters —
export const hqStores = sqliteTable(
  'hq_stores',
  {
    /** Its number, in sums and segments. */
    id: integer().primaryKey({ autoIncrement: true }),
    ref: text().notNull().unique(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    region: text().notNull().default(''),
    /** JSON, a list of words. */
    tags: text().notNull().default('[]'),
    note: text().notNull().default(''),
    /** The key of its server (Ed25519, raw, hex); null: not enrolled, or it left. */
    key: text(),
    server_name: text().notNull().default(''),
    workspace_name: text().notNull().default(''),
    enrolled_at: integer(),
    left_at: integer(),
    /** JSON of shared/chain/wire.ts, as the store told it last, and when (epoch seconds). */
    presence: text(),
    heard_at: integer(),
    /** By how many milliseconds its clock was ahead then. */
    clock_ms: integer(),
    /** Degrees, north and east; null: nobody said. */
    latitude: real(),
    longitude: real(),
    /** JSON: what campaigns' widgets show of this store, by name. */
    store_values: text().notNull().default('{}'),
    /** What is written for the store is sealed for this key (X25519, raw, hex); null: it has said none. */
    seal_key: text(),
    /** The numbers of the last stick that was taken, and of the last that was written. */
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

/** One-time codes of stores that are to come. */
export const hqCodes = sqliteTable('hq_codes', {
  store: integer()
    .primaryKey()
    .references(() => hqStores.id, { onDelete: 'cascade' }),
  /** SHA-256 of the secret, hex. */
  hash: text().notNull().unique(),
  expires_at: integer().notNull(),
});

/** Keys that signed a store's segments, also of PCs that were replaced. */
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

/** How far the plays of a store are here. */
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

/** Where segments lie, and what they are of. */
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
    /** Its plays that are counted here: not those that an earlier one had. */
    plays: integer().notNull(),
    /** When the earliest and the latest of them started, epoch milliseconds. */
    from_ms: integer().notNull(),
    to_ms: integer().notNull(),
    /** The first number that was new; those before it are an earlier segment's. */
    fresh: integer().notNull(),
    /** JSON, numbers of plays that are not counted: they were here already, under other numbers. */
    dropped: text(),
    /** Name of the file, and the place in it. */
    pack: text().notNull(),
    offset: integer().notNull(),
    bytes: integer().notNull(),
  },
  (t) => [
    // Each that was taken ends behind the one before it.
    uniqueIndex('hq_segments_store').on(t.store, t.epoch, t.last),
    index('hq_segments_pack').on(t.pack, t.offset),
    index('hq_segments_time').on(t.to_ms),
    index('hq_segments_store_time').on(t.store, t.to_ms),
  ],
);

/** Segments in which a signed stretch of a device's journal begins. */
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

/** Own ids of plays that two epochs of a store may both have. */
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
    /** `of_campaign`: what a campaign showed. */
    kind: text({ enum: ['device', 'content', 'widget', 'other', 'campaign', 'of_campaign'] }).notNull(),
    /** Its id in the store; of `other` the name, of `of_campaign` the campaign’s id and what follows. */
    ref: text().notNull(),
    name: text().notNull(),
    named_ms: integer().notNull(),
  },
  (t) => [uniqueIndex('hq_subjects_ref').on(t.store, t.kind, t.ref)],
);

/** Sums of plays, written with the cursor. WITHOUT ROWID, which drizzle cannot say: the migration does. */
export const hqSums = sqliteTable(
  'hq_sums',
  {
    /** 0: of all screens of a store; 1: of each. */
    scope: integer().notNull(),
    /** Epoch day in headquarters' zone. */
    day: integer().notNull(),
    store: integer()
      .notNull()
      .references(() => hqStores.id, { onDelete: 'cascade' }),
    /** Number in hq_subjects; 0: of all. */
    device: integer().notNull(),
    /** Number in hq_subjects. */
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
    /** Epoch seconds. */
    at: integer().notNull(),
    seen_at: integer(),
    /** Name of who has seen it. */
    seen_by: text(),
  },
  (t) => [index('hq_incidents_store').on(t.store, t.seen_at)],
);

/** Commands to screens of many stores. */
export const hqOrders = sqliteTable(
  'hq_orders',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** JSON, as it is sent to each screen. */
    command: text().notNull(),
    /** Screens that have it; null: all of a store. */
    tag: text(),
    /** JSON of who did, as stores are told (shared/chain/wire.ts, Visitor). */
    visitor: text().notNull(),
    /** Epoch milliseconds. */
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
    /** `told`: and not answered yet, or never. */
    state: text({ enum: ['waiting', 'told', 'done', 'refused', 'expired', 'taken_back'] })
      .notNull()
      .default('waiting'),
    /** Screens that it went to, those that did it, and those that could not. */
    screens: integer().notNull().default(0),
    acked: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Why it was refused, in a sentence. */
    error: text().notNull().default(''),
    /** Epoch milliseconds; null: nothing came of it yet. */
    at: integer(),
  },
  (t) => [primaryKey({ columns: [t.order_id, t.store] }), index('hq_order_stores_open').on(t.store, t.state)],
);

/** Releases on their way to stores, in waves. */
export const hqRollouts = sqliteTable(
  'hq_rollouts',
  {
    id: text().primaryKey(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    version: text().notNull(),
    /** JSON of its files, as stores are told them (shared/chain/wire.ts, ReleaseFile). */
    files: text().notNull(),
    /** JSON, as they were asked for (shared/contract/waves.ts, Wave). */
    waves: text().notNull(),
    /** `stopped`: by itself, until somebody decides. `ended`: by somebody, for good. */
    status: text({ enum: ['running', 'paused', 'stopped', 'done', 'ended'] }).notNull(),
    /** Number of the wave that is under way, from 0, and since when (epoch milliseconds). */
    wave: integer().notNull().default(0),
    wave_at: integer().notNull(),
    /** Minutes for which a wave has to be healthy before the next begins. */
    healthy_minutes: integer().notNull(),
    /** The store at which it stopped. */
    stopped_at_store: integer().references(() => hqStores.id, { onDelete: 'set null' }),
    /** JSON of who started it, as stores are told (shared/chain/wire.ts, Visitor). */
    visitor: text().notNull(),
    /** Epoch milliseconds. */
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (t) => [index('hq_rollouts_workspace').on(t.workspace_id, t.created_at)],
);

/** Each store of a rollout, and what is remembered of it (shared/chain/waves.ts, WaveMemory). */
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
    /** It has said that it heard. */
    accepted: integer().notNull().default(0),
    /** Grows when somebody has it tried again. */
    attempt: integer().notNull().default(1),
    before_online: integer(),
    /** Row of the newest incident when it was told. */
    before_incident: integer(),
    lacking_at: integer(),
  },
  (t) => [primaryKey({ columns: [t.rollout, t.store] }), index('hq_rollout_stores_store').on(t.store)],
);

/** What headquarters wants to be shown in its stores. */
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
    /** JSON: what, when and where (shared/contract/campaigns.ts). */
    body: text({ mode: 'json' }).notNull(),
    state: text({ enum: ['draft', 'waiting', 'running', 'stopped'] })
      .notNull()
      .default('draft'),
    /** The edition that runs or ran last; null: it was never started. */
    edition: integer(),
    /** Who made it what it is, who asked for it to be started, and who approved: names. */
    changed_by: text().notNull(),
    asked_by: text(),
    /** Id of who asked: nobody approves what they asked for themselves. */
    asked_by_id: text(),
    /** SHA-256 of the document that was asked for; null: nobody asks, or asked before this was recorded. */
    asked_sha256: text(),
    approved_by: text(),
    /** JSON: who asked last, and who refused it, when and why (shared/contract/campaigns.ts); null: nobody did. */
    refused: text({ mode: 'json' }),
    started_at: integer(),
    stopped_at: integer(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (t) => [index('hq_campaigns_workspace').on(t.workspace_id, t.created_at)],
);

/** Each edition of a campaign that was started, as stores get it. */
export const hqEditions = sqliteTable(
  'hq_editions',
  {
    campaign: text()
      .notNull()
      .references(() => hqCampaigns.id, { onDelete: 'cascade' }),
    edition: integer().notNull(),
    sha256: text().notNull(),
    /** The document. */
    doc: text().notNull(),
    /** JSON: the campaign's body as it was. */
    body: text().notNull(),
    /** Bytes of its files, all told. */
    bytes: integer().notNull(),
    made_at: integer().notNull(),
    made_by: text().notNull(),
    approved_by: text(),
  },
  (t) => [primaryKey({ columns: [t.campaign, t.edition] }), index('hq_editions_sha').on(t.sha256)],
);

/** Files that editions need: they are kept as long as one of these does. */
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

/** What each store is to have, as it was signed last. */
export const hqDesired = sqliteTable('hq_desired', {
  store: integer()
    .primaryKey()
    .references(() => hqStores.id, { onDelete: 'cascade' }),
  rev: integer().notNull(),
  /** JSON of what is signed (shared/chain/campaign.ts, DesiredDoc), and the signature, hex. */
  text: text().notNull(),
  signature: text().notNull(),
  issued_ms: integer().notNull(),
});

/** How far campaigns are in stores, as these told last. */
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
