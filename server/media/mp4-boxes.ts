import { open } from 'node:fs/promises';

/** More top-level boxes than this are fragments of a long recording; then the first ones must do. */
const MAX_BOXES = 20_000;

/**
 * Walks the top-level boxes of an MP4 or MOV file: one that reaches beyond the end of the file was cut off in copying.
 * Its tables may be complete all the same, and a screen would go black in the middle of it.
 */
export const isWholeMp4 = async (path: string, size: number): Promise<boolean> => {
  const file = await open(path, 'r');
  const header = Buffer.alloc(16);
  try {
    let at = 0;
    for (let boxes = 0; at < size && boxes < MAX_BOXES; boxes++) {
      const { bytesRead } = await file.read(header, 0, 16, at);
      // A few stray bytes at the end (some cameras write them) are no box.
      if (bytesRead < 8) return true;
      const short = header.readUInt32BE(0);
      if (short === 0) return true;
      const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
      // What is no box can only be stray bytes as well; players stop there.
      if (length < 8) return true;
      if (at + length > size && /^[a-z]{4}$/.test(header.toString('latin1', 4, 8))) return false;
      at += length;
    }
    return true;
  } finally {
    await file.close();
  }
};
