import { open } from 'node:fs/promises';

/**
 * Maximum number of top-level boxes to read. In a longer file (a long recording in fragments) only the first boxes are
 * checked.
 */
const MAX_BOXES = 20_000;

interface Mp4 {
  /**
   * Whether all boxes end within the file. If not, the file is truncated. Even when its index is complete, a screen
   * would turn black in the middle of the video.
   */
  readonly whole: boolean;
  /**
   * Whether the file has an index (`moov`). Cameras write the index last, so a truncated recording has none and cannot
   * be played.
   */
  readonly index: boolean;
}

/** Reads the top-level boxes of an MP4 or MOV file. */
export const readMp4 = async (path: string, size: number): Promise<Mp4> => {
  const file = await open(path, 'r');
  const header = Buffer.alloc(16);
  try {
    let at = 0;
    let index = false;
    for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
      const { bytesRead } = await file.read(header, 0, 16, at);
      // Ignores a few stray bytes at the end, which some cameras write.
      if (bytesRead < 8) return { whole: true, index };
      const short = header.readUInt32BE(0);
      const type = header.toString('latin1', 4, 8);
      index ||= type === 'moov';
      if (short === 0) return { whole: true, index };
      const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
      // Stops at bytes that are not a box. Players also stop reading there.
      if (length < 8) return { whole: true, index };
      if (at + length > size && /^[a-z]{4}$/.test(type)) return { whole: false, index };
      at += length;
    }
    // When a file has too many boxes, the index counts as present, because it may be among the unread boxes.
    return { whole: true, index: index || at < size };
  } finally {
    await file.close();
  }
};
