/** Real media files for tests, made by sharp and ffmpeg once per process. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const made = new Map<string, Buffer>();
const once = async (key: string, make: () => Promise<Buffer> | Buffer): Promise<Buffer> => {
  const found = made.get(key) ?? (await make());
  made.set(key, found);
  return found;
};

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2266aa' } });

/** Creates a photo of one colour. */
export const jpegOf = (background: string, width = 320, height = 180): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

export const jpeg = (width = 640, height = 480, orientation?: number) =>
  once(`jpeg ${width} ${height} ${orientation}`, () =>
    canvas(width, height)
      .withMetadata(orientation === undefined ? {} : { orientation })
      .jpeg()
      .toBuffer(),
  );
export const png = (width = 64, height = 48) =>
  once(`png ${width} ${height}`, () => canvas(width, height).png().toBuffer());
export const picture = (format: 'webp' | 'avif' | 'gif' | 'tiff') =>
  once(format, () => canvas(64, 48).toFormat(format).toBuffer());

/** Runs ffmpeg with these arguments. The extension of the file names the container format. */
export const clip = (extension: string, args: string): Promise<Buffer> =>
  once(`${extension} ${args}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-clip-'));
    try {
      const file = join(folder, `clip.${extension}`);
      execFileSync('ffmpeg', ['-v', 'error', '-y', ...args.split(' '), file], { stdio: ['ignore', 'ignore', 'pipe'] });
      return readFileSync(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

const PICTURE = '-f lavfi -i testsrc=s=320x180:r=25:d=3';
const TONE = '-f lavfi -i sine=d=3';
/** A clip of 3 seconds, 320 × 180 pixels, with sound that is slightly longer. */
export const mp4 = () => clip('mp4', `${PICTURE} ${TONE} -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart`);
export const mov = () => clip('mov', `${PICTURE} -c:v libx264 -pix_fmt yuv420p`);
export const mkv = () => clip('mkv', `${PICTURE} ${TONE} -c:v libx264 -pix_fmt yuv420p -c:a aac`);
export const webm = () => clip('webm', `${PICTURE} -c:v libvpx -b:v 200k`);
export const mp3 = () => clip('mp3', TONE);
export const svg = (body = '<rect width="50" height="50"/>') =>
  Buffer.from(
    `<?xml version="1.0"?>\n<!-- a drawing -->\n<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">${body}</svg>`,
  );
