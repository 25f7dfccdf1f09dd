/**
 * A program describes everything that one screen may show. It is an immutable JSON value, named by the SHA-256 of its
 * bytes. The server compiles it, the player stores it on disk, and `resolve` (resolve.ts) computes a scene from it and
 * an instant. Settings of one device (orientation, time zone, opening hours, wall tile) are in the {@link Placement}
 * instead, so that screens with the same content share one program.
 */
import { z } from 'zod';

/** Longest duration of a transition in milliseconds. */
export const LONGEST_TRANSITION_MS = 3000;

/** Lower-case hex SHA-256. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Time of day `HH:MM`, or `24:00` as an end. */
const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);
const CivilDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/**
 * A day-parting block of an item or of a screen's opening hours: on `days` (0 = Sunday), from `start` inclusive to
 * `end` exclusive, by the wall clock of the device's zone. If `start > end`, the block continues over midnight and
 * belongs to its start day. `start_date` and `end_date` (inclusive) limit the start day. Start and end are one instant
 * each: when clocks are set back, a block opens once, not twice.
 */
export const Block = z.object({
  days: z.array(z.number().int().min(0).max(6)).min(1),
  start: ClockTime,
  end: ClockTime,
  start_date: CivilDate.nullable(),
  end_date: CivilDate.nullable(),
});
export type Block = z.infer<typeof Block>;

/**
 * How an item is rendered. `widget`, `kiosk` and `design` are our own pages, stored as assets; `web` and `embed` are live
 * addresses.
 */
export const ItemKind = z.enum(['image', 'video', 'audio', 'pdf', 'web', 'embed', 'widget', 'kiosk', 'design']);
export type ItemKind = z.infer<typeof ItemKind>;

/** Local wall clock `YYYY-MM-DDTHH:MM`, without an offset. */
const LocalMinute = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);

/**
 * Validity from `from` inclusive to `until` exclusive, by the wall clock of the device's zone, in addition to blocks;
 * null: no bound.
 */
export const Validity = z.object({ from: LocalMinute.nullable(), until: LocalMinute.nullable() });
export type Validity = z.infer<typeof Validity>;

/**
 * How a play replaces the previous play during its first `ms` milliseconds: `fade` blends both, `push` moves both from
 * right to left, `wipe` uncovers the new picture from left to right.
 */
export const Transition = z.object({
  kind: z.enum(['cut', 'fade', 'push', 'wipe']),
  ms: z.number().int().min(0).max(LONGEST_TRANSITION_MS),
});
export type Transition = z.infer<typeof Transition>;

export const ProgramItem = z.object({
  /** Playlist item id; null for content outside of a playlist (default content, scheduled content). */
  item_id: z.number().int().nullable(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  kind: ItemKind,
  /** Name for people: the name of the file or the widget. Stored in the play record, so that it survives a deletion. */
  name: z.string(),
  /** SHA-256 of the file; null for `web` and `embed`, which have `url` instead. */
  asset: Sha256.nullable(),
  url: z.string().nullable(),
  /** Path of a widget's live data (feeds, weather) on the server's origin; null if the page needs none. */
  data_url: z.string().nullable(),
  /** Duration of one play of the item in milliseconds, > 0. */
  duration_ms: z.number().int().positive(),
  /**
   * The clip's own length in milliseconds; null for stills. A clip that is shorter than its play loops within the play.
   */
  media_ms: z.number().positive().nullable(),
  /** Size of the upright picture in pixels; null if there is no picture. */
  width: z.number().int().positive().nullable(),
  height: z.number().int().positive().nullable(),
  muted: z.boolean(),
  /**
   * How a `web` page is shown; absent: unchanged. `zoom` in percent; `refresh_s` seconds between reloads, 0 = never.
   */
  web: z.object({ zoom: z.number().positive(), refresh_s: z.number().nonnegative() }).optional(),
  /**
   * Files that the page of a design shows: SHA-256 of pictures and clips by the id of their content, and of fonts by
   * keys that begin with `font:` (shared/design/fonts.ts).
   */
  files: z.record(z.string(), Sha256).optional(),
  /**
   * The assigned layout zone. If null, or if the current layout has no such zone, the item plays in the largest zone.
   */
  zone_id: z.string().nullable(),
  /** Blocks in which the item may play, combined by OR. Empty: always. */
  blocks: z.array(Block),
  /** Validity of the item. Absent: always valid. */
  valid: Validity.optional(),
  /** Transition from the previous item. Absent: a cut. */
  transition: Transition.optional(),
});
export type ProgramItem = z.infer<typeof ProgramItem>;

export const FitMode = z.enum(['cover', 'contain', 'fill']);
export type FitMode = z.infer<typeof FitMode>;

export const ProgramPlaylist = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Epoch milliseconds (server clock) of the publication. The first play of the first item begins at this time. All
   * positions follow from it, so that screens with the same playlist are synchronized, and a restarted player continues
   * at the right position.
   */
  anchor_ms: z.number().int(),
  items: z.array(ProgramItem),
});
export type ProgramPlaylist = z.infer<typeof ProgramPlaylist>;

export const ProgramZone = z.object({
  id: z.string(),
  name: z.string(),
  /** Position or size in percent of the picture's width or height, 0–100. */
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  /** Stacking order. Zones with a higher value are in front. */
  z_index: z.number().int(),
  zone_type: z.string(),
  fit: FitMode,
  /** Background colour: `#RRGGBB` or `#RRGGBBAA`. */
  background: z.string(),
  /**
   * The zone's own content, a playlist or an item. It plays when neither a schedule nor the current playlist has
   * content for the zone. Absent: nothing.
   */
  fill: z.object({ playlist_id: z.string().nullable(), item: ProgramItem.nullable() }).optional(),
});
export type ProgramZone = z.infer<typeof ProgramZone>;

export const ProgramLayout = z.object({
  id: z.string(),
  name: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  zones: z.array(ProgramZone),
});
export type ProgramLayout = z.infer<typeof ProgramLayout>;

/** Local wall-clock `YYYY-MM-DDTHH:MM:SS`, without an offset. */
const LocalDateTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);

/**
 * A schedule. Only the changed fields are set: `item` (a content or widget), `playlist_id`, `layout_id`. With `zone_id`
 * it replaces that zone only.
 */
export const ProgramSchedule = z.object({
  /** Id of the plan. It is the same for all targets of a plan, so that screens with the same plans share a program. */
  id: z.string(),
  title: z.string(),
  /** A schedule for the device precedes a schedule for a group, at any priority. */
  target: z.enum(['device', 'group']),
  priority: z.number().int(),
  /** Last criterion: the newer schedule wins. Epoch seconds; equal values are ordered by id, later wins. */
  created_at: z.number().int(),
  /**
   * First occurrence, in `timezone`. The start is inclusive, the end exclusive. A later occurrence has the same
   * duration by the wall clock.
   */
  start: LocalDateTime,
  end: LocalDateTime,
  timezone: z.string(),
  /** RFC 5545 RRULE without the prefix `RRULE:`; null = once. */
  recurrence: z.string().nullable(),
  /** Inclusive last day on which an occurrence may start. */
  recurrence_end: CivilDate.nullable(),
  zone_id: z.string().nullable(),
  item: ProgramItem.nullable(),
  playlist_id: z.string().nullable(),
  layout_id: z.string().nullable(),
});
export type ProgramSchedule = z.infer<typeof ProgramSchedule>;

export const Asset = z.object({
  sha256: Sha256,
  /** Size of the file in bytes. */
  size: z.number().int().nonnegative(),
  mime: z.string(),
});
export type Asset = z.infer<typeof Asset>;

/** Source of the playlist that plays when no schedule plays a playlist. */
export const BaseSource = z.enum(['wall', 'device', 'group']);

export const Program = z.object({
  format: z.literal(1),
  base: z.object({
    /** Id of the layout. Null: the whole screen is one zone. */
    layout_id: z.string().nullable(),
    playlist_id: z.string().nullable(),
    /** The single content of a wall, if the wall shows a content instead of a playlist. */
    item: ProgramItem.nullable(),
    source: BaseSource.nullable(),
  }),
  /** The default content: full screen when nothing else plays. */
  fallback: ProgramItem.nullable(),
  /** Contents that are shown instead of a fallback that is not valid: the first valid one. Absent: none. */
  fallbacks: z.array(ProgramItem).optional(),
  layouts: z.array(ProgramLayout),
  playlists: z.array(ProgramPlaylist),
  schedules: z.array(ProgramSchedule),
  /** All files that any item needs. Each file is listed once; the list is sorted by hash. */
  assets: z.array(Asset),
});
export type Program = z.infer<typeof Program>;

/** Settings of one device (player protocol, `program`). Lengths of a wall are in millimetres. */
export const Placement = z.object({
  /** Clockwise rotation in degrees that makes the picture upright. In a wall the tile's rotation replaces it. */
  orientation: z.enum(['0', '90', '180', '270']),
  /** IANA name of the time zone. */
  timezone: z.string(),
  /** Opening hours: outside of them the panel is off and shows nothing. Absent: always on. */
  hours: z.array(Block).min(1).optional(),
  wall: z
    .object({
      wall_id: z.string(),
      canvas: z.object({ width: z.number().positive(), height: z.number().positive() }),
      tile: z.object({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() }),
      rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
      /** Whether this panel plays the sound. */
      audio: z.boolean(),
    })
    .nullable(),
});
export type Placement = z.infer<typeof Placement>;

/** The content of a zone at an instant. */
export interface Cue {
  readonly item: ProgramItem;
  /**
   * Start of this play on the server clock, epoch milliseconds. Also the continuation after an interruption, or a day's
   * piece of a longer play.
   */
  readonly since: number;
  /** End of this play (exclusive), epoch milliseconds. If the same item follows again, that is a new play. */
  readonly until: number;
  readonly playlist_id: string | null;
  readonly source: CueSource;
}
export type CueSource =
  | {
      readonly kind: 'schedule';
      readonly schedule_id: string;
      readonly title: string;
      readonly occurrence_start: number;
      readonly occurrence_end: number;
    }
  | { readonly kind: 'wall' | 'device' | 'group' }
  /** The content is the zone's own content, set in the layout. */
  | { readonly kind: 'layout' }
  | { readonly kind: 'fallback' };

export interface ZoneScene {
  readonly zone: ProgramZone;
  /** Null: no content in this zone now; its background is visible. */
  readonly cue: Cue | null;
  /** The play that follows at `cue.until` (or at `scene.until` without a cue); null if none follows. */
  readonly next: Cue | null;
}

/**
 * A schedule that applies at this instant but lost, completely or with a part of what it sets (content is listed before
 * layout), with the reason by the precedence rule. A schedule for a zone that the current layout does not have is not
 * listed.
 */
export interface LosingRule {
  readonly schedule_id: string;
  readonly title: string;
  readonly lost_to: string;
  readonly because: 'device-over-group' | 'priority' | 'later-start' | 'newer';
}

/** Content of a screen at an instant, and how long this content is valid. */
export interface Scene {
  /** The current layout. Null: the whole screen is one zone. */
  readonly layout: ProgramLayout | null;
  /** The zones from back to front (by z_index, then in the layout's order). */
  readonly zones: readonly ZoneScene[];
  /** Epoch milliseconds of the next change; always > the requested instant. */
  readonly until: number;
  /** Whether there is nothing to show, not even fallback content. */
  readonly idle: boolean;
  /** The schedule that determined the layout, if any. */
  readonly layout_schedule_id: string | null;
  readonly losing: readonly LosingRule[];
}
