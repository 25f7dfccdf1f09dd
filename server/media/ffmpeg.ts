/**
 * Extracts a frame of a video with ffmpeg in a child process. Runs ffmpeg without a shell, and passes it no text from a
 * client.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { unavailable } from '../kernel/threads/starting.ts';
import { MAX_MEGAPIXELS, THUMBNAIL_PIXELS } from './kinds/inspection.ts';
import { limited } from './memory.ts';

const TIME_LIMIT_MS = 30_000;
/** Maximum size of the output in bytes. A frame of 480 pixels as PNG is smaller. */
const MAX_OUTPUT = 8 * 1024 * 1024;
/** Process priority: low, because thumbnails are not urgent. */
const NICE = 15;

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Returns the path of the bundled ffmpeg, or else of the ffmpeg on the PATH; undefined when there is none. */
export const findFfmpeg = async (): Promise<string | undefined> => {
  const name = 'ffmpeg-static';
  const bundled = await import(name).then(
    (module: { default?: unknown }) => (typeof module.default === 'string' ? module.default : undefined),
    () => undefined,
  );
  const names = process.platform === 'win32' ? ['ffmpeg.exe'] : ['ffmpeg'];
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((dir) => (isAbsolute(dir) ? names.map((file) => join(dir, file)) : []));
  for (const path of [bundled, ...onPath]) if (path && (await isExecutable(path))) return path;
  return undefined;
};

interface FrameRequest {
  readonly path: string;
  /** ffmpeg's demuxer for the detected type. ffmpeg must not guess, because some demuxers make it read other files. */
  readonly demuxer: string;
  /** Position of the frame in the video, in seconds. */
  readonly at: number;
}

const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
  'image/bmp': 'bmp_pipe',
  'audio/mp4': 'mov',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'matroska',
  'audio/flac': 'flac',
};

/**
 * Returns the arguments that make ffmpeg read a stored file only as its detected type. Undefined for types that ffmpeg
 * is not used for.
 */
export const inputOf = (path: string, mime: string): string[] | undefined => {
  const demuxer = DEMUXERS[mime];
  if (demuxer === undefined) return undefined;
  // Limits the number of pixels in the stream. The check of the container is not enough, because ffmpeg decodes the
  // stream, and the container may claim another size.
  const pixels = String(MAX_MEGAPIXELS * 1_000_000);
  return ['-max_pixels', pixels, '-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${path}`];
};

/**
 * Returns the position of the thumbnail of a file in seconds: at a quarter of its length, at most 5 s, because many
 * clips begin black. Undefined for types that ffmpeg is not used for.
 */
export const frameRequest = (path: string, mime: string, durationSec: number | null): FrameRequest | undefined => {
  const demuxer = DEMUXERS[mime];
  return demuxer === undefined ? undefined : { path, demuxer, at: Math.min((durationSec ?? 0) / 4, 5) };
};

/**
 * Returns a PNG, upright, at most 480 pixels on its longer side; undefined when ffmpeg fails.
 * @throws ApiError 503 when no process can be started
 */
export const extractFrame = (
  ffmpeg: string,
  { path, demuxer, at }: FrameRequest,
  signal: AbortSignal,
): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const box = `scale=w='min(${THUMBNAIL_PIXELS},iw*sar)':h='min(${THUMBNAIL_PIXELS},ih)':force_original_aspect_ratio=decrease`;
    // Limits the number of pixels in the stream. The check of the container is not enough, because ffmpeg decodes the
    // stream, and the container may claim another size.
    const input = [
      '-max_pixels',
      String(MAX_MEGAPIXELS * 1_000_000),
      '-protocol_whitelist',
      'file',
      '-f',
      demuxer,
      ...(at > 0 ? ['-ss', at.toFixed(3)] : []),
      '-i',
      `file:${path}`,
    ];
    const output = ['-map', '0:v:0', '-frames:v', '1', '-vf', box, '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'];
    const { command, args } = limited(ffmpeg, [
      '-hide_banner',
      '-loglevel',
      'error',
      '-nostdin',
      '-threads',
      '1',
      ...input,
      '-threads',
      '1',
      ...output,
    ]);
    const child = execFile(
      command,
      args,
      {
        encoding: 'buffer',
        timeout: TIME_LIMIT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT,
        signal,
        windowsHide: true,
      },
      (error, stdout) =>
        error && child.pid === undefined
          ? reject(unavailable(error))
          : resolve(error || stdout.length === 0 ? undefined : stdout),
    );
    try {
      if (child.pid) setPriority(child.pid, NICE);
    } catch {
      // Ignores the error: some systems do not allow changing the priority. The process then runs at normal priority.
    }
  });
