/** Generates real files for the page, and reads the pixels that it shows. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

export type Rgb = readonly [red: number, green: number, blue: number];

export const RED: Rgb = [220, 30, 40];
export const GREEN: Rgb = [20, 170, 70];
export const BLUE: Rgb = [30, 60, 210];
export const YELLOW: Rgb = [240, 210, 30];
export const BLACK: Rgb = [0, 0, 0];

const fill = ([r, g, b]: Rgb): { r: number; g: number; b: number } => ({ r, g, b });

export const plainJpeg = (colour: Rgb, width = 1920, height = 1080): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: fill(colour) } })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** Makes a picture with four colours: red top left, green top right, blue bottom left, yellow bottom right. */
export async function quarters(width: number, height: number): Promise<Buffer> {
  const part = (colour: Rgb): Promise<Buffer> =>
    sharp({ create: { width: width / 2, height: height / 2, channels: 3, background: fill(colour) } })
      .png()
      .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: fill(BLACK) } })
    .composite([
      { input: await part(RED), left: 0, top: 0 },
      { input: await part(GREEN), left: width / 2, top: 0 },
      { input: await part(BLUE), left: 0, top: height / 2 },
      { input: await part(YELLOW), left: width / 2, top: height / 2 },
    ])
    .png()
    .toBuffer();
}

/** Makes a clip with ffmpeg; null on a machine without ffmpeg. VP9, which every Chromium decodes. */
export function clip(source: string, seconds: number): Buffer | null {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-clip-'));
  try {
    const file = join(folder, 'clip.webm');
    const args = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      source,
      '-t',
      String(seconds),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-pix_fmt',
      'yuv420p',
      file,
    ];
    return spawnSync('ffmpeg', args).status === 0 ? readFileSync(file) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Rgb;
}

export async function picture(image: Buffer): Promise<Picture> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => {
      const offset = (Math.round(y) * info.width + Math.round(x)) * info.channels;
      return [data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0];
    },
  };
}

export const distance = (a: Rgb, b: Rgb): number =>
  Math.max(...a.map((value, channel) => Math.abs(value - (b[channel] ?? 0))));
