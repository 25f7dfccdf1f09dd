/**
 * Reads from binary headers which machine the programs and libraries in a folder are made for: ELF (Linux), PE
 * (Windows), Mach-O (macOS). Finds binaries of another machine before a customer does.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A machine: its operating system and its processor, as named by Node (`linux`, `x64`). */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

export interface Binary {
  /** Operating system, as named by Node. */
  readonly platform: string;
  /** Processors, as named by Node. A universal macOS file has several; `unknown` if Node has no name. */
  readonly archs: readonly string[];
  /** True if the file is linked for musl. Electron needs glibc. */
  readonly musl: boolean;
  /** System libraries that the file needs. Not read from PE files. */
  readonly needs: readonly string[];
  /** True if the file is shorter than its header says. */
  readonly cut: boolean;
}

/** Matches file names, without the folder. */
const NAMED_LIKE_ONE = /\.(node|dll|dylib|exe|so)$|\.so\.[\d.]+$/;

const ELF_ARCHS: Readonly<Record<number, string>> = {
  3: 'ia32',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};
const PE_ARCHS: Readonly<Record<number, string>> = { 332: 'ia32', 452: 'arm', 34404: 'x64', 43620: 'arm64' };
const MACH_ARCHS: Readonly<Record<number, string>> = { 7: 'ia32', 12: 'arm', 16777223: 'x64', 16777228: 'arm64' };

/** Reads parts of a file, because Electron's program has 200 MB. */
interface Source {
  readonly size: number;
  /** Returns bytes from this offset. Bytes beyond the end of the file are zeros. */
  at(offset: number, length: number): Buffer;
}

/** @throws Error when the file cannot be read; undefined: not a binary */
export const readBinary = (file: string): Binary | undefined => {
  const fd = openSync(file, 'r');
  try {
    const at = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length);
      readSync(fd, bytes, 0, length, offset);
      return bytes;
    };
    return parse({ size: fstatSync(fd).size, at });
  } finally {
    closeSync(fd);
  }
};

const parse = (source: Source): Binary | undefined => {
  const start = source.at(0, 8);
  if (start.readUInt32BE() === 0x7f454c46) return elf(source);
  if (start.readUInt32LE() === 0xfeedfacf || start.readUInt32LE() === 0xfeedface) return mach(source, 0, source.size);
  // Java class files start with the same four bytes. Then comes their version, 45 or higher, where a universal file has
  // its small count.
  if ([0xcafebabe, 0xcafebabf].includes(start.readUInt32BE()) && start.readUInt32BE(4) < 16) return universal(source);
  return start.toString('latin1', 0, 2) === 'MZ' ? pe(source) : undefined;
};

/** Limits for header data; larger values mean an invalid header. */
const MOST_BYTES = 1024 * 1024;
const MOST_ENTRIES = 4096;

const elf = (source: Source): Binary => {
  const head = source.at(0, 64);
  const isBig = head[5] === 2;
  const arch = ELF_ARCHS[isBig ? head.readUInt16BE(18) : head.readUInt16LE(18)] ?? 'unknown';
  const platform = head[7] === 9 ? 'freebsd' : 'linux';
  // Files with 32 bit or another byte order are not read any further, because no package is for such a machine.
  if (head[4] !== 2 || isBig) return { platform, archs: [arch], musl: false, needs: [], cut: source.size < 52 };
  const [programs, sections] = [Number(head.readBigUInt64LE(32)), Number(head.readBigUInt64LE(40))];
  const segments = tableAt(source, programs, head.readUInt16LE(54), head.readUInt16LE(56)).map((each) => ({
    type: each.readUInt32LE(),
    offset: Number(each.readBigUInt64LE(8)),
    address: Number(each.readBigUInt64LE(16)),
    size: Number(each.readBigUInt64LE(32)),
  }));
  const end = Math.max(
    64,
    sections + head.readUInt16LE(58) * head.readUInt16LE(60),
    ...segments.map(({ offset, size }) => offset + size),
  );
  const text = (offset: number, length = 256) =>
    source.at(offset, Math.min(length, MOST_BYTES)).toString('latin1').split('\0')[0]!;
  const loader = segments.filter(({ type }) => type === 3).map(({ offset, size }) => text(offset, size));
  const dynamic = segments
    .filter(({ type }) => type === 2)
    .flatMap(({ offset, size }) => tableAt(source, offset, 16, Math.floor(size / 16)));
  const entries = dynamic.map((each) => ({
    tag: Number(each.readBigInt64LE()),
    value: Number(each.readBigUInt64LE(8)),
  }));
  const strings = entries.find(({ tag }) => tag === 5)?.value ?? 0;
  const place = segments.find(
    ({ type, address, size }) => type === 1 && strings >= address && strings < address + size,
  );
  const needs = place
    ? entries.filter(({ tag }) => tag === 1).map(({ value }) => text(strings - place.address + place.offset + value))
    : [];
  const musl = [...needs, ...loader].some((name) => /musl|^libc\.so$/.test(name));
  return {
    platform: needs.includes('libc.so.7') ? 'freebsd' : platform,
    archs: [arch],
    musl,
    needs,
    cut: end > source.size,
  };
};

const pe = (source: Source): Binary | undefined => {
  const start = source.at(0x3c, 4).readUInt32LE();
  const head = source.at(start, 24);
  if (head.readUInt32BE() !== 0x50450000) return undefined;
  const sections = tableAt(source, start + 24 + head.readUInt16LE(20), 40, head.readUInt16LE(6));
  const end = Math.max(0, ...sections.map((each) => each.readUInt32LE(16) + each.readUInt32LE(20)));
  return {
    platform: 'win32',
    archs: [PE_ARCHS[head.readUInt16LE(4)] ?? 'unknown'],
    musl: false,
    needs: [],
    cut: end > source.size,
  };
};

const LOAD_DYLIB = [0xc, 0x80000018, 0x8000001f];
const SEGMENT_64 = 0x19;

const mach = (source: Source, from: number, size: number): Binary => {
  const head = source.at(from, 32);
  const is64 = head.readUInt32LE() === 0xfeedfacf;
  const start = is64 ? 32 : 28;
  const commands = source.at(from + start, Math.min(head.readUInt32LE(20), MOST_BYTES));
  const needs: string[] = [];
  let end = start + commands.length;
  for (
    let at = 0, left = Math.min(head.readUInt32LE(16), MOST_ENTRIES);
    left > 0 && at + 8 <= commands.length;
    left--
  ) {
    const [kind, length] = [commands.readUInt32LE(at), commands.readUInt32LE(at + 4)];
    const command = commands.subarray(at, at + length);
    if (LOAD_DYLIB.includes(kind) && command.length > 24)
      needs.push(command.toString('latin1', command.readUInt32LE(8)).split('\0')[0]!);
    if (kind === SEGMENT_64 && command.length >= 56)
      end = Math.max(end, Number(command.readBigUInt64LE(40) + command.readBigUInt64LE(48)));
    at += Math.max(8, length);
  }
  return {
    platform: 'darwin',
    archs: [MACH_ARCHS[head.readUInt32LE(4)] ?? 'unknown'],
    musl: false,
    needs,
    cut: end > size,
  };
};

const universal = (source: Source): Binary => {
  const head = source.at(0, 8);
  const isWide = head.readUInt32BE() === 0xcafebabf;
  const slices = tableAt(source, 8, isWide ? 32 : 20, head.readUInt32BE(4)).map((each) => {
    const [from, size] = isWide
      ? [Number(each.readBigUInt64BE(8)), Number(each.readBigUInt64BE(16))]
      : [each.readUInt32BE(8), each.readUInt32BE(12)];
    return {
      arch: MACH_ARCHS[each.readUInt32BE()] ?? 'unknown',
      end: from + size,
      ...(from + size <= source.size && { inside: mach(source, from, size) }),
    };
  });
  const needs = new Set(slices.flatMap(({ inside }) => inside?.needs ?? []));
  const cut = slices.some(({ inside }) => inside === undefined || inside.cut);
  return { platform: 'darwin', archs: slices.map(({ arch }) => arch), musl: false, needs: [...needs], cut };
};

const tableAt = (source: Source, offset: number, length: number, count: number): readonly Buffer[] => {
  if (length === 0 || !Number.isSafeInteger(offset)) return [];
  const entries = Math.min(count, MOST_ENTRIES);
  const all = source.at(offset, entries * length);
  return Array.from({ length: entries }, (_, i) => all.subarray(i * length, (i + 1) * length));
};

export const fits = ({ platform, archs, musl }: Binary, target: Target): boolean =>
  platform === target.platform && archs.includes(target.arch) && !musl;

/** Returns the machine as text, for example `darwin-x64+arm64` or `linux-x64 (musl)`. */
export const nameOf = ({ platform, archs, musl }: Binary): string =>
  `${platform}-${archs.join('+')}${musl ? ' (musl)' : ''}`;

/**
 * Returns what is wrong with a file. Undefined if the file is a binary for this machine, or if it is no binary and its
 * name is not that of a binary.
 * @throws Error when the file cannot be read
 */
export const faultOf = (file: string, target: Target): string | undefined => {
  const binary = readBinary(file);
  if (!binary) return NAMED_LIKE_ONE.test(file) ? 'is no program or library' : undefined;
  if (!fits(binary, target)) return `is for ${nameOf(binary)}`;
  return binary.cut ? 'is cut off' : undefined;
};

/**
 * Returns the faults of all binaries below a folder that are not for this machine. Links are not followed, because the
 * files that they name are checked anyway.
 */
export const faultsIn = (folder: string, target: Target): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const fault = faultOf(file, target);
      return fault === undefined ? [] : [`${relative(folder, file).replaceAll('\\', '/')} ${fault}`];
    });

/** Libraries on every Linux desktop: glibc, and the C++ library that Electron and Node need. */
const EVERYWHERE_ON_LINUX = /^(ld-linux[\w-]*|lib(c|m|dl|rt|pthread|resolv|util|mvec|stdc\+\+|gcc_s))\.so\.\d+$/;
const EVERYWHERE_ON_MACOS = /^(\/usr\/lib\/|\/System\/)/;

/** Returns required libraries that other machines may lack. */
export const needsElsewhere = ({ platform, needs }: Binary): readonly string[] =>
  needs.filter((name) => (platform === 'darwin' ? !EVERYWHERE_ON_MACOS.test(name) : !EVERYWHERE_ON_LINUX.test(name)));
