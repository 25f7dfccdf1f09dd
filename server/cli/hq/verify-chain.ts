/** Verifies that a chain's report, or a single segment, is as the stores and their screens signed it. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { BadBytes } from '../../../shared/chain/bytes.ts';
import { ChainFileEnd, ChainFileHead, chainFileText } from '../../../shared/chain/report-file.ts';
import {
  decodeColumns,
  MAX_COLUMN_BYTES,
  MAX_HEADER_BYTES,
  type SegmentBody,
  SegmentHeader,
} from '../../../shared/chain/segment.ts';
import { SegmentsVerifier, type StoreVerdict } from '../../../shared/chain/verify-segments.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { isSignedBy, SPKI } from '../../kernel/trust/signed-by.ts';

/** Maximum length in bytes of the first line of a report. This line names up to 5,000 stores with their keys. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MOST_PROBLEMS = 1_000;

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

interface StoreFound extends Omit<StoreVerdict, 'store' | 'keys'> {
  readonly id: string;
  readonly name: string;
  /** Fingerprints of the keys that signed the segments of the store. */
  readonly fingerprints: readonly string[];
}

interface ChainProblem {
  readonly segment: number;
  /** `missing`: play numbers of a screen are absent, and nothing else is wrong. */
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
}

export interface ChainVerdict {
  readonly ok: boolean;
  readonly headquarters: string | null;
  /** Fingerprint of the server that signed the whole report; null: not signed, or the signature is wrong. */
  readonly server: string | null;
  readonly segments: number;
  readonly plays: number;
  readonly stores: readonly StoreFound[];
  readonly problems: readonly ChainProblem[];
}

/** Reads lines and byte ranges of a file in sequence. */
class FileReader {
  readonly #handle: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#handle = openSync(file, 'r');
  }

  /** Returns a line without its end; undefined at the end of the file. */
  line(): Buffer | undefined {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) return this.#take(end + 1).subarray(0, -1);
      if (this.#rest.length > MAX_LINE_BYTES) throw new BadBytes('the file has a line that is too long');
      if (this.#more()) continue;
      return this.#rest.length === 0 ? undefined : this.#take(this.#rest.length);
    }
  }

  bytes(length: number): Buffer {
    while (this.#rest.length < length)
      if (!this.#more()) throw new BadBytes('the file ends in the middle of a segment');
    return this.#take(length);
  }

  close(): void {
    closeSync(this.#handle);
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  #more(): boolean {
    const block = Buffer.alloc(256 * 1024);
    const length = readSync(this.#handle, block, 0, block.length, null);
    this.#rest = Buffer.concat([this.#rest, block.subarray(0, length)]);
    return length > 0;
  }
}

/** @param wanted fingerprint of the server that must have signed the whole report */
export const verifyChainFile = (file: string, wanted?: string): ChainVerdict => {
  const reader = new FileReader(file);
  try {
    return verdictOn(reader, wanted);
  } finally {
    reader.close();
  }
};

const verdictOn = (reader: FileReader, wanted: string | undefined): ChainVerdict => {
  const verifier = new SegmentsVerifier({ sha256, verify: isSignedBy });
  const whole = createHash('sha256');
  const problems: ChainProblem[] = [];
  let [segments, plays] = [0, 0];
  let head: ChainFileHead | undefined;
  let end: ChainFileEnd | undefined;
  let server: string | null = null;
  const problem = (message: string, isGap = false) => {
    if (problems.length < MOST_PROBLEMS)
      problems.push({ segment: segments, kind: isGap ? 'missing' : 'wrong', message });
  };
  try {
    for (let line = reader.line(); line !== undefined; line = reader.line()) {
      const value = jsonOf(line);
      if (end) throw new BadBytes('the file has extra data after its end');
      const asEnd = ChainFileEnd.safeParse(value);
      if (asEnd.success) {
        end = asEnd.data;
        if (whole.digest('hex') !== end.sha256 || end.segments !== segments || end.plays !== plays)
          problem('The file is not as headquarters wrote it: something is missing or was changed.');
        else if (!isSignedBy(end.key.slice(SPKI.length), chainFileText(end), end.signature))
          problem('The file is not as headquarters signed it.');
        else server = fingerprintOf(Buffer.from(end.key, 'hex'));
        continue;
      }
      whole.update(line).update('\n');
      const asHead = segments === 0 && !head ? ChainFileHead.safeParse(value) : undefined;
      if (asHead?.success) {
        head = asHead.data;
        continue;
      }
      const header = SegmentHeader.safeParse(value);
      if (!header.success || line.length > MAX_HEADER_BYTES)
        throw new BadBytes('the file has a line that does not belong in a report');
      segments++;
      const bytes = reader.bytes(header.data.bytes);
      whole.update(bytes);
      const { store, first, last } = header.data;
      const name = head?.stores.find(({ id }) => id === store)?.name ?? store;
      const say = (message: string, isGap?: boolean) =>
        problem(`The segment ${first} to ${last} of ${name} ${message}.`, isGap);
      const known = head ? (head.stores.find(({ id }) => id === store)?.keys ?? []) : undefined;
      const body = bodyOf(bytes, say);
      if (!body) continue;
      plays += body.plays.length;
      verifier.read(header.data, { body, bytesHash: sha256(bytes), known }, say);
    }
  } catch (error) {
    if (!(error instanceof BadBytes)) throw error;
    problem(`This is no whole report of a chain: ${error.message}.`);
  }
  if (head && !end) problem('The last line, which headquarters signs, is missing: the end was cut off.');
  if (wanted !== undefined && server !== wanted) problem(`It is not signed by the server ${wanted}.`);
  const stores = verifier.finish().map(({ store, keys, ...rest }) => ({
    id: store,
    name: head?.stores.find(({ id }) => id === store)?.name ?? store,
    // Formats the fingerprint as the store's admin window shows it, so that people can compare both.
    fingerprints: keys.map((key) => fingerprintOf(Buffer.from(SPKI + key, 'hex'))),
    ...rest,
  }));
  return {
    ok: problems.length === 0,
    headquarters: head?.headquarters ?? null,
    server,
    segments,
    plays,
    stores,
    problems,
  };
};

const jsonOf = (line: Buffer): unknown => {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw new BadBytes('the file has a line that is not valid JSON');
  }
};

const bodyOf = (bytes: Buffer, say: (message: string) => void): SegmentBody | undefined => {
  try {
    return decodeColumns(zstdDecompressSync(bytes, { maxOutputLength: MAX_COLUMN_BYTES }));
  } catch (error) {
    say(error instanceof BadBytes ? `cannot be read: ${error.message}` : 'cannot be unpacked');
    return undefined;
  }
};
