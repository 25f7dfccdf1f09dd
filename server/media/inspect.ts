/** Looks into one file: kind, size in pixels, length, thumbnail. Runs in the media process, never in the server's. */
import { open, readFile } from 'node:fs/promises';
import type { Input } from 'mediabunny';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
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
import { MemoryBudget } from './memory.ts';
import { readMp4 } from './mp4-boxes.ts';
import { oggVideoCodec } from './ogg-streams.ts';
import { hasPdfEnd } from './pdf-end.ts';
import { firstPageOf, type PdfFault } from './pdf-picture.ts';
import { hasPictures, readAudioCodec, readVideoFormat } from './read-format.ts';
import { type Container, recognize, UNKNOWN } from './recognize.ts';
import { drawingInUtf8, outsidePicture, xmlText } from './svg-references.ts';
import { isTurned, turnUpright } from './upright.ts';
import { isWholeWebm } from './webm-elements.ts';

/** A drawing beyond this is a data dump, and takes a browser minutes. */
const MAX_SVG_BYTES = 16 * 1024 * 1024;
/** Seconds a decoder may take for a thumbnail. */
const DECODE_LIMIT_SEC = 20;
/** Reading a clip to its end to learn its length must not take longer. */
const MEASURE_LIMIT_MS = 15_000;

/**
 * Bytes a pixel while a picture is decoded, measured; of AVIF the planes, their conversion and the copy are there at
 * once.
 */
const PIXEL_BYTES = 6;
const AVIF_PIXEL_BYTES = 20;
/** Pictures are decoded side by side as long as together they take no more than this. */
const decoding = new MemoryBudget(720 * MEBIBYTE);

const still = { durationSec: null, format: null } as const;
const refused = (sentence: string): NotShowable => ({ refused: sentence });

/** @param name of the file, where there is one; it decides nothing, but says what damaged bytes were to be */
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
            'This video is incomplete: the index that players need (moov) is missing, as when a recording was broken off. Copy it again, or export it again from the program that made it.',
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
          ? `This file is named like a ${named} file and does not begin like one: it is damaged, or something else. Take another copy, or save it again in the program that made it.`
          : `The file is ${found.what}.`,
      );
    }
    case 'other':
      return refused(`The file is ${found.what}.`);
    default:
      return found satisfies never;
  }
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

/** What files with these endings are to be, by the name that people know. */
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

/** With what a whole picture ends, but for zeros that somebody filled it up with. */
const ENDS: Readonly<Record<string, Buffer>> = {
  'image/jpeg': Buffer.from([0xff, 0xd9]),
  'image/png': Buffer.from('IEND\xaeB`\x82', 'latin1'),
  'image/gif': Buffer.from(';'),
};
/** So many bytes at the end are looked at. */
const TAIL = 4096;

/** Says whether the end is missing. Decoders word their errors together with what else they decode at the moment. */
const isCutOff = async (source: string | Buffer, mime: string): Promise<boolean> => {
  if (typeof source !== 'string') return false;
  const file = await open(source);
  try {
    const { size } = await file.stat();
    const read = async (at: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL), 0, TAIL, at);
      return buffer.subarray(0, bytesRead);
    };
    // RIFF says in its head how long it is.
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

/** A thumbnail of a picture in memory. */
export const shrink = async (bytes: Uint8Array, pixels = THUMBNAIL_PIXELS): Promise<Uint8Array | null> => {
  const source = Buffer.from(bytes);
  const size = await sizeOf(source);
  return size && !refuseHuge(size) ? decoded(source, size, pixels).catch(() => null) : null;
};

interface Size {
  readonly width: number;
  readonly height: number;
  /** As the decoder calls it; a file of any name may be of any. */
  readonly format: string | undefined;
  readonly header: Metadata;
}

/**
 * Of the upright picture, from its header alone: nothing is decoded, so it needs no limit. Undefined: it cannot be
 * read.
 */
const sizeOf = async (source: string | Buffer): Promise<Size | undefined> => {
  // Not within the try: a machine without the decoder is no damaged file.
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

/** The library knows AVIF by its container. */
const isAvif = ({ format }: Pick<Size, 'format'>): boolean => format === 'heif' || format === 'avif';

const openPicture = async (source: string | Buffer, options: SharpOptions = {}): Promise<Sharp> => {
  const { default: sharp } = await import('sharp');
  // One picture = one thread: several at once are faster than several threads on each.
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
    `The image has ${Math.round(megapixels)} megapixels (${width} × ${height}); ${what} ${most}. A 4K screen needs 8: make it smaller.`,
  );
};

const inspectDrawing = async (bytes: Buffer): Promise<Inspected | NotShowable> => {
  const outside = outsidePicture(xmlText(bytes));
  if (outside !== undefined)
    return refused(
      `This SVG image shows another file (${outside.slice(0, 100)}), which screens do not load. Embed that image in the SVG, or save it as PNG.`,
    );
  // As bytes, not as a path: then the drawing cannot draw in other files of the folder it lies in.
  return inspectPicture(drawingInUtf8(bytes), 'image/svg+xml');
};

const inspectPicture = async (source: string | Buffer, mime: string): Promise<Inspected | NotShowable> => {
  const isSvg = mime === 'image/svg+xml';
  const size = await sizeOf(source);
  // Without a size there is hardly a head; only WebP says in it how long the file is.
  if (!size) return damagedPicture(mime, mime === 'image/webp' && (await isCutOff(source, mime)));
  const tooLarge = refuseHuge(size);
  // A drawing has no pixels until it is drawn.
  if (tooLarge && !isSvg) return tooLarge;
  let thumbnail: Uint8Array | null = null;
  try {
    // Beyond the limit the drawing's numbers are what the decoder refuses, before it draws.
    thumbnail = await decoded(source, size);
  } catch (error) {
    // Too slow is not damaged; a drawing's numbers may be beyond what this decoder draws though browsers do.
    if (!isSvg && !/timeout/i.test((error as Error).message)) return damagedPicture(mime, await isCutOff(source, mime));
  }
  const upright = typeof source === 'string' ? await uprightOf(source, size) : undefined;
  if (upright && 'refused' in upright) return upright;
  return { kind: 'image', mime, width: size.width, height: size.height, thumbnail, upright, ...still };
};

/** What is stored in place of a turned picture. Undefined: the picture is upright. */
const uprightOf = async (path: string, { width, height, header }: Size): Promise<Upright | NotShowable | undefined> => {
  if (!isTurned(header)) return undefined;
  const pixels = width * height * (header.pages ?? 1);
  if (pixels > MAX_MEGAPIXELS * 1_000_000)
    return refused(
      `This animation is stored turned and has too many frames (${header.pages}) to be turned here. Turn it in an image editor, save it and upload it again.`,
    );
  try {
    // The picture, its turned copy and the encoder’s.
    return await decoding.with(3 * pixels * PIXEL_BYTES, () =>
      turnUpright(path, (options) => openPicture(path, options), header),
    );
  } catch (error) {
    if (isDiskError(error)) throw error;
    return refused(
      'This image is stored turned and could not be turned here. Turn it in an image editor, save it and upload it again.',
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
  // Named one by one: the list of all formats has HLS in it, whose playlists name other files.
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
    // The picture's own length: sound that runs on by a fraction of a frame must not make a clip of 3 s one of 4.
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

/** Seconds, to the millisecond; null when the file does not tell in reasonable time. */
const measure = async (track: Measurable): Promise<number | null> => {
  const late = new Promise<null>((resolve) => setTimeout(resolve, MEASURE_LIMIT_MS, null).unref());
  // Some muxers let a clip begin a few milliseconds in, and count its end from zero.
  const exact = Promise.all([track.computeDuration(), track.getFirstTimestamp()])
    .then(([end, start]) => end - Math.max(0, start))
    .catch(() => null);
  const seconds = (await Promise.race([exact, late])) ?? (await track.getDurationFromMetadata().catch(() => null));
  return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) / 1000 : null;
};
