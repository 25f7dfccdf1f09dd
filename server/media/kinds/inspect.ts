/** Inspects a file: kind, size in pixels, length, thumbnail. Runs in the media process, never in the server process. */
import { open, readFile } from 'node:fs/promises';
import type { Input } from 'mediabunny';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';
import { MemoryBudget } from '../memory.ts';
import {
  type Inspected,
  MAX_AVIF_MEGAPIXELS,
  MAX_MEGAPIXELS,
  MEBIBYTE,
  NO_PICTURES,
  type NotShowable,
  THUMBNAIL_PIXELS,
  type Upright,
} from './inspection.ts';
import { isPlayableAudioCodec, isPlayableVideoCodec } from './media-types.ts';
import { readMp4 } from './mp4-boxes.ts';
import { oggVideoCodec } from './ogg-streams.ts';
import { hasPdfEnd } from './pdf-end.ts';
import { firstPageOf, type PdfFault } from './pdf-picture.ts';
import { hasPictures, readAudioCodec, readVideoFormat } from './read-format.ts';
import { type Container, recognize, UNKNOWN } from './recognize.ts';
import { drawingInUtf8, outsidePicture, xmlText } from './svg-references.ts';
import { isTurned, turnUpright } from './upright.ts';
import { isWholeWebm } from './webm-elements.ts';

/** Maximum size of an SVG in bytes. A larger SVG is a data dump and takes a browser minutes. */
const MAX_SVG_BYTES = 16 * 1024 * 1024;
/** Time limit in seconds for decoding a picture and making its thumbnail. */
const DECODE_LIMIT_SEC = 20;
/** Time limit in milliseconds for reading a clip to its end to measure its length. */
const MEASURE_LIMIT_MS = 15_000;

/**
 * Measured bytes per pixel while a picture is decoded. AVIF needs its planes, their conversion and a copy at the same
 * time.
 */
const PIXEL_BYTES = 6;
const AVIF_PIXEL_BYTES = 20;
/** Memory limit in bytes. Pictures are decoded in parallel as long as their total memory stays below the limit. */
const decoding = new MemoryBudget(720 * MEBIBYTE);

const still = { durationSec: null, format: null } as const;
const refused = (sentence: string): NotShowable => ({ refused: sentence });

/**
 * @param name name of the file, if known. It decides nothing, but error messages use it to name the expected format of
 * damaged bytes
 */
export const inspect = async (path: string, size: number, name = ''): Promise<Inspected | NotShowable> => {
  if (size === 0) return refused('The file is empty (0 bytes). Copy it again from its source, then upload it.');
  const found = await recognize(path);
  switch (found.as) {
    case 'pdf': {
      const page = (await hasPdfEnd(path, size)) ? await firstPageOf(path, size) : 'cut';
      if (typeof page === 'string') return refused(PDF_FAULTS[page]);
      const thumbnail = page && (await shrink(page));
      return { kind: 'pdf', mime: 'application/pdf', width: null, height: null, thumbnail, ...still };
    }
    case 'design':
      return inspectDesign(path, size);
    case 'picture':
      return inspectPicture(path, found.mime);
    case 'svg':
      if (size > MAX_SVG_BYTES) return refused('The drawing is larger than 16 MB; save it as PNG.');
      return inspectDrawing(await readFile(path));
    case 'bmp': {
      const tooLarge = refuseHuge(found);
      return (
        tooLarge ?? {
          kind: 'image',
          mime: 'image/bmp',
          width: found.width,
          height: found.height,
          thumbnail: null,
          ...still,
        }
      );
    }
    case 'container':
      if (found.container === 'mp4' || found.container === 'quicktime') {
        const { whole, index } = await readMp4(path, size);
        if (!whole)
          return refused(
            'This video is incomplete: its end is missing. Copy it again from its source, then upload it.',
          );
        if (!index)
          return refused(
            'This video is incomplete: its index (moov) is missing, for example because the recording was interrupted. Copy the video again, or export it again from the program that made it.',
          );
      }
      if ((found.container === 'webm' || found.container === 'matroska') && !(await isWholeWebm(path, size)))
        return refused('This video is incomplete: its end is missing. Copy it again from its source, then upload it.');
      if (found.container === 'ogg') {
        const codec = await oggVideoCodec(path);
        if (codec) return refused(unplayableCodec(codec));
      }
      return inspectContainer(path, found.container);
    case 'unknown': {
      const named = FORMATS[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
      return refused(
        named && found.what === UNKNOWN
          ? `This file has the name of a ${named} file, but its content is not: the file is damaged or of another type. Use another copy, or save the file again in the program that made it.`
          : `The file is ${found.what}.`,
      );
    }
    case 'other':
      return refused(`The file is ${found.what}.`);
    default:
      return found satisfies never;
  }
};

/** The thumbnail is drawn later, when the pictures of the design are known (features/designs). */
const inspectDesign = async (path: string, size: number): Promise<Inspected | NotShowable> => {
  // Loaded on first use, because the media process needs no schemas for other files.
  const { mediaOf, readDesign, MAX_DESIGN_BYTES, tooLarge } = await import('../../../shared/design/read-design.ts');
  if (size > MAX_DESIGN_BYTES) return { refused: tooLarge, isInvalid: true };
  const read = readDesign(await readFile(path, 'utf8'));
  if ('refused' in read) return { refused: read.refused, isInvalid: true };
  const shows = mediaOf(read.design);
  return { kind: 'design', mime: DESIGN_TYPE, width: null, height: null, thumbnail: null, shows, ...still };
};

const PDF_FAULTS: Readonly<Record<PdfFault | 'cut', string>> = {
  locked: 'This PDF is protected by a password. Save it without the password, then upload it.',
  damaged:
    'This PDF is damaged and cannot be opened. Use another copy, or export it again from the program that made it.',
  empty: 'This PDF has no pages. Export it again from the program that made it.',
  cut: 'This PDF is incomplete: its end is missing. Copy it again from its source, then upload it.',
};

const unplayableCodec = (codec: string): string =>
  `Screens cannot play this video’s codec (${codec}); convert it to MP4 with H.264.`;

/** Names of formats by file extension, for error messages. */
const FORMATS: Readonly<Record<string, string>> = {
  jpg: 'JPEG',
  jpeg: 'JPEG',
  png: 'PNG',
  gif: 'GIF',
  webp: 'WebP',
  avif: 'AVIF',
  bmp: 'BMP',
  svg: 'SVG',
  pdf: 'PDF',
  mp4: 'MP4',
  m4v: 'MP4',
  mov: 'MOV',
  webm: 'WebM',
  mkv: 'Matroska',
  mp3: 'MP3',
  m4a: 'M4A',
  aac: 'AAC',
  wav: 'WAV',
  flac: 'FLAC',
  ogg: 'Ogg',
};

/** For each format, the last bytes of a complete picture. Zeros may follow them. */
const ENDS: Readonly<Record<string, Buffer>> = {
  'image/jpeg': Buffer.from([0xff, 0xd9]),
  'image/png': Buffer.from('IEND\xaeB`\x82', 'latin1'),
  'image/gif': Buffer.from(';'),
};
/** Number of bytes at the end of the file that are examined. */
const TAIL = 4096;

/**
 * Returns whether the end of the file is missing. The errors of decoders are not used for this, because they include
 * errors of other files decoded at the same time.
 */
const isCutOff = async (source: string | Buffer, mime: string): Promise<boolean> => {
  if (typeof source !== 'string') return false;
  const file = await open(source);
  try {
    const { size } = await file.stat();
    const read = async (at: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL), 0, TAIL, at);
      return buffer.subarray(0, bytesRead);
    };
    // The header of a RIFF file (WebP) contains the length of the file, so a shorter file is truncated.
    if (mime === 'image/webp') return (await read(0)).readUInt32LE(4) + 8 > size;
    const end = ENDS[mime];
    if (!end) return false;
    const tail = await read(Math.max(0, size - TAIL));
    const length = tail.findLastIndex((byte) => byte !== 0) + 1;
    return !tail.subarray(Math.max(0, length - end.length), length).equals(end);
  } finally {
    await file.close();
  }
};

const damagedPicture = (mime: string, isCut: boolean): NotShowable => {
  const format = FORMATS[mime.split('/')[1]!.split('+')[0]!] ?? '';
  return refused(
    isCut
      ? `This ${format} image is incomplete: its end is missing. Copy it again from its source, then upload it.`
      : `This ${format} image is damaged and cannot be opened. Use another copy, or open it in an image editor and save it again.`,
  );
};

/** Returns the thumbnail of a picture that is in memory. */
export const shrink = async (bytes: Uint8Array, pixels = THUMBNAIL_PIXELS): Promise<Uint8Array | null> => {
  const source = Buffer.from(bytes);
  const size = await sizeOf(source);
  return size && !refuseHuge(size) ? decoded(source, size, pixels).catch(() => null) : null;
};

interface Size {
  readonly width: number;
  readonly height: number;
  /** Format according to the decoder, regardless of the file name. */
  readonly format: string | undefined;
  readonly header: Metadata;
}

/**
 * Returns the size of the upright picture from its header. The header alone needs little memory, so the limits for
 * decoding do not apply. Undefined when the header cannot be read.
 */
const sizeOf = async (source: string | Buffer): Promise<Size | undefined> => {
  // Loads the decoder outside of the try block: if the decoder is missing, the file must not be reported as damaged.
  const header = await openPicture(source, { limitInputPixels: false });
  try {
    const metadata = await header.metadata();
    return { ...metadata.autoOrient, format: metadata.format, header: metadata };
  } catch {
    return undefined;
  }
};

const decoded = (source: string | Buffer, size: Size, pixels?: number): Promise<Uint8Array> =>
  decoding.with(size.width * size.height * (isAvif(size) ? AVIF_PIXEL_BYTES : PIXEL_BYTES), async () =>
    toThumbnail(await openPicture(source), pixels),
  );

/** Accepts both names, because the library reports AVIF as `heif`, its container format. */
const isAvif = ({ format }: Pick<Size, 'format'>): boolean => format === 'heif' || format === 'avif';

const openPicture = async (source: string | Buffer, options: SharpOptions = {}): Promise<Sharp> => {
  const { default: sharp } = await import('sharp');
  // Uses one thread per picture, because decoding several pictures in parallel is faster than decoding one picture on
  // several threads.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp(source, { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'truncated', ...options });
};

const toThumbnail = async (image: Sharp, pixels = THUMBNAIL_PIXELS): Promise<Uint8Array> =>
  image
    .autoOrient()
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: DECODE_LIMIT_SEC })
    .webp({ quality: 78, effort: 0 })
    .toBuffer();

const refuseHuge = (size: Pick<Size, 'width' | 'height'> & Partial<Size>): NotShowable | undefined => {
  const { width, height, format } = size;
  const megapixels = (width * height) / 1_000_000;
  const most = isAvif({ format }) ? MAX_AVIF_MEGAPIXELS : MAX_MEGAPIXELS;
  if (megapixels <= most) return undefined;
  const what = isAvif({ format }) ? 'for AVIF images the limit is' : 'screens can show at most';
  return refused(
    `The image has ${Math.round(megapixels)} megapixels (${width} × ${height}); ${what} ${most}. A 4K screen needs 8: make the image smaller.`,
  );
};

const inspectDrawing = async (bytes: Buffer): Promise<Inspected | NotShowable> => {
  const outside = outsidePicture(xmlText(bytes));
  if (outside !== undefined)
    return refused(
      `This SVG image refers to another file (${outside.slice(0, 100)}), which screens do not load. Embed that file in the SVG image, or save the image as PNG.`,
    );
  // Passed as bytes instead of a path, so that the SVG cannot load other files from its folder.
  return inspectPicture(drawingInUtf8(bytes), 'image/svg+xml');
};

const inspectPicture = async (source: string | Buffer, mime: string): Promise<Inspected | NotShowable> => {
  const isSvg = mime === 'image/svg+xml';
  const size = await sizeOf(source);
  // When the decoder reports no size, the header is unreadable. Only a WebP file can then still be checked for
  // truncation, by the length in its first bytes.
  if (!size) return damagedPicture(mime, mime === 'image/webp' && (await isCutOff(source, mime)));
  const tooLarge = refuseHuge(size);
  // An SVG above the limit is accepted, because it has no pixels until it is rendered.
  if (tooLarge && !isSvg) return tooLarge;
  let thumbnail: Uint8Array | null = null;
  try {
    // The decoder refuses an SVG above the pixel limit before rendering. The SVG then gets no thumbnail.
    thumbnail = await decoded(source, size);
  } catch (error) {
    // A timeout does not mean that the file is damaged. An SVG may be too large for this decoder and still work in a
    // browser.
    if (!isSvg && !/timeout/i.test((error as Error).message)) return damagedPicture(mime, await isCutOff(source, mime));
  }
  const upright = typeof source === 'string' ? await uprightOf(source, size) : undefined;
  if (upright && 'refused' in upright) return upright;
  return { kind: 'image', mime, width: size.width, height: size.height, thumbnail, upright, ...still };
};

/** Returns the upright copy to store instead of a rotated picture; undefined when the picture is upright. */
const uprightOf = async (path: string, { width, height, header }: Size): Promise<Upright | NotShowable | undefined> => {
  if (!isTurned(header)) return undefined;
  const pixels = width * height * (header.pages ?? 1);
  if (pixels > MAX_MEGAPIXELS * 1_000_000)
    return refused(
      `This animation is rotated, and it has too many frames (${header.pages}) for the server to turn it upright. Rotate the animation in an image editor, then upload it again.`,
    );
  try {
    // Memory in bytes for the picture, its upright copy and the encoder’s copy.
    return await decoding.with(3 * pixels * PIXEL_BYTES, () =>
      turnUpright(path, (options) => openPicture(path, options), header),
    );
  } catch (error) {
    if (isDiskError(error)) throw error;
    return refused(
      'This image is rotated, and the server could not turn it upright. Rotate the image in an image editor, then upload it again.',
    );
  }
};

const isDiskError = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).syscall === 'string';

const VIDEO_MIME: Partial<Record<Container, string>> = {
  mp4: 'video/mp4',
  quicktime: 'video/quicktime',
  webm: 'video/webm',
  matroska: 'video/x-matroska',
};
const AUDIO_MIME: Record<Container, string> = {
  mp4: 'audio/mp4',
  quicktime: 'audio/mp4',
  webm: 'audio/webm',
  matroska: 'audio/webm',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  flac: 'audio/flac',
};

const UNPLAYABLE =
  'This video or audio file is damaged and cannot be played. Use another copy, or export it again from the program that made it.';

const inspectContainer = async (path: string, container: Container): Promise<Inspected | NotShowable> => {
  const { ADTS, FLAC, FilePathSource, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } = await import('mediabunny');
  // The formats are listed individually, because the list of all formats includes HLS, whose playlists refer to other
  // files.
  const formats = [MP4, QTFF, WEBM, MATROSKA, OGG, WAVE, MP3, ADTS, FLAC];
  const input = new Input({ formats, source: new FilePathSource(path, { handleUnhandledError: () => {} }) });
  try {
    return await inspectTracks(input, container);
  } catch {
    return refused(UNPLAYABLE);
  } finally {
    input.dispose();
  }
};

const inspectTracks = async (input: Input, container: Container): Promise<Inspected | NotShowable> => {
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const videoMime = VIDEO_MIME[container];
  if (video && videoMime) {
    const codec = await video.getCodec();
    if (!isPlayableVideoCodec(codec))
      return refused(unplayableCodec(codec ?? String((await video.getInternalCodecId()) ?? 'unknown')));
    const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
    const tooLarge = refuseHuge({ width, height });
    if (tooLarge) return tooLarge;
    // Uses the length of the video track. Sound that is longer by a fraction of a frame must not turn a clip of 3 s
    // into a clip of 4 s.
    const durationSec = await measure(video);
    if (!(await hasPictures(video, durationSec))) return refused(NO_PICTURES);
    const format = { ...(await readVideoFormat(video, audio)), duration_sec: durationSec };
    return { kind: 'video', mime: videoMime, width, height, durationSec, format, thumbnail: null };
  }
  if (!audio) return refused(container === 'mp3' || container === 'aac' ? `The file is ${UNKNOWN}.` : UNPLAYABLE);
  const codec = await audio.getCodec();
  if (!isPlayableAudioCodec(codec))
    return refused(`Screens cannot play the codec of this audio file (${codec ?? 'unknown'}); convert it to MP3.`);
  const durationSec = await measure(audio);
  return {
    kind: 'audio',
    mime: AUDIO_MIME[container],
    width: null,
    height: null,
    durationSec,
    format: { video: null, audio: await readAudioCodec(audio), duration_sec: durationSec },
    thumbnail: null,
  };
};

interface Measurable {
  getDurationFromMetadata(): Promise<number | null>;
  computeDuration(): Promise<number>;
  getFirstTimestamp(): Promise<number>;
}

/** Returns the length in seconds, rounded to milliseconds; null when it cannot be measured in time. */
const measure = async (track: Measurable): Promise<number | null> => {
  const late = new Promise<null>((resolve) => setTimeout(resolve, MEASURE_LIMIT_MS, null).unref());
  // Some programs start a clip a few milliseconds after zero but count its length from zero.
  const exact = Promise.all([track.computeDuration(), track.getFirstTimestamp()])
    .then(([end, start]) => end - Math.max(0, start))
    .catch(() => null);
  const seconds = (await Promise.race([exact, late])) ?? (await track.getDurationFromMetadata().catch(() => null));
  return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) / 1000 : null;
};
