/** Codecs of a stored video or sound, read from its bytes at upload. Pictures and PDFs have none. */
import { z } from 'zod';

export const MediaFormat = z.object({
  /** Video of the file; null: the file contains only sound. */
  video: z
    .object({
      /** Codec: `avc` (H.264), `hevc` (H.265), `vp8`, `vp9` or `av1`. */
      codec: z.string(),
      /**
       * Codec string by RFC 6381, for example `avc1.640028`: codec, profile and level; null: the file does not contain
       * this information.
       */
      profile: z.string().nullable(),
      /** Size of the upright picture in pixels. */
      width: z.number().int(),
      height: z.number().int(),
      /** Average number of frames per second; null: unknown. */
      frame_rate: z.number().nullable(),
    })
    .nullable(),
  /** Codec of the sound; null: the file has no sound. */
  audio: z.object({ codec: z.string() }).nullable(),
  /** Length in seconds; null: unknown. */
  duration_sec: z.number().nullable(),
});
export type MediaFormat = z.infer<typeof MediaFormat>;
