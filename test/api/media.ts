/** Generated files for tests: a picture whose text makes it unique, and a clip of any length. */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';

/** A GIF of one pixel. Bytes after the end of the picture make each file different. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export const picture = (text: string): Buffer => Buffer.concat([PIXEL, Buffer.from(text)]);

/** A red key frame of 16 × 16 pixels in VP9, as libvpx encodes it. */
const KEY_FRAME = Buffer.from('gkmDQgAA8AD2ADgkHBhKAAAwYAAAEL//9x2v////X9/////yKsAA', 'base64');

/**
 * Returns an MP4 with one video track of `seconds` that shows a red picture.
 * @param text the title, which makes each file different
 */
export const clip = async (seconds: number, text = ''): Promise<Buffer> => {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source);
  output.setMetadataTags({ title: text });
  await output.start();
  const config = { decoderConfig: { codec: 'vp09.00.10.08', codedWidth: 16, codedHeight: 16 } };
  await source.add(new EncodedPacket(KEY_FRAME, 'key', 0, seconds), config);
  await output.finalize();
  return Buffer.from(target.buffer!);
};
