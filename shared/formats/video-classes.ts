/**
 * Classes of video. A class is a codec with its bits per sample and colour sampling; a screen plays all videos of a
 * class or none. The page of the screen asks its browser for each class and size; the server finds the class of a file
 * by its codec string.
 */

/** Frame sizes in pixels: Full HD, 4K, 8K. Portrait and landscape count the same. */
export const VIDEO_SIZES = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 7680, height: 4320 },
] as const;
/**
 * Maximum number of pixels per frame for a software decoder. For larger frames, a software decoder drops frames, so
 * only a hardware decoder counts.
 */
export const SOFTWARE_PIXELS = 3840 * 2160;

interface VideoClass {
  readonly container: 'video/mp4' | 'video/webm';
  /** Codec strings of the class, one for each of {@link VIDEO_SIZES}. */
  readonly codecs: readonly [hd: string, uhd: string, uhd8k: string];
}

export const VIDEO_CLASSES = {
  avc: { container: 'video/mp4', codecs: ['avc1.640028', 'avc1.640033', 'avc1.64003C'] },
  'avc-10bit': { container: 'video/mp4', codecs: ['avc1.6E0028', 'avc1.6E0033', 'avc1.6E003C'] },
  'avc-422': { container: 'video/mp4', codecs: ['avc1.7A0028', 'avc1.7A0033', 'avc1.7A003C'] },
  'avc-444': { container: 'video/mp4', codecs: ['avc1.F40028', 'avc1.F40033', 'avc1.F4003C'] },
  hevc: { container: 'video/mp4', codecs: ['hvc1.1.6.L120.B0', 'hvc1.1.6.L153.B0', 'hvc1.1.6.L183.B0'] },
  'hevc-10bit': { container: 'video/mp4', codecs: ['hvc1.2.4.L120.B0', 'hvc1.2.4.L153.B0', 'hvc1.2.4.L183.B0'] },
  vp8: { container: 'video/webm', codecs: ['vp8', 'vp8', 'vp8'] },
  vp9: { container: 'video/webm', codecs: ['vp09.00.40.08', 'vp09.00.50.08', 'vp09.00.60.08'] },
  'vp9-10bit': { container: 'video/webm', codecs: ['vp09.02.40.10', 'vp09.02.50.10', 'vp09.02.60.10'] },
  av1: { container: 'video/mp4', codecs: ['av01.0.08M.08', 'av01.0.12M.08', 'av01.0.16M.08'] },
  'av1-10bit': { container: 'video/mp4', codecs: ['av01.0.08M.10', 'av01.0.12M.10', 'av01.0.16M.10'] },
} as const satisfies Record<string, VideoClass>;
export type VideoClassName = keyof typeof VIDEO_CLASSES;

/** Content types, by codec of the sound, with which the page asks its browser whether the codec plays. */
export const AUDIO_TYPES = {
  aac: 'audio/mp4; codecs="mp4a.40.2"',
  mp3: 'audio/mpeg',
  opus: 'audio/webm; codecs="opus"',
  vorbis: 'audio/webm; codecs="vorbis"',
  flac: 'audio/mp4; codecs="flac"',
  ac3: 'audio/mp4; codecs="ac-3"',
  eac3: 'audio/mp4; codecs="ec-3"',
  dts: 'audio/mp4; codecs="dtsc"',
} as const;

/** H.264 profile_idc, hexadecimal, to class. Baseline, Main and High are one class. */
const AVC_PROFILES: Readonly<Record<string, VideoClassName>> = {
  '42': 'avc',
  '4D': 'avc',
  '58': 'avc',
  '64': 'avc',
  '6E': 'avc-10bit',
  '7A': 'avc-422',
  F4: 'avc-444',
};

/** Returns the class of a video; undefined if no class describes the video. */
export const videoClassOf = (codec: string, profile: string | null): VideoClassName | undefined => {
  const parts = (profile ?? '').split('.');
  switch (codec) {
    case 'avc':
      return AVC_PROFILES[(parts[1] ?? '').slice(0, 2).toUpperCase()];
    case 'hevc': {
      const idc = /^[ABC]?(\d+)$/.exec(parts[1] ?? '')?.[1];
      return idc === '1' || idc === '3' ? 'hevc' : idc === '2' ? 'hevc-10bit' : undefined;
    }
    case 'vp8':
      return 'vp8';
    case 'vp9': {
      // A WebM file without a configuration record has profile 0.
      const idc = Number(parts[1] ?? 0);
      return idc === 0 ? 'vp9' : idc === 2 ? 'vp9-10bit' : undefined;
    }
    case 'av1': {
      if (Number(parts[1]) !== 0) return undefined;
      return Number(parts[3] ?? 8) > 8 ? 'av1-10bit' : 'av1';
    }
    default:
      return undefined;
  }
};
