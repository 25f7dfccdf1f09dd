/** Reads from the browser which videos, sounds and pictures the screen can play (shared/formats). Needs no network. */
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { AUDIO_TYPES, SOFTWARE_PIXELS, VIDEO_CLASSES, VIDEO_SIZES } from '../../../shared/formats/video-classes.ts';

/** Frame rate in the question to the browser. A screen that plays a size at 30 frames per second supports the size. */
const FRAME_RATE = 30;
/** Bit rate in the question to the browser, in bits per pixel and frame: that of a good H.264 file. */
const BITS_PER_PIXEL = 0.1;
/** Time limit for the browser's answer. A driver that hangs must not delay the report forever. */
const ANSWER_WITHIN_MS = 5_000;

export async function readScreenFormats(): Promise<ScreenFormats> {
  const video: Record<string, number> = {};
  await Promise.all(
    Object.entries(VIDEO_CLASSES).map(async ([name, { container, codecs }]) => {
      const plays = await Promise.all(
        VIDEO_SIZES.map((size, i) => playsVideo(`${container}; codecs="${codecs[i]}"`, size)),
      );
      // Sizes count only as long as each smaller size plays too: an answer that 8K plays and 4K does not is unreliable.
      const sizes = plays.indexOf(false) === -1 ? plays.length : plays.indexOf(false);
      const largest = VIDEO_SIZES[sizes - 1];
      video[name] = largest ? largest.width * largest.height : 0;
    }),
  );
  const element = document.createElement('audio');
  const audio = Object.fromEntries(
    Object.entries(AUDIO_TYPES).map(([codec, type]) => [codec, element.canPlayType(type) !== '']),
  );
  return { video, sized: 'mediaCapabilities' in navigator, audio, texture: largestTexture() };
}

async function playsVideo(contentType: string, { width, height }: (typeof VIDEO_SIZES)[number]): Promise<boolean> {
  // Uses an audio element, which also answers for videos. Another video element would count towards the browser's
  // limit.
  if (document.createElement('audio').canPlayType(contentType) === '') return false;
  if (!('mediaCapabilities' in navigator)) return width * height <= SOFTWARE_PIXELS;
  const bitrate = Math.round(width * height * FRAME_RATE * BITS_PER_PIXEL);
  const asked = navigator.mediaCapabilities
    .decodingInfo({ type: 'file', video: { contentType, width, height, bitrate, framerate: FRAME_RATE } })
    .catch(() => null);
  const late = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS, null));
  const answer = await Promise.race([asked, late]);
  if (!answer) return width * height <= SOFTWARE_PIXELS;
  // A software decoder does not count for large frames: it claims to support 8K, but plays only a few frames per
  // second.
  return answer.supported && (width * height <= SOFTWARE_PIXELS || answer.powerEfficient);
}

/** Returns the size in pixels of the largest texture; null if the browser has no WebGL. */
function largestTexture(): number | null {
  const gl = document.createElement('canvas').getContext('webgl');
  const size: unknown = gl?.getParameter(gl.MAX_TEXTURE_SIZE);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof size === 'number' && size > 0 ? size : null;
}
