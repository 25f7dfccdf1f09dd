/** Messages between the server and its media process. The messages contain plain data only. */
import type { Brand } from '../../../shared/design/brand.ts';
import type { MediaFormat } from '../../../shared/formats/media-format.ts';
import type { FileKind } from './media-types.ts';

/** An upright copy of a rotated picture, in a temporary file that is synced (upright.ts). */
export interface Upright {
  readonly path: string;
  /** SHA-256 of the upright copy in lower-case hex. */
  readonly sha256: string;
  /** Size of the upright copy in bytes. */
  readonly size: number;
}

export interface Inspected {
  readonly kind: FileKind;
  /** Detected type of the bytes. */
  readonly mime: string;
  /** Size in pixels of the upright picture. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSec: number | null;
  /** Codecs of a video or sound; null for other kinds. */
  readonly format: MediaFormat | null;
  /** Thumbnail as WebP, at most 480 pixels on its longer side. */
  readonly thumbnail: Uint8Array | null;
  /** Upright copy to store instead of the file. Absent when the file is upright. */
  readonly upright?: Upright | undefined;
  /** Ids of the contents that a design shows. Absent for other kinds. */
  readonly shows?: readonly string[] | undefined;
}

/** Error: no screen can show the file. The sentence says what the file is and what to do. */
export interface NotShowable {
  readonly refused: string;
  /** Whether the type is right and the document is wrong: a fault of the request (400), not of the type (415). */
  readonly isInvalid?: true;
}

/** A font that screens may use. */
export interface CheckedFont {
  /** Family name in the file, at most 120 characters; empty: the file has none. */
  readonly name: string;
  readonly mime: 'font/ttf' | 'font/otf' | 'font/woff2';
  readonly glyphs: number;
}

export type Task =
  | { readonly do: 'inspect'; readonly path: string; readonly size: number; readonly name: string }
  | { readonly do: 'shrink'; readonly bytes: Uint8Array /** @default THUMBNAIL_PIXELS */; readonly pixels?: number }
  | { readonly do: 'font'; readonly path: string; readonly size: number }
  /** Reads which contents a stored design shows on its first page. */
  | { readonly do: 'design-media'; readonly path: string }
  | { readonly do: 'draw-design'; readonly drawing: DesignDrawing };

/** Everything that the thumbnail of a design depends on. */
export interface DesignDrawing {
  /** Path of the stored document. */
  readonly path: string;
  readonly brand: Brand;
  /** Paths of thumbnails of the contents that the design shows, by content id. */
  readonly pictures: Readonly<Record<string, string>>;
  /** Local time of the server as if it were UTC, in epoch milliseconds. */
  readonly now: number;
  /** Text that is stored in the file, to recognize later from what the thumbnail was made. */
  readonly key: string;
}

export interface TaskResults {
  inspect: Inspected | NotShowable;
  /** Thumbnail of a picture in memory; null when it cannot be read. */
  shrink: Uint8Array | null;
  font: CheckedFont | NotShowable;
  /** Ids of contents; null when the document cannot be read. */
  'design-media': readonly string[] | null;
  /** Thumbnail as WebP; null when the document cannot be read. */
  'draw-design': Uint8Array | null;
}

export interface TaskMessage {
  readonly id: number;
  readonly task: Task;
}
export type ResultMessage =
  | { readonly id: number; readonly result: TaskResults[Task['do']] }
  | { readonly id: number; readonly error: string };

/**
 * Limit for pictures in megapixels, checked in the header before decoding. Small signage computers cannot decode more
 * (4 bytes per pixel), and no screen needs more: a wall of eight 4K panels has 66 megapixels.
 */
export const MAX_MEGAPIXELS = 80;
/** Limit for AVIF in megapixels. AVIF is decoded as a whole with about twenty bytes per pixel. 8K has 33 megapixels. */
export const MAX_AVIF_MEGAPIXELS = 36;
export const MEBIBYTE = 1024 * 1024;
/**
 * Limit of resident memory for the media process and for a process that extracts a video frame: the largest allowed
 * picture plus a third.
 */
export const MEMORY_LIMIT_MB = 1024;
export const THUMBNAIL_PIXELS = 480;

/** Error text for damaged files. Also used when ffmpeg finds no picture in a video (check-pictures.ts). */
export const NO_PICTURES =
  'This video is damaged: no image can be read from it. Use another copy, or export it again from the program that made it.';
