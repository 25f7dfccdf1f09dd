import { execFileSync } from 'node:child_process';
import sharp from 'sharp';

/** Creates a photo of 12 megapixels in one colour. @returns its path */
export const photo12Mp = async (path: string, [r, g, b]: readonly [number, number, number]): Promise<string> => {
  await sharp({ create: { width: 4000, height: 3000, channels: 3, background: { r, g, b } } })
    .jpeg({ quality: 90 })
    .toFile(path);
  return path;
};

/** Creates a moving H.264 clip of 640 × 360 at 25 frames per second. @returns its path */
export const clipMp4 = (path: string, seconds: number): string => {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=640x360:rate=25:duration=${seconds}`,
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    path,
  ]);
  return path;
};
