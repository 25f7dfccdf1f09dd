/** What a screen plays, as its browser says. Reported by the player with its heartbeat and stored per device. */
import { z } from 'zod';

/** More classes than any player asks for; a bound for what is stored. */
const MOST = 50;
const named = <V extends z.ZodType>(value: V) =>
  z.record(z.string().max(30), value).refine((record) => Object.keys(record).length <= MOST, `at most ${MOST} names`);

export const ScreenFormats = z.object({
  /** By class of video (video-classes.ts): pixels of the largest frame that plays; 0: the class does not play. */
  video: named(z.number().int().nonnegative()),
  /**
   * The browser was asked for each size. False: an older browser without MediaCapabilities, so that frames larger than
   * `video` says may play.
   */
  sized: z.boolean(),
  /** By codec of sound. */
  audio: named(z.boolean()),
  /** Pixels on the longer side of the largest texture of the graphics chip; null: unknown. */
  texture: z.number().int().nonnegative().nullable(),
});
export type ScreenFormats = z.infer<typeof ScreenFormats>;
