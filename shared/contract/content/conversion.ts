/**
 * Conversion of a video or sound into a file that every screen can play, and the replacement of the converted file by
 * the original file.
 */
import { z } from 'zod';
import { MediaFormat } from '../../formats/media-format.ts';
import { nothing, on } from '../acts.ts';
import { endpointsOf, read, stream, write } from '../endpoint.ts';
import { Int } from '../fields.ts';
import { Content, FILE_TYPES } from './content.ts';

const endpoint = endpointsOf('Content');

/** Maximum number of conversions that wait while another conversion runs. */
export const MAX_WAITING_CONVERSIONS = 20;

export const Conversion = z.object({
  /**
   * State of the conversion. `none`: no conversion was started since the server started, or the last conversion is
   * finished. `failed`: `error` has the reason.
   */
  state: z.enum(['none', 'waiting', 'running', 'failed']),
  /** Progress in percent, 0 to 100; null: no conversion runs, or the length of the file is not known. */
  percent: Int.nullable(),
  /** Number of conversions that run before this waiting conversion. */
  ahead: Int,
  /** Reason why the last conversion failed, in a sentence; null: it did not fail. */
  error: z.string().nullable(),
  /**
   * Whether this server can convert. `no_ffmpeg`: ffmpeg is not installed. `no_encoder`: the installed ffmpeg has no
   * encoder for H.264 (libx264).
   */
  converter: z.enum(['ready', 'no_ffmpeg', 'no_encoder']),
  /**
   * The file that a person uploaded, while screens show the converted file instead; null: the content was not
   * converted.
   */
  original: z
    .object({
      /** The name of the content, with the extension of the uploaded file. */
      filename: z.string(),
      mime_type: z.string(),
      /** Size of the file in bytes. */
      file_size: Int,
      format: MediaFormat.nullable(),
    })
    .nullable(),
});
export type Conversion = z.infer<typeof Conversion>;

export const getConversion = endpoint('GET /api/content/{id}/convert', {
  name: 'getConversion',
  summary: 'How far the conversion of a content is, and whether an original is kept',
  access: read,
  response: Conversion,
});
export const startConversion = endpoint('POST /api/content/{id}/convert', {
  name: 'startConversion',
  summary: 'Convert a video or sound for all screens',
  description:
    'Makes an MP4 file with H.264 and AAC, at most 1920 × 1080 (or 1080 × 1920); a sound becomes AAC. Needs ffmpeg on the computer of the server, else 409. ' +
    'Conversions run one at a time in the background; at most 20 wait, then 429. A conversion that waits or runs already is answered as it is. ' +
    'The result replaces the file as PUT /api/content/{id}/replace does: same id, same rights, same approval, checked when the conversion starts and again when it ends. ' +
    'The original file is kept. When the content is changed to another file or deleted meanwhile, nothing is replaced. ' +
    'A restart of the server ends all conversions: start them again.',
  access: write,
  acts: ({ params }) => [on('content', params.id), on('shown', params.id)],
  shows: ({ params }) => [{ by: 'edit', of: 'content', id: params.id }],
  response: Conversion,
  errors: [409, 412, 429],
});
export const cancelConversion = endpoint('DELETE /api/content/{id}/convert', {
  name: 'cancelConversion',
  summary: 'End the conversion of a content, or remove its error',
  description: 'Nothing is replaced. Without a conversion nothing happens.',
  access: write,
  acts: ({ params }) => [on('content', params.id)],
  shows: nothing,
  response: Conversion,
});
export const restoreOriginal = endpoint('POST /api/content/{id}/original', {
  name: 'restoreOriginal',
  summary: 'Show the original file of a converted content again',
  description:
    'Replaces the file as PUT /api/content/{id}/replace does. The converted file goes into the bin. 404 when the content was not converted.',
  access: write,
  acts: ({ params }) => [on('content', params.id), on('shown', params.id)],
  shows: ({ params }) => [{ by: 'edit', of: 'content', id: params.id }],
  response: Content,
  errors: [412, 415],
  etag: true,
});
export const getOriginal = endpoint('GET /api/content/{id}/original', {
  name: 'getOriginal',
  summary: 'The original file of a converted content',
  description: 'As GET /api/content/{id}/file. 404 when the content was not converted.',
  access: read,
  response: stream(FILE_TYPES, 'ranges', 'cached', 'named'),
});
