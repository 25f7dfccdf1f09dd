/**
 * Converts a video or sound into a file that every screen plays, by ffmpeg in a separate process. No text from a client
 * becomes part of a command line. The input is a stored file, and ffmpeg reads it only as the type that was detected
 * from its bytes.
 */
import { execFile, spawn } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { diskFull } from '../../shared/contract/errors.ts';
import { unavailable } from '../kernel/threads/starting.ts';
import { inputOf } from './ffmpeg.ts';
import { limited } from './memory.ts';

/**
 * Maximum of the longer and of the shorter side in pixels: full HD, landscape or portrait. Every player with H.264
 * shows this size.
 */
const LONG_SIDE = 1920;
const SHORT_SIDE = 1080;
/**
 * Upper limits for the result in bits per second. Files of simple pictures stay far below, because the quality is
 * constant.
 */
const VIDEO_BITS = 8_000_000;
const AUDIO_BITS = 192_000;
/** Size of the index and headers, as a fraction of the size of the whole file. */
const OVERHEAD = 1.02;
/** Process priority: lower than everything that answers a person, and lower than thumbnails. */
const NICE = 19;
/** Memory limit in MB. An 8K picture is decoded with about 20 other pictures in memory, and encoded beside them. */
const MEMORY_MB = 2048;
/** Number of bytes kept from the end of ffmpeg's messages. */
const MAX_MESSAGE = 4_000;
const ASK_LIMIT_MS = 15_000;

export interface ConversionInput {
  readonly path: string;
  /** Media type that was detected from the bytes. */
  readonly mime: string;
  readonly kind: 'video' | 'audio';
  /** Length in seconds; null: not known. */
  readonly durationSec: number | null;
}

/** Error: ffmpeg ended without a result. Its message is for the log, not for people. */
export class ConversionFailure extends Error {}

/** Returns an upper bound for the size of the result in bytes, undefined when the length is not known. */
export const largestResult = ({ kind, durationSec }: Pick<ConversionInput, 'kind' | 'durationSec'>) =>
  durationSec === null
    ? undefined
    : Math.ceil((durationSec * (AUDIO_BITS + (kind === 'video' ? VIDEO_BITS : 0)) * OVERHEAD) / 8);

/**
 * Returns the ffmpeg filter for the size of the result: even sides for 4:2:0, square pixels, the aspect ratio of the
 * source, never larger than the source.
 */
const scaled = (): string => {
  const share = `min(1,min(${LONG_SIDE}/max(iw*sar,ih),${SHORT_SIDE}/min(iw*sar,ih)))`;
  const even = (side: string) => `'max(2,2*trunc(${side}*${share}/2+0.001))'`;
  return `scale=w=${even('iw*sar')}:h=${even('ih')},setsar=1`;
};

/**
 * Returns the arguments of ffmpeg; undefined when the input is not a supported video or sound.
 * @param maxBytes a larger
 * result is cut off
 */
export const conversionArguments = (
  { path, mime, kind }: ConversionInput,
  output: string,
  maxBytes: number,
): readonly string[] | undefined => {
  const input = inputOf(path, mime);
  if (!input) return undefined;
  // Uses half of the cores, because the server also serves screens.
  const threads = ['-threads', String(Math.max(1, Math.floor(availableParallelism() / 2)))];
  const picture = [
    // The stream specifier `V` leaves out cover pictures, which ffmpeg also counts as video streams.
    ...['-map', '0:V:0', '-vf', scaled(), '-c:v', 'libx264', '-profile:v', 'high', '-preset', 'veryfast'],
    ...['-crf', '21', '-maxrate', String(VIDEO_BITS), '-bufsize', String(2 * VIDEO_BITS), '-pix_fmt', 'yuv420p'],
  ];
  const sound = ['-c:a', 'aac', '-b:a', String(AUDIO_BITS), '-ac', '2', '-ar', '48000'];
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-nostats', '-progress', 'pipe:1'],
    ...[...threads, ...input],
    ...(kind === 'video' ? [...picture, '-map', '0:a:0?'] : ['-map', '0:a:0', '-vn']),
    ...[...sound, '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', ...threads],
    ...['-movflags', '+faststart', '-fs', String(maxBytes), '-f', 'mp4', `file:${output}`],
  ];
};

type Command = ReturnType<typeof limited>;

interface Running {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** Called about twice a second with the number of seconds of the result that are written. */
  readonly onProgress: (seconds: number) => void;
}

/**
 * Returns a command that runs the given command and also ends it when the server is killed. A shell beside it waits for
 * a line on file descriptor 3, and kills ffmpeg when the descriptor closes without a line. ffmpeg itself ignores
 * that its reader is gone. On Windows, ffmpeg runs to its end and writes a file that the next start removes.
 */
const endingWithServer = ({ command, args }: Command): Command => {
  if (process.platform === 'win32') return { command, args };
  const script = '{ read -r line <&3 || kill -9 $$; } >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"';
  return { command: '/bin/sh', args: ['-c', script, command, ...args] };
};

/**
 * Writes the converted file to `output`, which exists already.
 * @throws ConversionFailure, ApiError 503 when no process
 * can be started, 507 when the disk is full
 */
export const convertFile = (
  ffmpeg: string,
  args: readonly string[],
  { signal, limitMs, onProgress }: Running,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const started = endingWithServer(limited(ffmpeg, args, MEMORY_MB));
    const child = spawn(started.command, started.args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
      signal,
      windowsHide: true,
    });
    const guard = child.stdio[3] as Writable;
    guard.on('error', () => {});
    child.on('exit', () => guard.end('ended\n'));
    let message = '';
    child.stderr!.on('data', (bytes: Buffer) => {
      message = (message + bytes.toString()).slice(-MAX_MESSAGE);
    });
    let rest = '';
    child.stdout!.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString()).slice(-MAX_MESSAGE).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [name, value] = line.split('=');
        const seconds = name === 'out_time_us' ? Number(value) / 1_000_000 : Number.NaN;
        if (seconds >= 0) onProgress(seconds);
      }
    });
    child.on('error', (error) => (child.pid === undefined ? reject(unavailable(error)) : undefined));
    // Uses the event `close`, because the last messages of ffmpeg may arrive after the event `exit`.
    child.on('close', (code) => {
      if (code === 0) return resolve();
      if (/no space left/i.test(message)) return reject(diskFull());
      reject(new ConversionFailure(message.trim() || `ffmpeg ended with ${code ?? child.signalCode}`));
    });
    try {
      if (child.pid) setPriority(child.pid, NICE);
    } catch {
      // Ignores the error: some systems do not allow changing the priority. The process then runs at normal priority.
    }
  });

/** Returns whether this ffmpeg has the encoders that a conversion needs. Some builds lack H.264. */
export const hasEncoders = (ffmpeg: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(
      ffmpeg,
      ['-hide_banner', '-encoders'],
      { timeout: ASK_LIMIT_MS, maxBuffer: 1024 * 1024, windowsHide: true },
      (error, stdout) =>
        resolve(!error && ['libx264', 'aac'].every((name) => new RegExp(`\\s${name}\\s`).test(stdout))),
    );
  });
