/** Finds video streams in an Ogg file. No screen can play them. */
import { open } from 'node:fs/promises';

/** Number of bytes to read. The first pages of all streams are at the beginning of the file, and each page is small. */
const HEAD_BYTES = 16 * 1024;

/** First bytes of the first packet of a stream, for each codec. */
const PICTURES: readonly (readonly [name: string, magic: Buffer])[] = [
  ['Theora', Buffer.from('\x80theora', 'latin1')],
  ['Dirac', Buffer.from('BBCD\0', 'latin1')],
  ['Daala', Buffer.from('\x80daala', 'latin1')],
  ['VP8 in Ogg', Buffer.from('OVP80', 'latin1')],
];

/** Returns the codec of the first video stream; undefined for a file with sound only. */
export const oggVideoCodec = async (path: string): Promise<string | undefined> => {
  const file = await open(path, 'r');
  let head: Buffer;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    head = buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
  for (let at = 0; at + 27 < head.length && head.toString('latin1', at, at + 4) === 'OggS'; ) {
    const isFirst = (head[at + 5]! & 2) !== 0;
    // Stops the search at the first other page, because the first pages of all streams come before all other pages.
    if (!isFirst) return undefined;
    const segments = head[at + 26]!;
    const body = at + 27 + segments;
    const found = PICTURES.find(([, magic]) => head.subarray(body, body + magic.length).equals(magic));
    if (found) return found[0];
    at = body + head.subarray(at + 27, body).reduce((sum, length) => sum + length, 0);
  }
  return undefined;
};
