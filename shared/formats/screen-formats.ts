/**
 * Formats that a screen plays, according to its browser. The player reports them with its heartbeat, and the server
 * stores them per device.
 */
import { z } from 'zod';

/** Maximum number of video classes, and of sound codecs, in a report. No real player reports so many. */
const MOST = 50;
const named = <V extends z.ZodType>(value: V) =>
  z.record(z.string().max(30), value).refine((record) => Object.keys(record).length <= MOST, `at most ${MOST} names`);

export const ScreenFormats = z.object({
  /**
   * Number of pixels of the largest frame that plays, by class of video (video-classes.ts); 0: the class does not play.
   */
  video: named(z.number().int().nonnegative()),
  /**
   * Whether the browser was asked for each size. False for an older browser without MediaCapabilities, which may
   * play larger frames than `video` says.
   */
  sized: z.boolean(),
  /** By codec of the sound: whether the screen plays it. */
  audio: named(z.boolean()),
  /** Pixels on the longer side of the largest texture of the graphics chip; null: unknown. */
  texture: z.number().int().nonnegative().nullable(),
});
export type ScreenFormats = z.infer<typeof ScreenFormats>;
