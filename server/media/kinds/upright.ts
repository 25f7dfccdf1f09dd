/**
 * Turns a picture upright when it is uploaded, so that every screen and program shows it alike: Chromium applies the
 * EXIF orientation of JPEG and PNG but ignores that of WebP. Runs in the media process. The upright picture is stored
 * and its SHA-256 is the name; the original file is not stored. The result is always the same, so the same file
 * uploaded again is stored once. A picture without an orientation is stored unchanged. Pictures stored by earlier
 * versions stay as they are: browsers show JPEG and PNG upright, and a WebP is turned when it is uploaded again. Two
 * formats are not turned: AVIF, whose rotation is part of the container, so that every decoder applies it (its EXIF is
 * ignored, and encoding takes minutes); and animated PNG, because the encoder would turn it into a still picture.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { Upright } from './inspection.ts';

/** Time limit in seconds per picture. A JPEG of 80 megapixels takes about five. */
const TURN_LIMIT_SEC = 30;
/** Encoding quality, 0 to 100. From 95 on no difference is visible at the distance of a screen. */
const QUALITY = 95;
/** Number of bytes at the beginning that contain the flags for a lossless WebP and an animated PNG. */
const HEAD_BYTES = 64 * 1024;

type Open = (options?: SharpOptions) => Promise<Sharp>;

/** Returns whether the file must be turned before it is stored. */
export const isTurned = ({ format, orientation }: Pick<Metadata, 'format' | 'orientation'>): boolean =>
  (orientation ?? 1) > 1 && (format === 'jpeg' || format === 'png' || format === 'webp');

/**
 * Writes the upright picture to a file beside the original and syncs it. Returns undefined when the file can be stored
 * unchanged.
 * @param openFile opens the file in a decoder
 */
export async function turnUpright(path: string, openFile: Open, header: Metadata): Promise<Upright | undefined> {
  const head = await headOf(path);
  if (header.format === 'png' && head.includes('acTL')) return undefined;
  const picture = (header.pages ?? 1) > 1 ? await turnFrames(openFile, header) : (await openFile()).autoOrient();
  const bytes = await encoded(picture, header, head).timeout({ seconds: TURN_LIMIT_SEC }).toBuffer();
  const target = `${path}.upright`;
  const file = await open(target, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
  return { path: target, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
}

const encoded = (picture: Sharp, header: Metadata, head: Buffer): Sharp => {
  // Drops the colour profile of a CMYK picture, because the result is written as RGB.
  const coloured = header.space === 'cmyk' ? picture : picture.keepIccProfile();
  switch (header.format) {
    case 'jpeg':
      return coloured.jpeg({
        quality: QUALITY,
        chromaSubsampling: header.chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
      });
    case 'png':
      return (header.depth === 'ushort' ? coloured.toColourspace('rgb16') : coloured).png();
    default:
      return coloured.webp({
        ...(head.includes('VP8L') ? { lossless: true } : { quality: QUALITY, smartSubsample: true }),
        effort: 2,
        ...(header.delay && { delay: header.delay }),
        ...(header.loop !== undefined && { loop: header.loop }),
      });
  }
};

/** Turns an animation frame by frame, because the encoder cannot turn it as a whole. */
const turnFrames = async (openFile: Open, { pages = 1 }: Metadata): Promise<Sharp> => {
  const frames: Buffer[] = [];
  for (let page = 0; page < pages; page++)
    frames.push(await (await openFile({ page })).autoOrient().png({ compressionLevel: 1 }).toBuffer());
  const { default: sharp } = await import('sharp');
  return sharp(frames, { join: { animated: true } });
};

const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
