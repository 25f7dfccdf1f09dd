/**
 * Documents with the content that headquarters wants in a store. An edition of a campaign is one immutable document
 * named by its SHA-256, the same for all its stores: the content, its times and its rank. A store's desired state lists
 * editions and is signed by headquarters. Only the newest desired state counts, so a store that was offline for three
 * weeks fetches one desired state. A store refuses an invalid document and continues to show its previous content.
 */
import { z } from 'zod';
import { Block, FitMode, Sha256, Transition } from '../program/program.ts';
import { RANKS } from '../program/ranks.ts';
import { BUILT_IN, MAX_VALUE_CHARS, MAX_VALUE_NAME, MAX_VALUES } from './values.ts';

/** Maximum number of records of each kind in one campaign. */
const MAX_RECORDS = 2_000;
/** Maximum size of a campaign's document as text. */
export const MAX_CAMPAIGN_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of characters of a desired state: 500 campaigns need 85,000 characters, and a hundred values of 500
 * characters need at most 110,000. Stores with a program version that knows no values accept 100,000.
 */
const MAX_DESIRED_CHARS = 250_000;

const Id = z.string().regex(/^[\w-]{1,64}$/);
const Text = z.string().max(500);
const Minute = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
const Second = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
const Valid = { valid_from: Minute.nullable(), valid_until: Minute.nullable() };
const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A file that the store needs before it can show the campaign. */
export const CampaignBlob = z.object({ sha256: Sha256, size: Bytes, mime: z.string().max(200) });
export type CampaignBlob = z.infer<typeof CampaignBlob>;

export const CampaignContent = z.object({
  id: Id,
  filename: Text,
  mime_type: z.string().max(200),
  kind: z.enum(['image', 'video', 'audio', 'pdf', 'web', 'embed', 'design']),
  duration_sec: z.number().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  remote_url: z.string().max(2_000).nullable(),
  /** The file of the content; null: the content is a live address. */
  file: CampaignBlob.nullable(),
  thumbnail: CampaignBlob.nullable(),
  /** Ids of the contents of the campaign that a design shows. Absent: the content is no design. */
  shows: z.array(Id).max(MAX_RECORDS).optional(),
  ...Valid,
});
export type CampaignContent = z.infer<typeof CampaignContent>;

export const CampaignWidget = z.object({
  id: Id,
  widget_type: z.string().max(50),
  name: Text,
  config: z.record(z.string(), z.unknown()),
  ...Valid,
});

/**
 * Limits for the content that a store puts into a slot. A slot is a place in a campaign's playlist that the store
 * fills.
 */
export const SlotLimits = z.object({
  /** Purpose of the slot, shown to people of the store. */
  name: Text,
  max_items: z.number().int().min(1).max(100),
  /** Maximum total duration, in seconds, of the store's items in one round of the playlist. */
  max_seconds: z.number().int().min(1).max(86_400),
  kinds: z.array(z.enum(['image', 'video', 'pdf', 'widget'])).min(1),
});
export type SlotLimits = z.infer<typeof SlotLimits>;

const CampaignItem = z.object({
  content_id: Id.nullable(),
  widget_id: Id.nullable(),
  /**
   * A slot that the store fills with its own content. While the slot is empty, `content_id` or `widget_id` of this
   * item plays instead.
   */
  slot: SlotLimits.extend({ id: Id }).optional(),
  zone_id: Id.nullable(),
  duration_sec: z.number().int().min(1),
  muted: z.boolean(),
  blocks: z.array(Block),
  transition: Transition.nullable(),
  ...Valid,
});
export type CampaignItem = z.infer<typeof CampaignItem>;

export const CampaignPlaylist = z.object({
  id: Id,
  name: Text,
  description: z.string().max(2_000),
  /** The instant from which all positions are computed, so that all stores are synchronized. */
  published_ms: z.number().int(),
  transition: Transition.nullable(),
  items: z.array(CampaignItem).max(MAX_RECORDS),
});
export type CampaignPlaylist = z.infer<typeof CampaignPlaylist>;

export const CampaignLayout = z.object({
  id: Id,
  name: Text,
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  zones: z
    .array(
      z.object({
        id: Id,
        name: Text,
        x_percent: z.number(),
        y_percent: z.number(),
        width_percent: z.number(),
        height_percent: z.number(),
        z_index: z.number().int(),
        zone_type: z.string().max(50),
        fit_mode: FitMode,
        background_color: z.string().max(20),
        content_id: Id.nullable(),
        widget_id: Id.nullable(),
        playlist_id: Id.nullable(),
      }),
    )
    .max(100),
});
export type CampaignLayout = z.infer<typeof CampaignLayout>;

export const CampaignDoc = z.object({
  vitrine: z.literal('campaign'),
  /**
   * Version of the document. 2: texts of its widgets have placeholders for values of the store (values.ts). A store
   * with an older version refuses such a document.
   */
  version: z.union([z.literal(1), z.literal(2)]),
  id: Id,
  name: Text,
  /**
   * Number of the edition. It increases with each start by headquarters, also when the content is the same as in an
   * earlier edition.
   */
  edition: z.number().int().min(1),
  /**
   * Time at which headquarters created this edition, epoch milliseconds. If two campaigns contain different versions of
   * a record, the version of the later edition counts.
   */
  made_ms: z.number().int(),
  rank: z.enum(RANKS),
  /** Tags of screens. Only screens of the store with one of these tags show the campaign; empty: all screens. */
  screen_tags: z.array(z.string().min(1).max(50)).max(20),
  /** Local times on the clock of the store's screens. */
  start_time: Second,
  end_time: Second,
  recurrence: z.string().max(1_000).nullable(),
  recurrence_end: z.string().max(10).nullable(),
  /**
   * When the campaign begins. `whole`: only after all files have arrived. `parts`: at its start time, with the files
   * that have arrived.
   */
  begins: z.enum(['whole', 'parts']),
  /**
   * Content for the screens: a playlist, a layout or both. If the rank is `offer`: content that only appears in the
   * store's library.
   */
  playlist_id: Id.nullable(),
  layout_id: Id.nullable(),
  contents: z.array(CampaignContent).max(MAX_RECORDS),
  widgets: z.array(CampaignWidget).max(MAX_RECORDS),
  playlists: z.array(CampaignPlaylist).max(200),
  layouts: z.array(CampaignLayout).max(200),
});
export type CampaignDoc = z.infer<typeof CampaignDoc>;

/** An edition of a campaign that a store should have. */
export const WantedEdition = z.object({
  id: Id,
  edition: z.number().int().min(1),
  /** SHA-256 of the document's text, and the length of the text. */
  sha256: Sha256,
  bytes: Bytes,
});
export type WantedEdition = z.infer<typeof WantedEdition>;

export const DesiredDoc = z.object({
  vitrine: z.literal('desired'),
  version: z.literal(1),
  /** Id of the store at its headquarters. */
  store: z.string().min(1).max(64),
  /** Revision of the desired state. A store ignores a revision that is not higher than an earlier revision. */
  rev: z.number().int().min(1),
  issued_ms: z.number().int(),
  /** The values of the store that its campaigns need. */
  values: z
    .record(z.string().max(MAX_VALUE_NAME), z.string().max(MAX_VALUE_CHARS))
    .refine((values) => Object.keys(values).length <= MAX_VALUES + BUILT_IN.length)
    .optional(),
  campaigns: z.array(WantedEdition).max(500),
});
export type DesiredDoc = z.infer<typeof DesiredDoc>;

/** A desired state as it is transmitted, with its signature. */
export const SignedDesired = z.object({
  /** JSON of {@link DesiredDoc}. */
  text: z.string().max(MAX_DESIRED_CHARS),
  /** Signature of {@link desiredText} with headquarters' key, hex. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type SignedDesired = z.infer<typeof SignedDesired>;

export const desiredText = (text: string): string => `vitrine.desired.1\n${text}`;

/** Progress of a campaign in a store, as the store reports it (chain.md, Readiness). */
export const PHASES = ['told', 'fetching', 'armed', 'on_screens', 'showing', 'refused'] as const;
export type Phase = (typeof PHASES)[number];

export const Readiness = z.object({
  id: Id,
  /** Number of the edition that the store should have. */
  edition: z.number().int().min(1),
  phase: z.enum(PHASES),
  /** Number of the edition on the store's screens; null: they show no edition of this campaign. */
  applied: z.number().int().min(1).nullable(),
  bytes_left: Bytes,
  /** Recent download rate in bytes per second; null: no recent download. */
  rate: Bytes.nullable(),
  /** Number of the store's screens that the campaign selects, and number of these screens that have its content. */
  screens: z.number().int().min(0),
  ready: z.number().int().min(0),
  /** Problem as a sentence; '' if there is no problem. */
  why: Text,
});
export type Readiness = z.infer<typeof Readiness>;

/** Returns the files of a campaign, each once. */
export const blobsOf = ({ contents }: CampaignDoc): CampaignBlob[] => {
  const blobs = contents.flatMap(({ file, thumbnail }) => [file, thumbnail].filter((blob) => blob !== null));
  return [...new Map(blobs.map((blob) => [blob.sha256, blob])).values()];
};
