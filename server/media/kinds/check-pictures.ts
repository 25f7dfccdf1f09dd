/**
 * Checks with ffmpeg whether a video contains decodable pictures: the last check of an upload, on machines with ffmpeg.
 * Runs in a child process with limits on time, memory and pixels.
 */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { inputOf } from '../ffmpeg.ts';
import { limited, MemoryBudget } from '../memory.ts';
import { MEMORY_LIMIT_MB } from './inspection.ts';

/** Time limit per picture in milliseconds. If decoding takes longer, the video is not reported as damaged. */
const TIME_LIMIT_MS = 20_000;
const MAX_OUTPUT = 64 * 1024;
/** Process priority: lower than answers to people, higher than thumbnails of videos. */
const NICE = 5;
/** Position of the second picture that is checked, as a fraction of the length of the video. */
const LATE = 0.9;
/** Memory budget for all checks. It allows two processes at a time. */
const running = new MemoryBudget(2 * MEMORY_LIMIT_MB);

/**
 * Matches messages of ffmpeg that do not prove that the file is damaged, for example about a missing decoder or missing
 * memory.
 */
const NOT_THE_FILE =
  /decoder .*not found|no decoder|unknown decoder|not implemented|hardware accelerated|pixel format|cannot allocate|picture size|not permitted|no space/i;

/** Result of the check. `none`: ffmpeg read the video and found no picture. `unknown`: ffmpeg could not decide. */
export type PicturesFound = 'some' | 'none' | 'unknown';

export const checkPictures = async (
  ffmpeg: string,
  video: { readonly path: string; readonly mime: string; readonly durationSec: number | null },
): Promise<PicturesFound> => {
  const places = [0, ...(video.durationSec === null ? [] : [video.durationSec * LATE])];
  let found: PicturesFound = 'some';
  for (const at of places) {
    const one = await running.with(MEMORY_LIMIT_MB, () => onePicture(ffmpeg, video, at));
    if (one === 'none') return 'none';
    if (one === 'unknown') found = 'unknown';
  }
  return found;
};

const onePicture = (
  ffmpeg: string,
  { path, mime }: { readonly path: string; readonly mime: string },
  at: number,
): Promise<PicturesFound> =>
  new Promise((resolve) => {
    const input = inputOf(path, mime);
    if (!input) return resolve('unknown');
    // Seeks to the key frame before the position, because a slide show may have no further picture after the position.
    const seek = at > 0 ? ['-noaccurate_seek', '-ss', at.toFixed(3)] : [];
    const output = ['-map', '0:v:0', '-frames:v', '1', '-vf', 'scale=16:16', '-pix_fmt', 'gray'];
    const { command, args } = limited(ffmpeg, [
      ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-threads', '1', ...seek, ...input, ...output],
      ...['-threads', '1', '-c:v', 'rawvideo', '-f', 'rawvideo', 'pipe:1'],
    ]);
    const options = {
      encoding: 'buffer',
      timeout: TIME_LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
      windowsHide: true,
    } as const;
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (stdout.length > 0) return resolve('some');
      const ended = child.exitCode !== null && !error?.killed;
      resolve(ended && !NOT_THE_FILE.test(stderr.toString()) ? 'none' : 'unknown');
    });
    try {
      if (child.pid) setPriority(child.pid, NICE);
    } catch {
      // Ignores the error: some systems do not allow changing the priority. The process then runs at normal priority.
    }
  });
