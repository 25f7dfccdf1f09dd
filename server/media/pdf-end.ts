/** Finds a PDF that was cut off in copying, without reading its pages. */
import { open } from 'node:fs/promises';

/** A mark of the end is looked for in so many bytes. Web servers and mail programs append some lines of their own. */
const TAIL_BYTES = 8 * 1024;
const MARKS = ['%%EOF', 'startxref'] as const;

/**
 * Returns whether the file has the end that every PDF has: the place of its table and `%%EOF`. A reader that mends files
 * shows one without it, but the pages at its end are missing.
 */
export const hasPdfEnd = async (path: string, size: number): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    // Zeros behind the end, as a download that was laid out beforehand has, are not part of the tail.
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from);
      const tail = buffer.subarray(0, bytesRead);
      if (tail.some((byte) => byte !== 0)) {
        // The mark may lie across the border of two blocks.
        const earlier = Math.max(0, from - TAIL_BYTES);
        const before = await file.read(Buffer.alloc(from - earlier), 0, from - earlier, earlier);
        const text = Buffer.concat([before.buffer.subarray(0, before.bytesRead), tail]).toString('latin1');
        return MARKS.some((mark) => text.includes(mark));
      }
      end = from;
    }
    return false;
  } finally {
    await file.close();
  }
};
