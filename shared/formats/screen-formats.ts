/**
 * Formats that a screen plays, as its browser says. The player reports them with its heartbeat; they are stored per
 * device.
 */
import { z } from 'zod';

/** More names than any player reports; the limit for what is stored. */
const MOST = 50;
const named = <V extends z.ZodType>(value: V) =>
  z.record(z.string().max(30), value).refine((record) => Object.keys(record).length <= MOST, `at most ${MOST} names`);

export const ScreenFormats = z.object({
  /** Pixels of the largest frame that plays, by class of video (video-classes.ts); 0: the class does not play. */
  video: named(z.number().int().nonnegative()),
  /**
   * The browser was asked for each size. False: an older browser without MediaCapabilities, so that frames larger than
   * `video` says may play.
   */
  sized: z.boolean(),
  /** Whether sound plays, by codec. */
  audio: named(z.boolean()),
  /** Pixels on the longer side of the largest texture of the graphics chip; null: unknown. */
  texture: z.number().int().nonnegative().nullable(),
});
export type ScreenFormats = z.infer<typeof ScreenFormats>;
