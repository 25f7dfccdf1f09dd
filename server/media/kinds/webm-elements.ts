/** Reads the elements of a WebM or Matroska file, to detect a truncated file. */
import { type FileHandle, open } from 'node:fs/promises';

/** Maximum number of elements to read. In a longer file (a long recording) only the first elements are checked. */
const MAX_ELEMENTS = 20_000;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
/** Maximum size of an element header: an id of four bytes and a length of eight bytes. */
const HEADER_BYTES = 12;

interface Element {
  readonly id: number;
  /** Offset of the content of the element. */
  readonly body: number;
  /** Number of bytes of the content; null when unknown, as in an unfinished recording. */
  readonly length: number | null;
}

/** Returns false when an element extends beyond the end of the file: the file is truncated. */
export const isWholeWebm = async (path: string, size: number): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    let at = 0;
    for (let walked = 0; at < size && walked < MAX_ELEMENTS; walked++) {
      const element = await readElement(file, at);
      // Ignores stray bytes at the end. Players also stop reading there.
      if (!element) return true;
      if (element.length !== null && element.body + element.length > size) return false;
      // Continues with the content of a segment, and of a cluster of unknown length, because a block in it may be
      // truncated.
      const isOpen = element.id === SEGMENT || (element.id === CLUSTER && element.length === null);
      at = isOpen ? element.body : element.body + (element.length ?? 0);
    }
    return true;
  } finally {
    await file.close();
  }
};

const readElement = async (file: FileHandle, at: number): Promise<Element | undefined> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, at);
  const idBytes = Math.clz32(buffer[0]!) - 23;
  if (bytesRead < 2 || idBytes > 4) return undefined;
  const lengthBytes = Math.clz32(buffer[idBytes]!) - 23;
  if (lengthBytes > 8 || bytesRead < idBytes + lengthBytes) return undefined;
  const marker = 2 ** (8 - lengthBytes);
  let length = buffer[idBytes]! - marker;
  let isUnknown = length === marker - 1;
  for (let i = 1; i < lengthBytes; i++) {
    const byte = buffer[idBytes + i]!;
    isUnknown &&= byte === 0xff;
    length = length * 256 + byte;
  }
  return {
    id: buffer.readUIntBE(0, idBytes),
    body: at + idBytes + lengthBytes,
    length: isUnknown ? null : length,
  };
};
