/**
 * One frame of a video, by ffmpeg in a process of its own. Never through a shell, never with anything a client wrote.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { unavailable } from '../kernel/starting.ts';
import { MAX_MEGAPIXELS, THUMBNAIL_PIXELS } from './inspection.ts';
import { limited } from './memory.ts';

const TIME_LIMIT_MS = 30_000;
/** A frame of 480 pixels as PNG; more is no frame. */
const MAX_OUTPUT = 8 * 1024 * 1024;
/** A thumbnail can wait for everything else. */
const NICE = 15;

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The bundled ffmpeg when it was installed, else the one on the PATH; undefined: this machine has none. */
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
  /** The demuxer our own look at the bytes named: ffmpeg must not guess, since some of its guesses read other files. */
  readonly demuxer: string;
  /** Seconds from the start. */
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
 * Arguments that make ffmpeg read a stored file as what our own look at its bytes named, and nothing else; undefined: not
 * a matter for ffmpeg.
 */
export const inputOf = (path: string, mime: string): string[] | undefined => {
  const demuxer = DEMUXERS[mime];
  if (demuxer === undefined) return undefined;
  // The stream's own size counts, not the container's: that is what is decoded.
  const pixels = String(MAX_MEGAPIXELS * 1_000_000);
  return ['-max_pixels', pixels, '-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${path}`];
};

/**
 * How to take the picture that stands for a file: a quarter in, since many clips begin black. Undefined: not a matter
 * for ffmpeg.
 */
export const frameRequest = (path: string, mime: string, durationSec: number | null): FrameRequest | undefined => {
  const demuxer = DEMUXERS[mime];
  return demuxer === undefined ? undefined : { path, demuxer, at: Math.min((durationSec ?? 0) / 4, 5) };
};

/**
 * A PNG, turned upright, at most 480 pixels on its longer side; undefined when ffmpeg could not.
 * @throws ApiError 503 when the machine starts no process
 */
export const extractFrame = (
  ffmpeg: string,
  { path, demuxer, at }: FrameRequest,
  signal: AbortSignal,
): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const box = `scale=w='min(${THUMBNAIL_PIXELS},iw*sar)':h='min(${THUMBNAIL_PIXELS},ih)':force_original_aspect_ratio=decrease`;
    // What the stream says of its size, not the container, is what is decoded.
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
      // Not allowed to everywhere; then it competes.
    }
  });
