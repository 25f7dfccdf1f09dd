/** Codecs of a stored video or sound, read from its bytes at upload. Pictures and PDFs have none. */
import { z } from 'zod';

export const MediaFormat = z.object({
  /** Null: a sound. */
  video: z
    .object({
      /** `avc` (H.264), `hevc` (H.265), `vp8`, `vp9` or `av1`. */
      codec: z.string(),
      /** RFC 6381, like `avc1.640028`: codec, profile and level; null: the file does not say. */
      profile: z.string().nullable(),
      /** Pixels of the upright picture. */
      width: z.number().int(),
      height: z.number().int(),
      /** Frames per second on average; null: unknown. */
      frame_rate: z.number().nullable(),
    })
    .nullable(),
  /** Null: no sound. */
  audio: z.object({ codec: z.string() }).nullable(),
  /** Seconds; null: unknown. */
  duration_sec: z.number().nullable(),
});
export type MediaFormat = z.infer<typeof MediaFormat>;
