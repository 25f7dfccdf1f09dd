/**
 * Turns a picture upright once, when it is taken in, so that every screen and program shows it alike: Chromium honours
 * the EXIF orientation of JPEG and PNG and ignores the orientation of WebP. Runs in the media process.
 *
 * What is stored, and what its SHA-256 names, is the upright picture: the file as it was sent is not kept. The same
 * file sent again gives the same bytes, and is stored once. A picture without an orientation is stored as it was sent.
 * Pictures that were stored before stay as they are: JPEG and PNG are shown upright by the browser, a WebP is turned
 * when it is uploaded again.
 *
 * Not turned here: AVIF, whose rotation is part of the container, so that every decoder applies it (its EXIF counts
 * nowhere, and encoding takes minutes); an animated PNG, which the encoder would make a still.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { Upright } from './inspection.ts';

/** Seconds for one picture; of 80 megapixels a JPEG takes about five. */
const TURN_LIMIT_SEC = 30;
/** Of 100; from here on nobody sees a difference at the distance of a screen. */
const QUALITY = 95;
/** Bytes in which a WebP says whether it is lossless, and a PNG whether it moves. */
const HEAD_BYTES = 64 * 1024;

type Open = (options?: SharpOptions) => Promise<Sharp>;

/** Whether the file is to be turned before it is stored. */
export const isTurned = ({ format, orientation }: Pick<Metadata, 'format' | 'orientation'>): boolean =>
  (orientation ?? 1) > 1 && (format === 'jpeg' || format === 'png' || format === 'webp');

/**
 * Writes the upright picture beside the file, synced. Returns undefined when the file stays as it is.
 *
 * @param openFile a decoder on the file
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
  // A profile of four inks does not describe the picture that is written.
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

/** The encoder cannot turn an animation, only its frames. */
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
