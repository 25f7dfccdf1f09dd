/** What passes between the server and its media process. Plain data only. */
import type { MediaFormat } from '../../shared/formats/media-format.ts';
import type { FileKind } from './media-types.ts';

/** A picture that was turned upright, in a temporary file of its own, synced (upright.ts). */
export interface Upright {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export interface Inspected {
  readonly kind: FileKind;
  /** What the bytes are. */
  readonly mime: string;
  /** Pixels of the upright picture. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSec: number | null;
  /** Codecs of a video or sound; null: another kind of file. */
  readonly format: MediaFormat | null;
  /** WebP, at most 480 pixels on its longer side. */
  readonly thumbnail: Uint8Array | null;
  /** To be stored in place of the file. Absent: the file is upright. */
  readonly upright?: Upright | undefined;
}

/** The bytes are nothing that a screen can show; the sentence says what they are and what to do. */
export interface NotShowable {
  readonly refused: string;
}

export type Task =
  | { readonly do: 'inspect'; readonly path: string; readonly size: number; readonly name: string }
  | { readonly do: 'shrink'; readonly bytes: Uint8Array /** @default THUMBNAIL_PIXELS */; readonly pixels?: number };

export interface TaskResults {
  inspect: Inspected | NotShowable;
  /** A thumbnail of a picture in memory; null when it cannot be read. */
  shrink: Uint8Array | null;
}

export interface TaskMessage {
  readonly id: number;
  readonly task: Task;
}
export type ResultMessage =
  | { readonly id: number; readonly result: TaskResults[Task['do']] }
  | { readonly id: number; readonly error: string };

/**
 * More cannot be decoded on a signage stick (4 bytes a pixel) and helps no screen: a wall of eight 4K panels has 66.
 * Counted from the header, before anything is decoded.
 */
export const MAX_MEGAPIXELS = 80;
/** An AVIF is decoded as a whole, with some twenty bytes a pixel; 8K has 33. */
export const MAX_AVIF_MEGAPIXELS = 36;
export const MEBIBYTE = 1024 * 1024;
/**
 * Resident in the media process, and in one that takes a frame of a video: what one picture of the largest takes, and a
 * third more.
 */
export const MEMORY_LIMIT_MB = 1024;
export const THUMBNAIL_PIXELS = 480;

/** Also said where ffmpeg finds no picture (check-pictures.ts). */
export const NO_PICTURES =
  'This video is damaged: no image can be read from it. Use another copy, or export it again from the program that made it.';
