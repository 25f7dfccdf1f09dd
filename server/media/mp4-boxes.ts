import { open } from 'node:fs/promises';

/** More top-level boxes than this are fragments of a long recording; then the first ones must do. */
const MAX_BOXES = 20_000;

interface Mp4 {
  /**
   * No box reaches beyond the end of the file. One that does was cut off in copying; its tables may be complete all the
   * same, and a screen would go black in the middle of it.
   */
  readonly whole: boolean;
  /** The table of what is where (`moov`) is there. Cameras write it last: without it nothing can be played. */
  readonly index: boolean;
}

/** Walks the top-level boxes of an MP4 or MOV file. */
export const readMp4 = async (path: string, size: number): Promise<Mp4> => {
  const file = await open(path, 'r');
  const header = Buffer.alloc(16);
  try {
    let at = 0;
    let index = false;
    for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
      const { bytesRead } = await file.read(header, 0, 16, at);
      // A few stray bytes at the end (some cameras write them) are no box.
      if (bytesRead < 8) return { whole: true, index };
      const short = header.readUInt32BE(0);
      const type = header.toString('latin1', 4, 8);
      index ||= type === 'moov';
      if (short === 0) return { whole: true, index };
      const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
      // What is no box can only be stray bytes as well; players stop there.
      if (length < 8) return { whole: true, index };
      if (at + length > size && /^[a-z]{4}$/.test(type)) return { whole: false, index };
      at += length;
    }
    // Of more boxes than are walked the index may be among the others.
    return { whole: true, index: index || at < size };
  } finally {
    await file.close();
  }
};
