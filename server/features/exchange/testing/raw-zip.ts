/** For tests: writes unusual and invalid ZIPs. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  readonly name: string;
  readonly bytes: Buffer | string;
  readonly deflate?: boolean;
  /** Values in the ZIP directory that differ from the real values. */
  readonly says?: {
    readonly size?: number;
    readonly crc32?: number;
    readonly method?: number;
    readonly flags?: number;
  };
  /** Bytes of extra fields in the entry's own header beyond those in the directory. */
  readonly extra?: number;
  /** Index of the entry whose position this entry claims. */
  readonly at?: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

export const rawZip = (entries: readonly RawEntry[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let position = 0;
  for (const { name, bytes, deflate = false, says = {}, extra = 0, at } of entries) {
    const content = Buffer.from(bytes);
    const packed = deflate ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (says.flags ?? 0), 2);
    common.writeUInt16LE(says.method ?? (deflate ? 8 : 0), 4);
    common.writeUInt32LE(says.crc32 ?? crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says.size ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const offset = at === undefined ? position : offsets[at]!;
    offsets.push(offset);
    if (at === undefined) {
      const local = Buffer.concat([numbers(LOCAL), common, Buffer.from(name), packed]);
      local.writeUInt16LE(extra, 28);
      parts.push(local);
      position += local.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(numbers(CENTRAL), Buffer.from([20, 0]), common, rest, Buffer.from(name));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(position, 12);
  return Buffer.concat([...parts, central, numbers(END), end]);
};

/** Returns a ZIP that claims to have this many entries, and has none. */
export const zipSaying = (count: number): Buffer => {
  const end64 = Buffer.alloc(52);
  end64.writeUInt32LE(count, 28);
  const locator = Buffer.alloc(16);
  const end = Buffer.alloc(18, 0xff);
  end.writeUInt32LE(0, 0);
  end.writeUInt16LE(0, 16);
  return Buffer.concat([numbers(END_64), end64, numbers(LOCATOR_64), locator, numbers(END), end]);
};

const numbers = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
