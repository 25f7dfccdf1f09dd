/** Decides whether a screen can play a content. Called by server/features/playback. Pure. */
import { z } from 'zod';
import type { MediaFormat } from './media-format.ts';
import type { ScreenFormats } from './screen-formats.ts';
import { videoClassOf } from './video-classes.ts';

/**
 * Verdict about a content on a screen. `silent`: the picture plays, the sound does not. `unknown`: the data of the file
 * or of the screen is incomplete, so no warning is shown.
 */
export const PlaybackVerdict = z.enum(['plays', 'silent', 'fails', 'unknown']);
export type PlaybackVerdict = z.infer<typeof PlaybackVerdict>;

/**
 * Reason of a verdict other than `plays`. `video_codec`: the screen has no decoder for the picture. `video_size`: the
 * frame is too large for the decoder. `audio_codec`: the screen has no decoder for the sound.
 */
export const PlaybackReason = z.enum(['video_codec', 'video_size', 'audio_codec']);
export type PlaybackReason = z.infer<typeof PlaybackReason>;

export interface Playback {
  readonly verdict: PlaybackVerdict;
  /** Reason of the verdict; null for `plays` and `unknown`. */
  readonly reason: PlaybackReason | null;
}

const PLAYS: Playback = { verdict: 'plays', reason: null };
const UNKNOWN: Playback = { verdict: 'unknown', reason: null };

/**
 * @param kind kind of the content; only video and audio depend on codecs
 * @param format format of its file; null: not read yet
 * @param screen null: the player does not report its formats
 */
export const playbackOn = (
  { kind, format }: { readonly kind: string; readonly format: MediaFormat | null },
  screen: ScreenFormats | null,
): Playback => {
  if (kind !== 'video' && kind !== 'audio') return PLAYS;
  if (!format || !screen) return UNKNOWN;
  if (format.video) {
    const name = videoClassOf(format.video.codec, format.video.profile);
    // If a screen does not play the basic class of a codec, it does not play a rare profile of that codec either.
    const none = screen.video[format.video.codec] === 0 ? 0 : undefined;
    const most = name === undefined ? none : screen.video[name];
    if (most === undefined) return UNKNOWN;
    if (most === 0) return { verdict: 'fails', reason: 'video_codec' };
    if (format.video.width * format.video.height > most)
      return screen.sized ? { verdict: 'fails', reason: 'video_size' } : UNKNOWN;
  }
  if (!format.audio) return PLAYS;
  const heard = screen.audio[format.audio.codec];
  if (heard === undefined) return UNKNOWN;
  if (heard) return PLAYS;
  return { verdict: format.video ? 'silent' : 'fails', reason: 'audio_codec' };
};
