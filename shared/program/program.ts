/**
 * A program: everything one screen may ever show, as an immutable JSON value named by the SHA-256 of its bytes. The
 * server compiles it, the player keeps it on disk, `resolve` (resolve.ts) turns it and an instant into a scene. What is
 * one device's alone (orientation, time zone, opening hours, wall tile) is not in it but in the {@link Placement}, so
 * that screens with the same task share one program.
 */
import { z } from 'zod';

/** Of a transition, in milliseconds. */
export const LONGEST_TRANSITION_MS = 3000;

/** Lower-case hex SHA-256. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `HH:MM`, or `24:00` where an end is meant. */
const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);
const CivilDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/**
 * A day-parting block of an item (decisions, Playlists), or of a screen's opening hours: on `days` (0 = Sunday), from
 * `start` inclusive to `end` exclusive, by the wall clock of the device's zone. `start > end` runs over midnight and
 * belongs to the day it starts. `start_date` and `end_date` (inclusive) bound the day it starts. Each edge is one
 * instant: clocks set back open a block once, not twice.
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
 * How an item is rendered. `widget` and `kiosk` are pages of our own, kept as assets; `web` and `embed` are live
 * addresses.
 */
export const ItemKind = z.enum(['image', 'video', 'audio', 'pdf', 'web', 'embed', 'widget', 'kiosk']);
export type ItemKind = z.infer<typeof ItemKind>;

/** Local wall clock `YYYY-MM-DDTHH:MM`, without an offset. */
const LocalMinute = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);

/**
 * Something plays from `from` inclusive to `until` exclusive, by the wall clock of the device's zone, whatever its
 * blocks say; null: no bound.
 */
export const Validity = z.object({ from: LocalMinute.nullable(), until: LocalMinute.nullable() });
export type Validity = z.infer<typeof Validity>;

/**
 * How a turn takes the place of the one before, in the first `ms` milliseconds of its own time: `fade` shows both, `push`
 * moves both from right to left, `wipe` uncovers it from left to right.
 */
export const Transition = z.object({
  kind: z.enum(['cut', 'fade', 'push', 'wipe']),
  ms: z.number().int().min(0).max(LONGEST_TRANSITION_MS),
});
export type Transition = z.infer<typeof Transition>;

export const ProgramItem = z.object({
  /**
   * Playlist item id; null where something plays without being a playlist's item (default content, a scheduled
   * content).
   */
  item_id: z.number().int().nullable(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  kind: ItemKind,
  /** What people call it: the file's name or the widget's. Kept in the play record, so that it survives a deletion. */
  name: z.string(),
  /** SHA-256 of the file to show; null for `web` and `embed`, which have `url` instead. */
  asset: Sha256.nullable(),
  url: z.string().nullable(),
  /** Path on the server's origin of a widget's live data (feeds, weather); null when the page needs none. */
  data_url: z.string().nullable(),
  /** How long one turn lasts, in milliseconds, > 0. */
  duration_ms: z.number().int().positive(),
  /** The clip's own length in milliseconds; null for stills. A shorter clip than its turn loops within the turn. */
  media_ms: z.number().positive().nullable(),
  /** Pixels of the upright picture, null where there is none. */
  width: z.number().int().positive().nullable(),
  height: z.number().int().positive().nullable(),
  muted: z.boolean(),
  /**
   * How a `web` page is shown; absent: as it is. `zoom` in percent; `refresh_s` seconds after which it is loaded anew,
   * 0 = never.
   */
  web: z.object({ zoom: z.number().positive(), refresh_s: z.number().nonnegative() }).optional(),
  /** The layout zone it was put in; null, or a zone that the layout in force does not have: the largest zone. */
  zone_id: z.string().nullable(),
  /** OR-ed; none = always. */
  blocks: z.array(Block),
  /** Absent: always. */
  valid: Validity.optional(),
  /** Absent: a cut. */
  transition: Transition.optional(),
});
export type ProgramItem = z.infer<typeof ProgramItem>;

export const FitMode = z.enum(['cover', 'contain', 'fill']);
export type FitMode = z.infer<typeof FitMode>;

export const ProgramPlaylist = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Epoch milliseconds (server clock) at which the first item's first turn began: the instant it was published.
   * Positions follow from it, so that screens with one playlist are in step and a restarted player lands where it would
   * have been.
   */
  anchor_ms: z.number().int(),
  items: z.array(ProgramItem),
});
export type ProgramPlaylist = z.infer<typeof ProgramPlaylist>;

export const ProgramZone = z.object({
  id: z.string(),
  name: z.string(),
  /** Percent of the picture's width or height, 0–100. */
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  /** Higher is in front. */
  z_index: z.number().int(),
  zone_type: z.string(),
  fit: FitMode,
  /** `#RRGGBB` or `#RRGGBBAA`. */
  background: z.string(),
  /**
   * What it shows by itself where neither a schedule nor the playlist in force has anything for it: one of the two.
   * Absent: nothing.
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
 * A schedule (decisions, Schedules). Exactly what it changes is set: `item` (a content or widget), `playlist_id`,
 * `layout_id`. With `zone_id` it replaces that zone only.
 */
export const ProgramSchedule = z.object({
  /** Of its plan: screens that are planned alike share a program. */
  id: z.string(),
  title: z.string(),
  /** Device over group, whatever the priority. */
  target: z.enum(['device', 'group']),
  priority: z.number().int(),
  /** Breaks the last tie: the newer wins. Epoch seconds; equal ones by id, later wins. */
  created_at: z.number().int(),
  /**
   * First occurrence, in `timezone`; start inclusive, end exclusive; a later occurrence lasts as long by the wall
   * clock.
   */
  start: LocalDateTime,
  end: LocalDateTime,
  timezone: z.string(),
  /** RFC 5545 RRULE without the `RRULE:` in front; null = once. */
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
  /** Bytes. */
  size: z.number().int().nonnegative(),
  mime: z.string(),
});
export type Asset = z.infer<typeof Asset>;

/** Where the playlist in force comes from when no schedule plays one. */
export const BaseSource = z.enum(['wall', 'device', 'group']);

export const Program = z.object({
  format: z.literal(1),
  base: z.object({
    /** Null: the whole screen is one zone. */
    layout_id: z.string().nullable(),
    playlist_id: z.string().nullable(),
    /** A wall's single content, where it has no playlist. */
    item: ProgramItem.nullable(),
    source: BaseSource.nullable(),
  }),
  /** The default content: full screen when nothing else plays. */
  fallback: ProgramItem.nullable(),
  /** Those that take its place, in order, while it is not valid. Absent: none. */
  fallbacks: z.array(ProgramItem).optional(),
  layouts: z.array(ProgramLayout),
  playlists: z.array(ProgramPlaylist),
  schedules: z.array(ProgramSchedule),
  /** Every file that any item needs, each once, ordered by hash. */
  assets: z.array(Asset),
});
export type Program = z.infer<typeof Program>;

/** What is one device's alone (player protocol, `program`). Lengths of the wall in millimetres. */
export const Placement = z.object({
  /** Degrees clockwise the image is turned to appear upright. In a wall the tile's rotation replaces it. */
  orientation: z.enum(['0', '90', '180', '270']),
  /** IANA name. */
  timezone: z.string(),
  /** Its opening hours: outside of them the panel is off, and nothing is shown. Absent: it is always on. */
  hours: z.array(Block).min(1).optional(),
  wall: z
    .object({
      wall_id: z.string(),
      canvas: z.object({ width: z.number().positive(), height: z.number().positive() }),
      tile: z.object({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() }),
      rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
      /** This panel plays the sound. */
      audio: z.boolean(),
    })
    .nullable(),
});
export type Placement = z.infer<typeof Placement>;

/** What one zone shows. */
export interface Cue {
  readonly item: ProgramItem;
  /**
   * Epoch milliseconds, server clock: this turn began then (or again, after what interrupted it; or is a day's piece of
   * a longer one) …
   */
  readonly since: number;
  /** … and ends then (exclusive). The same item again is a new turn. */
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
  /** The zone's own. */
  | { readonly kind: 'layout' }
  | { readonly kind: 'fallback' };

export interface ZoneScene {
  readonly zone: ProgramZone;
  /** Null: nothing in this zone now; its background shows. */
  readonly cue: Cue | null;
  /** What comes after `cue.until` (or after `scene.until`, when there is no cue); null when nothing does. */
  readonly next: Cue | null;
}

/**
 * A schedule that applies at this instant but lost, wholly or with a part of what it sets (its content before its
 * layout), with the reason in the words of the precedence rule. One for a zone that the layout in force lacks is not
 * listed.
 */
export interface LosingRule {
  readonly schedule_id: string;
  readonly title: string;
  readonly lost_to: string;
  readonly because: 'device-over-group' | 'priority' | 'later-start' | 'newer';
}

/** What a screen shows at an instant, and until when that holds. */
export interface Scene {
  /** Null: the whole screen is one zone. */
  readonly layout: ProgramLayout | null;
  /** Ordered back to front (z_index, then the layout's order). */
  readonly zones: readonly ZoneScene[];
  /** Epoch milliseconds: ask again then; nothing changes before. Always > the instant asked for. */
  readonly until: number;
  /** Nothing to show: not even a fallback. */
  readonly idle: boolean;
  /** The schedule that gave the layout, if one did. */
  readonly layout_schedule_id: string | null;
  readonly losing: readonly LosingRule[];
}
