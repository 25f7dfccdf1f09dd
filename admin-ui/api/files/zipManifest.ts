/**
 * Reads the manifest of an export from a ZIP without sending or unpacking the rest of the file. The end of a ZIP
 * contains the position of the directory, and the directory contains the position of each file. Beyond 4 GB, these
 * positions are in 64-bit records (APPNOTE 4.3.14, 4.5.3).
 */

/** Possible file names of the manifest (server/features/exchange). */
const MANIFESTS = ['vitrine-export.json', 'export.json'];

const END = 0x06054b50;
const END_64 = 0x06064b50;
const WAY_TO_END_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/**
 * Maximum number of bytes from the end record to the end of the file: the record has 22 bytes, its comment up to
 * 65,535.
 */
const TAIL = 22 + 65_535;
const FULL = 0xffffffff;
/**
 * Maximum size in bytes of the manifest and of the directory. A larger manifest does not come from an export of
 * Vitrine.
 */
const MAX_BYTES = 256 * 1024 * 1024;

export interface Manifest {
  readonly text: string;
  /** Number of media files beside the manifest. */
  readonly files: number;
}

const view = async (file: Blob, from: number, length: number): Promise<DataView> => {
  if (length > MAX_BYTES) throw new Error('too large');
  return new DataView(await file.slice(from, from + length).arrayBuffer());
};
const u64 = (data: DataView, at: number): number => Number(data.getBigUint64(at, true));

/**
 * Returns the manifest of an export; undefined if the file is not a ZIP or contains no export. Such a file may still
 * be a manifest without a ZIP.
 */
export const manifestIn = async (file: Blob): Promise<Manifest | undefined> => {
  try {
    return await read(file);
  } catch {
    // Returns no manifest if the file is truncated or its directory is wrong. The server reports this with a better
    // message.
    return undefined;
  }
};

const read = async (file: Blob): Promise<Manifest | undefined> => {
  const table = await tableOf(file);
  if (!table) return undefined;
  const data = await view(file, table.at, table.bytes);
  let found: { method: number; packed: number; at: number } | undefined;
  let files = 0;
  for (let at = 0; at + 46 <= data.byteLength && data.getUint32(at, true) === ENTRY; ) {
    const [nameLength, extraLength, commentLength] = [
      data.getUint16(at + 28, true),
      data.getUint16(at + 30, true),
      data.getUint16(at + 32, true),
    ];
    const name = new TextDecoder().decode(new Uint8Array(data.buffer, at + 46, nameLength));
    if (MANIFESTS.includes(name)) {
      const [size, packed, offset] = [
        data.getUint32(at + 24, true),
        data.getUint32(at + 20, true),
        data.getUint32(at + 42, true),
      ];
      const large = largeNumbers(data, at + 46 + nameLength, extraLength, [size, packed, offset]);
      found = { method: data.getUint16(at + 10, true), packed: large[1]!, at: large[2]! };
    } else if (!name.endsWith('/')) files++;
    at += 46 + nameLength + extraLength + commentLength;
  }
  if (!found) return undefined;
  const local = await view(file, found.at, 30);
  if (local.getUint32(0, true) !== LOCAL || found.packed > MAX_BYTES) return undefined;
  const begin = found.at + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(begin, begin + found.packed);
  const plain =
    found.method === 0
      ? packed
      : await new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
  return { text: await plain.text(), files };
};

/** Returns position and size of the directory of the ZIP. */
const tableOf = async (file: Blob): Promise<{ at: number; bytes: number } | undefined> => {
  const from = Math.max(0, file.size - TAIL);
  const tail = await view(file, from, file.size - from);
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    const table = { bytes: tail.getUint32(at + 12, true), at: tail.getUint32(at + 16, true) };
    if (table.at !== FULL && table.bytes !== FULL) return table;
    if (at < 20 || tail.getUint32(at - 20, true) !== WAY_TO_END_64) return undefined;
    const end = await view(file, u64(tail, at - 12), 56);
    return end.getUint32(0, true) === END_64 ? { bytes: u64(end, 40), at: u64(end, 48) } : undefined;
  }
  return undefined;
};

/** Replaces each number that does not fit into 32 bits by its value from the extra field with id 1. */
const largeNumbers = (data: DataView, from: number, length: number, numbers: readonly number[]): number[] => {
  if (!numbers.includes(FULL)) return [...numbers];
  for (let at = from; at + 4 <= from + length; at += 4 + data.getUint16(at + 2, true)) {
    if (data.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== FULL) return number;
      next += 8;
      return u64(data, next - 8);
    });
  }
  return [...numbers];
};
