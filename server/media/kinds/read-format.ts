/** Reads the codecs of a video or sound, and checks that its first and last pictures have a valid structure. */
import type { EncodedPacket, InputAudioTrack, InputVideoTrack } from 'mediabunny';
import type { MediaFormat } from '../../../shared/formats/media-format.ts';

/** Number of packets from which the frame rate is computed. */
const COUNTED = 50;
/** Position at which the late key frame is searched, as a fraction of the length of the video. */
const LATE = 0.9;

export const readVideoFormat = async (
  video: InputVideoTrack,
  audio: InputAudioTrack | null,
): Promise<Omit<MediaFormat, 'duration_sec'>> => {
  const stats = await video.computePacketStats(COUNTED).catch(() => null);
  const rate = stats?.averagePacketRate ?? 0;
  return {
    video: {
      codec: (await video.getCodec()) ?? 'unknown',
      profile: await video.getCodecParameterString().catch(() => null),
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      frame_rate: Number.isFinite(rate) && rate > 0 ? Math.round(rate * 100) / 100 : null,
    },
    audio: audio && (await readAudioCodec(audio)),
  };
};

export const readAudioCodec = async (audio: InputAudioTrack): Promise<{ codec: string }> => ({
  codec: (await audio.getCodec()) ?? String((await audio.getInternalCodecId()) ?? 'unknown').slice(0, 30),
});

/**
 * Returns whether the first picture and a late key frame have the structure of their codec. Detects a file whose data
 * was overwritten or never written, without a decoder.
 */
export const hasPictures = async (video: InputVideoTrack, durationSec: number | null): Promise<boolean> => {
  const { EncodedPacketSink } = await import('mediabunny');
  const sink = new EncodedPacketSink(video);
  const first = await sink.getFirstPacket();
  if (!first || !(await isPicture(video, first))) return false;
  if (durationSec === null) return true;
  const late = await sink.getKeyPacket(durationSec * LATE).catch(() => null);
  return !late || isPicture(video, late);
};

const isPicture = async (video: InputVideoTrack, { data }: EncodedPacket): Promise<boolean> => {
  if (data.length === 0 || data.every((byte) => byte === 0)) return false;
  const codec = await video.getCodec();
  if (codec !== 'avc' && codec !== 'hevc') return true;
  const lengthBytes = lengthSize(codec, (await video.getDecoderConfig())?.description);
  return lengthBytes === undefined || isUnits(data, lengthBytes);
};

/** Number of bytes of the length field of a unit, from avcC or hvcC; undefined when start codes separate the units. */
const lengthSize = (codec: 'avc' | 'hevc', description: AllowSharedBufferSource | undefined): number | undefined => {
  if (!description) return undefined;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description as ArrayBuffer);
  const at = bytes[codec === 'avc' ? 4 : 21];
  return at === undefined ? undefined : (at & 3) + 1;
};

/** Returns whether the bytes are a sequence of length-prefixed units. Trailing zeros are allowed. */
const isUnits = (data: Uint8Array, lengthBytes: number): boolean => {
  let at = 0;
  let units = 0;
  while (at + lengthBytes <= data.length) {
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + data[at + i]!;
    if (length === 0) return units > 0;
    at += lengthBytes + length;
    if (at > data.length) return false;
    units++;
  }
  return units > 0;
};
