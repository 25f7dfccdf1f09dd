/**
 * Detects the type of a file by its first bytes, regardless of its name and the type that the client sent. Runs in the
 * media process.
 */
import { open } from 'node:fs/promises';
import { xmlText } from './svg-references.ts';

type Recognized =
  | { readonly as: 'picture'; readonly mime: string }
  | { readonly as: 'svg' }
  | { readonly as: 'bmp'; readonly width: number; readonly height: number }
  | { readonly as: 'pdf' }
  /** A container of video or audio. Its tracks decide whether it is video or audio. */
  | { readonly as: 'container'; readonly container: Container }
  | { readonly as: 'other'; readonly what: string }
  /** Result: the first bytes match no known type. */
  | { readonly as: 'unknown'; readonly what: string };

export type Container = 'mp4' | 'quicktime' | 'webm' | 'matroska' | 'ogg' | 'wav' | 'mp3' | 'aac' | 'flac';

const PICTURES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  // An animated PNG is treated as a PNG, as browsers do.
  'image/apng': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
  'image/avif': 'image/avif',
};

const CONTAINERS: Readonly<Record<string, Container>> = {
  'video/mp4': 'mp4',
  'video/x-m4v': 'mp4',
  'audio/x-m4a': 'mp4',
  'audio/mp4': 'mp4',
  'video/3gpp': 'mp4',
  'video/3gpp2': 'mp4',
  'video/quicktime': 'quicktime',
  'video/webm': 'webm',
  'video/matroska': 'matroska',
  'video/x-matroska': 'matroska',
  'audio/webm': 'webm',
  'audio/matroska': 'matroska',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
  'application/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
};

/** Number of bytes to read. Enough for every header below and for the prolog of an SVG. */
const HEAD_BYTES = 64 * 1024;

export const recognize = async (path: string): Promise<Recognized> => {
  const head = await readHead(path);
  if (head.subarray(0, 1024).includes('%PDF-')) return { as: 'pdf' };
  const bmp = readBmp(head);
  if (bmp) return { as: 'bmp', ...bmp };
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head).catch(() => undefined);
  const mime = type?.mime ?? '';
  const picture = PICTURES[mime];
  if (picture) return { as: 'picture', mime: picture };
  const container = CONTAINERS[mime] ?? CONTAINERS[mime.split(';')[0]!];
  if (container) return { as: 'container', container };
  if (isSvg(head)) return { as: 'svg' };
  const what = nameOf(mime, type?.ext, head);
  return { as: what === UNKNOWN || what === TEXT ? 'unknown' : 'other', what };
};

const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Reads a BMP header. file-type accepts any file that starts with "BM", so the header size is also checked. */
const readBmp = (head: Buffer): { width: number; height: number } | undefined => {
  if (
    head.length < 54 ||
    head.toString('latin1', 0, 2) !== 'BM' ||
    ![40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))
  )
    return undefined;
  const width = head.readInt32LE(18);
  // A negative height means that rows are stored from top to bottom, so the absolute value is used.
  const height = Math.abs(head.readInt32LE(22));
  return width > 0 && height > 0 ? { width, height } : undefined;
};

/**
 * Returns whether the root element is svg, after byte order mark, declaration, comments and doctype. Browsers do not
 * accept compressed SVG (svgz) without HTTP compression.
 */
const isSvg = (head: Buffer): boolean => {
  const text = xmlText(head);
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + 4096))![0].length;
    const end = text.startsWith('<?', at)
      ? '?>'
      : text.startsWith('<!--', at)
        ? '-->'
        : /^<!doctype\s+svg/i.test(text.slice(at, at + 40))
          ? 'doctype'
          : null;
    if (end === null) return /^<(svg|svg:svg)[\s>/]/.test(text.slice(at, at + 10));
    at = end === 'doctype' ? endOfDoctype(text, at) : text.indexOf(end, at) + end.length;
    if (at < 8) return false;
  }
};

/** Returns the end of a doctype, whose internal subset in brackets may contain `>`; -1 when no end was found. */
const endOfDoctype = (text: string, from: number): number => {
  const close = text.indexOf('>', from);
  const bracket = text.indexOf('[', from);
  if (bracket < 0 || bracket > close) return close < 0 ? -1 : close + 1;
  const end = /\]\s*>/.exec(text.slice(bracket));
  return end ? bracket + end.index + end[0].length : -1;
};

const TEXT = 'text; put it into a text widget, or save it as PDF';
export const UNKNOWN = 'of an unknown type; save it as JPEG, PNG, MP4 or PDF';
const nameOf = (mime: string, ext: string | undefined, head: Buffer): string => {
  if (mime === 'image/heic' || mime === 'image/heif' || mime.startsWith('image/hei'))
    return 'a HEIC image, which no screen can show; save it as JPEG';
  if (mime === 'image/tiff') return 'a TIFF image, which no screen can show; save it as PNG or JPEG';
  if (mime.startsWith('image/')) return `an image of a type that no screen can show (${ext}); save it as PNG or JPEG`;
  if (mime.startsWith('video/'))
    return `a video of a type that no screen can play (${ext}); convert it to MP4 with H.264`;
  if (mime.startsWith('audio/')) return `an audio file of a type that no screen can play (${ext}); convert it to MP3`;
  if (ext === 'docx' || ext === 'pptx' || ext === 'xlsx' || ext === 'odp' || ext === 'odt' || ext === 'cfb')
    return `an office document (${ext}); save it as PDF`;
  if (ext) return `of type ${ext}, which no screen can show; save it as JPEG, PNG, MP4 or PDF`;
  const isText =
    head.length > 0 &&
    !head.subarray(0, 4096).includes(0) &&
    !head.toString('utf8', 0, 4096).slice(0, -4).includes('\uFFFD');
  if (isText)
    return /^\s*(<!doctype html|<html)/i.test(head.toString('utf8', 0, 1024))
      ? 'a web page; add it by its address instead'
      : TEXT;
  return UNKNOWN;
};
