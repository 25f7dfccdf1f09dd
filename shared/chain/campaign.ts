/**
 * What headquarters wants of a store, as documents. A campaign's edition is one immutable document named by its SHA-256,
 * the same for every store that has it: everything that is shown, and when, and how strongly. A store's desired state
 * names editions, and is signed by headquarters: the last one is all that counts, so that three weeks offline cost one
 * read. Whatever is not as it says is refused, and the store goes on as it is.
 */
import { z } from 'zod';
import { Block, FitMode, Sha256, Transition } from '../program/program.ts';
import { RANKS } from '../program/ranks.ts';
import { BUILT_IN, MAX_VALUE_CHARS, MAX_VALUE_NAME, MAX_VALUES } from './values.ts';

/** Of each kind, in one campaign. */
const MAX_RECORDS = 2_000;
/** Of a campaign's document, as text. */
export const MAX_CAMPAIGN_BYTES = 4 * 1024 * 1024;
/**
 * Of a desired state: 500 campaigns are 85,000, a hundred values of 500 letters at most 110,000. Stores of a version
 * without values take 100,000.
 */
const MAX_DESIRED_CHARS = 250_000;

const Id = z.string().regex(/^[\w-]{1,64}$/);
const Text = z.string().max(500);
const Minute = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
const Second = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
const Valid = { valid_from: Minute.nullable(), valid_until: Minute.nullable() };
const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A file that the store needs before it can show anything of it. */
export const CampaignBlob = z.object({ sha256: Sha256, size: Bytes, mime: z.string().max(200) });
export type CampaignBlob = z.infer<typeof CampaignBlob>;

export const CampaignContent = z.object({
  id: Id,
  filename: Text,
  mime_type: z.string().max(200),
  kind: z.enum(['image', 'video', 'audio', 'pdf', 'web', 'embed']),
  duration_sec: z.number().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  remote_url: z.string().max(2_000).nullable(),
  /** Null: a live address. */
  file: CampaignBlob.nullable(),
  thumbnail: CampaignBlob.nullable(),
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

/** What a store may put into a place of a campaign's playlist. */
export const SlotLimits = z.object({
  /** What people of the store are told that it is for. */
  name: Text,
  max_items: z.number().int().min(1).max(100),
  /** Of one round of the playlist. */
  max_seconds: z.number().int().min(1).max(86_400),
  kinds: z.array(z.enum(['image', 'video', 'pdf', 'widget'])).min(1),
});
export type SlotLimits = z.infer<typeof SlotLimits>;

const CampaignItem = z.object({
  content_id: Id.nullable(),
  widget_id: Id.nullable(),
  /** The store fills this place; `content_id` or `widget_id` stand there while it does not. */
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
  /** The instant from which positions follow: all stores are in step. */
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
  /** 2: texts of its widgets have places for values of the store (values.ts). A store that knows none refuses it. */
  version: z.union([z.literal(1), z.literal(2)]),
  id: Id,
  name: Text,
  /** Grows with each that headquarters starts, also when it goes back to what an earlier one said. */
  edition: z.number().int().min(1),
  /** When headquarters made this edition, epoch milliseconds: where two campaigns say something else of one record, the later holds. */
  made_ms: z.number().int(),
  rank: z.enum(RANKS),
  /** On screens of the store with any of these; none: all. */
  screen_tags: z.array(z.string().min(1).max(50)).max(20),
  /** By the clock of the store's screens. */
  start_time: Second,
  end_time: Second,
  recurrence: z.string().max(1_000).nullable(),
  recurrence_end: z.string().max(10).nullable(),
  /** `whole`: only where all of it has arrived. `parts`: from its start on with what has. */
  begins: z.enum(['whole', 'parts']),
  /** What its screens show: one of these or both; of an offer what is in the library. */
  playlist_id: Id.nullable(),
  layout_id: Id.nullable(),
  contents: z.array(CampaignContent).max(MAX_RECORDS),
  widgets: z.array(CampaignWidget).max(MAX_RECORDS),
  playlists: z.array(CampaignPlaylist).max(200),
  layouts: z.array(CampaignLayout).max(200),
});
export type CampaignDoc = z.infer<typeof CampaignDoc>;

/** An edition that a store is to have. */
export const WantedEdition = z.object({
  id: Id,
  edition: z.number().int().min(1),
  /** Of the document's text, and how long that is. */
  sha256: Sha256,
  bytes: Bytes,
});
export type WantedEdition = z.infer<typeof WantedEdition>;

export const DesiredDoc = z.object({
  vitrine: z.literal('desired'),
  version: z.literal(1),
  /** The store's name in the chain. */
  store: z.string().min(1).max(64),
  /** One that is not above what a store has had says nothing. */
  rev: z.number().int().min(1),
  issued_ms: z.number().int(),
  /** What its campaigns ask for of the values that headquarters has given it. */
  values: z
    .record(z.string().max(MAX_VALUE_NAME), z.string().max(MAX_VALUE_CHARS))
    .refine((values) => Object.keys(values).length <= MAX_VALUES + BUILT_IN.length)
    .optional(),
  campaigns: z.array(WantedEdition).max(500),
});
export type DesiredDoc = z.infer<typeof DesiredDoc>;

/** A desired state as it travels. */
export const SignedDesired = z.object({
  /** JSON of {@link DesiredDoc}. */
  text: z.string().max(MAX_DESIRED_CHARS),
  /** Of {@link desiredText}, by headquarters' key: hex. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type SignedDesired = z.infer<typeof SignedDesired>;

export const desiredText = (text: string): string => `vitrine.desired.1\n${text}`;

/** How far a campaign is in a store (chain.md, Readiness). */
export const PHASES = ['told', 'fetching', 'armed', 'on_screens', 'showing', 'refused'] as const;
export type Phase = (typeof PHASES)[number];

export const Readiness = z.object({
  id: Id,
  /** That the store is to have. */
  edition: z.number().int().min(1),
  phase: z.enum(PHASES),
  /** The edition that its screens have; null: none of this campaign. */
  applied: z.number().int().min(1).nullable(),
  bytes_left: Bytes,
  /** Bytes a second, of what was fetched lately; null: nothing was. */
  rate: Bytes.nullable(),
  /** Screens that it is for, and those that have it. */
  screens: z.number().int().min(0),
  ready: z.number().int().min(0),
  /** In a sentence; '' where nothing is wrong. */
  why: Text,
});
export type Readiness = z.infer<typeof Readiness>;

/** The files that a campaign needs, each once. */
export const blobsOf = ({ contents }: CampaignDoc): CampaignBlob[] => {
  const blobs = contents.flatMap(({ file, thumbnail }) => [file, thumbnail].filter((blob) => blob !== null));
  return [...new Map(blobs.map((blob) => [blob.sha256, blob])).values()];
};
