/**
 * Checks an uploaded font: TrueType, OpenType or WOFF2. Runs in the media process. The checks follow the sanitizer of
 * browsers: a font must be complete, its tables must lie within the file and match their checksums, and every glyph must
 * be readable. Browsers check a font again before they use it.
 */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { CheckedFont, NotShowable } from '../kinds/inspection.ts';

/** Largest file in bytes. A font with all Chinese characters that a shop needs takes about 4 MB as WOFF2. */
export const MAX_FONT_BYTES = 5 * 1024 * 1024;
/** Largest size in bytes after decompression of WOFF2. */
const MAX_UNPACKED_BYTES = 30 * 1024 * 1024;
/** A format with more glyphs does not exist for one script; each glyph costs time at every start of a screen. */
const MAX_GLYPHS = 40_000;
const MAX_TABLES = 64;
const REQUIRED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post'];

const refused = (sentence: string): NotShowable => ({ refused: sentence });
const DAMAGED = 'This font is damaged. Use another copy, or export it again from the program that made it.';

const FORMATS: Readonly<Record<string, CheckedFont['mime']>> = {
  '\0\x01\0\0': 'font/ttf',
  true: 'font/ttf',
  OTTO: 'font/otf',
  wOF2: 'font/woff2',
};

/** Returns what the font contains, or a sentence that says what is wrong and what to do. */
export const checkFont = async (path: string, size: number): Promise<CheckedFont | NotShowable> => {
  if (size > MAX_FONT_BYTES)
    return refused(
      `The font has ${Math.ceil(size / 1024 / 1024)} MB; at most 5 MB are allowed. Use WOFF2, or fewer scripts.`,
    );
  const bytes = await readFile(path);
  const begin = bytes.toString('latin1', 0, 4);
  if (begin === 'ttcf') return refused('This file is a collection of fonts. Upload one font as TTF, OTF or WOFF2.');
  if (begin === 'wOFF') return refused('This font is a WOFF file. Upload it as WOFF2, TTF or OTF.');
  const mime = FORMATS[begin];
  if (!mime) return refused('This file is not a font. Upload a font as WOFF2, TTF or OTF.');
  const isWhole = mime === 'font/woff2' ? await isWholeWoff2(bytes) : hasSoundTables(bytes);
  return isWhole ? readGlyphs(bytes, mime) : refused(DAMAGED);
};

/** Returns whether the tables of a TrueType or OpenType file are complete, apart, and match their checksums. */
const hasSoundTables = (bytes: Buffer): boolean => {
  if (bytes.length < 12) return false;
  const count = bytes.readUInt16BE(4);
  const end = 12 + count * 16;
  if (count === 0 || count > MAX_TABLES || end > bytes.length) return false;
  const tables = Array.from({ length: count }, (_, i) => {
    const at = 12 + i * 16;
    return {
      tag: bytes.toString('latin1', at, at + 4),
      sum: bytes.readUInt32BE(at + 4),
      offset: bytes.readUInt32BE(at + 8),
      length: bytes.readUInt32BE(at + 12),
    };
  }).sort((a, b) => a.offset - b.offset);
  let free = end;
  for (const { tag, sum, offset, length } of tables) {
    if (offset < free || offset % 4 !== 0 || offset + length > bytes.length) return false;
    free = offset + length;
    if (checksum(bytes, offset, length, tag === 'head') !== sum) return false;
  }
  return hasRequired(tables.map(({ tag }) => tag));
};

const hasRequired = (tags: readonly string[]): boolean =>
  new Set(tags).size === tags.length &&
  REQUIRED.every((tag) => tags.includes(tag)) &&
  (['glyf', 'loca'].every((tag) => tags.includes(tag)) || tags.includes('CFF ') || tags.includes('CFF2'));

/** Returns the sum of the 32-bit words of a table. The head table is summed without the checksum of the whole file. */
const checksum = (bytes: Buffer, offset: number, length: number, isHead: boolean): number => {
  let sum = 0;
  for (let i = 0; i < length; i += 4) {
    if (isHead && i === 8) continue;
    let word = 0;
    for (let b = 0; b < 4; b++) word = word * 256 + (i + b < length ? bytes[offset + i + b]! : 0);
    sum = (sum + word) % 0x1_0000_0000;
  }
  return sum;
};

/** Tags of tables that WOFF2 stores as an index. https://www.w3.org/TR/WOFF2/#table_dir_format */
const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.replace('_', ' '));

/** Returns whether a WOFF2 file has the lengths that its header states, before a parser decompresses the file. */
const isWholeWoff2 = async (bytes: Buffer): Promise<boolean> => {
  if (bytes.length < 48 || bytes.readUInt32BE(8) !== bytes.length) return false;
  const [count, unpacked, packed] = [bytes.readUInt16BE(12), bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (count === 0 || count > MAX_TABLES || unpacked > MAX_UNPACKED_BYTES) return false;
  const directory = readWoff2Directory(bytes, count);
  if (!directory || directory.end + packed > bytes.length || !hasRequired(directory.tags)) return false;
  if (directory.length > MAX_UNPACKED_BYTES) return false;
  try {
    const data = bytes.subarray(directory.end, directory.end + packed);
    const whole = await promisify(brotliDecompress)(data, { maxOutputLength: directory.length + 1 });
    return whole.length === directory.length;
  } catch {
    return false;
  }
};

interface Woff2Directory {
  readonly tags: readonly string[];
  /** Sum of the lengths of all tables as they are compressed. */
  readonly length: number;
  /** Offset of the compressed data. */
  readonly end: number;
}

const readWoff2Directory = (bytes: Buffer, count: number): Woff2Directory | undefined => {
  let at = 48;
  const number = (): number => {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = bytes[at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return Number.POSITIVE_INFINITY;
  };
  const tags: string[] = [];
  let length = 0;
  for (let i = 0; i < count; i++) {
    const flags = bytes[at++] ?? 0;
    const tag = (flags & 63) === 63 ? bytes.toString('latin1', at, (at += 4)) : KNOWN_TAGS[flags & 63]!;
    const original = number();
    const isOutline = tag === 'glyf' || tag === 'loca';
    // Version 3 means "not transformed" for outlines, version 0 for other tables.
    const isTransformed = isOutline ? flags >> 6 !== 3 : flags >> 6 !== 0;
    length += isTransformed ? number() : original;
    tags.push(tag);
  }
  return at <= bytes.length && Number.isSafeInteger(length) ? { tags, length, end: at } : undefined;
};

/** Reads every glyph with a parser, and the name. */
const readGlyphs = async (bytes: Buffer, mime: CheckedFont['mime']): Promise<CheckedFont | NotShowable> => {
  // Loaded on first use, because the media process needs no fonts for other files.
  const { create } = await import('fontkit');
  try {
    const font = create(bytes);
    if (!('getGlyph' in font)) return refused(DAMAGED);
    if (font.numGlyphs > MAX_GLYPHS)
      return refused(
        `The font has ${font.numGlyphs} characters; at most ${MAX_GLYPHS} are allowed. Use fewer scripts.`,
      );
    if (font.numGlyphs === 0 || font.characterSet.length === 0 || !(font.unitsPerEm >= 16 && font.unitsPerEm <= 16_384))
      return refused(DAMAGED);
    for (let glyph = 0; glyph < font.numGlyphs; glyph++) {
      const { path, advanceWidth } = font.getGlyph(glyph);
      if (!Number.isFinite(advanceWidth) || path.commands.some(({ args }) => !args.every(Number.isFinite)))
        return refused(DAMAGED);
    }
    return { name: String(font.familyName ?? '').slice(0, 120), mime, glyphs: font.numGlyphs };
  } catch {
    return refused(DAMAGED);
  }
};
