/** Detects a truncated PDF without reading its pages. */
import { open } from 'node:fs/promises';

/** Number of bytes at the end that are searched for an end mark. Web servers and mail programs append lines. */
const TAIL_BYTES = 8 * 1024;
const MARKS = ['%%EOF', 'startxref'] as const;

/**
 * Returns whether the file has the end of a PDF: the position of its table and `%%EOF`. Readers repair a file without
 * this end, but its last pages are missing.
 */
export const hasPdfEnd = async (path: string, size: number): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    // Skips trailing zeros, which a preallocated download may have.
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from);
      const tail = buffer.subarray(0, bytesRead);
      if (tail.some((byte) => byte !== 0)) {
        // Reads the last bytes together with the bytes before them, because the end mark may cross the border of two
        // blocks.
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
