import { open } from 'node:fs/promises';

/**
 * Maximum number of top-level boxes to read. A file with more boxes is a long recording in fragments, and its first
 * boxes decide.
 */
const MAX_BOXES = 20_000;

interface Mp4 {
  /**
   * Whether all boxes end within the file. Otherwise the file is truncated; its tables may still be complete, and a
   * screen would turn black in the middle of the video.
   */
  readonly whole: boolean;
  /**
   * Whether the file has an index (`moov`). Cameras write the index last. A file without the index cannot be played.
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
      // A few stray bytes at the end, as some cameras write, are not a box.
      if (bytesRead < 8) return { whole: true, index };
      const short = header.readUInt32BE(0);
      const type = header.toString('latin1', 4, 8);
      index ||= type === 'moov';
      if (short === 0) return { whole: true, index };
      const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
      // Bytes that are not a box are stray bytes. Players stop reading there, too.
      if (length < 8) return { whole: true, index };
      if (at + length > size && /^[a-z]{4}$/.test(type)) return { whole: false, index };
      at += length;
    }
    // When a file has too many boxes, the index may be among the unread ones.
    return { whole: true, index: index || at < size };
  } finally {
    await file.close();
  }
};
