/**
 * Verifies the file of a report (plays-file.ts): detects rows that were removed, changed, repeated or moved. Pure; the
 * host does the cryptography.
 */
import { genesis, sealText } from './journal-chain.ts';
import { endText, FileLine, hashOfLine, type PlayLine } from './plays-file.ts';

export interface VerifyCrypto {
  /** SHA-256 of the text's UTF-8 bytes, lower-case hex. */
  sha256(text: string): string;
  /** Ed25519; key and signature in hex. */
  verify(publicKey: string, text: string, signature: string): boolean;
  /** SHA-256 of consecutive texts, in hex; and of the bytes that hex digits encode. */
  hasher(): { update(text: string): void; digest(): string };
  sha256OfHex(hex: string): string;
}

export type ProblemKind =
  /** The line is not valid at this position of a report. */
  | 'malformed'
  /** The row's content does not match its hash. */
  | 'changed'
  /**
   * Rows between this row and the previous row are missing: removed from the file, or dropped by a player with a full
   * journal.
   */
  | 'missing'
  /** The row occurs a second time. */
  | 'repeated'
  /** The row comes after a later row. */
  | 'reordered'
  /** The numbers match but the hashes do not: this row or the previous row was replaced. */
  | 'broken'
  /** The signature is not from the device, or belongs to other rows. */
  | 'forged'
  /** The last line is missing or has another count. The end of the file was cut off. */
  | 'cut'
  /** The content of the whole file differs from what the server signed, or another server signed it. */
  | 'unsigned';

export interface Problem {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly kind: ProblemKind;
  /** Description of the problem as a sentence for people. */
  readonly message: string;
}

export interface DeviceVerdict {
  readonly device_id: string;
  readonly device_name: string;
  readonly plays: number;
  /** Number of plays covered by a valid signature. */
  readonly signed: number;
}

export interface Verdict {
  /** Whether no problem was found. Unsigned plays are not a problem, but see {@link DeviceVerdict.signed}. */
  readonly ok: boolean;
  readonly plays: number;
  /**
   * Fingerprint of the server with a valid signature of the whole file. Null: there is no such signature, and whole
   * groups of plays at the end may have been cut off.
   */
  readonly server: string | null;
  readonly devices: readonly DeviceVerdict[];
  readonly gaps: readonly Gap[];
  readonly problems: readonly Problem[];
}

/** A range of numbers of a device's journal that are not in the file, both ends inclusive. */
export interface Gap {
  readonly device_id: string;
  readonly device_name: string;
  readonly from: number;
  readonly to: number;
  /**
   * True if the hash of the row after the gap follows directly from the row before the gap: the player itself
   * skipped these numbers. False if the player dropped plays because its journal was full, or a person removed them.
   */
  readonly skipped_by_player: boolean;
}

/** Returns a description of the gap as a sentence for people. */
export const gapText = (name: string, from: number, to: number): string =>
  from === to ? `play ${from} of ${name} is missing` : `plays ${from} to ${to} of ${name} are missing`;

interface Reading {
  readonly name: string;
  readonly isComplete: boolean;
  readonly key: string | null;
  plays: number;
  signed: number;
  /** Number of plays since the last valid signature. */
  unsealed: number;
  last: { readonly seq: number; readonly hash: string | null; readonly zone: string | null } | null;
  readonly seen: Set<string>;
}

/**
 * Maximum number of reported problems. Further problems are only counted, because an unrelated file would fill the
 * memory.
 */
const MOST_PROBLEMS = 1_000;

/** Verifies a report line by line, so that a file of millions of plays is not in memory at once. */
export class ReportVerifier {
  readonly #crypto: VerifyCrypto;
  readonly #devices = new Map<string, Reading>();
  readonly #problems: Problem[] = [];
  readonly #gaps: Gap[] = [];
  #line = 0;
  #plays = 0;
  #end: number | null = null;
  #server: string | null = null;
  readonly #wanted: string | undefined;
  readonly #whole: ReturnType<VerifyCrypto['hasher']>;

  /** @param wanted fingerprint of the server that must have signed the file; default: any server */
  constructor(crypto: VerifyCrypto, wanted?: string) {
    this.#crypto = crypto;
    this.#wanted = wanted;
    this.#whole = crypto.hasher();
  }

  /** Reads the next line of the file, without its line end. Empty lines are skipped. */
  read(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    if (!text.startsWith('{"type":"end"')) this.#whole.update(`${text}\n`);
    const parsed = FileLine.safeParse(jsonOrNull(text));
    if (!parsed.success) return this.#problem('malformed', 'this is no line of a report');
    const line = parsed.data;
    if (this.#end !== null) this.#problem('malformed', 'something follows the end');
    switch (line.type) {
      case 'device':
        return this.#device(line);
      case 'play':
        return this.#play(line);
      case 'seal':
        return this.#seal(line);
      case 'end':
        return this.#ends(line);
      default:
        line satisfies never;
    }
  }

  finish(): Verdict {
    if (this.#end === null) this.#problem('cut', 'the last line, which counts the plays, is missing');
    else if (this.#end !== this.#plays)
      this.#problem('cut', `the file was written with ${this.#end} plays, and has ${this.#plays}`);
    const devices = [...this.#devices].map(([device_id, { name, plays, signed }]) => ({
      device_id,
      device_name: name,
      plays,
      signed,
    }));
    if (this.#wanted !== undefined && this.#server !== this.#wanted)
      this.#problem('unsigned', `it is not signed by the server ${this.#wanted}`);
    return {
      ok: this.#problems.length === 0,
      plays: this.#plays,
      server: this.#server,
      devices,
      gaps: this.#gaps,
      problems: this.#problems,
    };
  }

  #ends({ plays, server }: Extract<FileLine, { type: 'end' }>): void {
    this.#end = plays;
    if (!server) return;
    const isOfThese = this.#whole.digest() === server.sha256;
    const isSigned = this.#crypto.verify(server.public_key.slice(-64), endText(plays, server.sha256), server.signature);
    if (isOfThese && isSigned) this.#server = this.#crypto.sha256OfHex(server.public_key);
    else this.#problem('unsigned', 'the file is not as the server wrote and signed it');
  }

  #device({ device_id, device_name, signing_key, complete }: Extract<FileLine, { type: 'device' }>): void {
    if (this.#devices.has(device_id)) return this.#problem('repeated', `the device ${device_name} is here twice`);
    this.#devices.set(device_id, {
      name: device_name,
      isComplete: complete === true,
      key: signing_key,
      plays: 0,
      signed: 0,
      unsealed: 0,
      last: null,
      seen: new Set(),
    });
  }

  #play(line: PlayLine): void {
    this.#plays++;
    const device = this.#devices.get(line.device_id);
    if (!device) return this.#problem('malformed', `play ${line.seq} is of a device that is not named before`);
    device.plays++;
    device.unsealed++;
    const what = `play ${line.seq} of ${device.name}`;
    if (device.seen.has(line.id)) this.#problem('repeated', `${what} is here twice`);
    device.seen.add(line.id);
    if (line.hash !== hashOfLine(this.#crypto.sha256, line))
      this.#problem('changed', `${what} is not as it was written`);
    else this.#follows(device, line, what);
    device.last = { seq: line.seq, hash: line.hash, zone: line.zone_id };
  }

  /**
   * Checks that the row continues the previous row. If the device lost its journal, the new journal begins with the
   * device's own start hash.
   */
  #follows(device: Reading, line: PlayLine, what: string): void {
    const before = device.last;
    if (!before) return;
    const hasGap = line.seq > before.seq + 1;
    if (line.prev === null || before.hash === null) {
      // Unsigned plays are in the order of their starts, which equals the order of their numbers without zones.
      const isInOrder = device.isComplete && before.zone === null && line.zone_id === null;
      if (hasGap && isInOrder) this.#missing(device, line, before.seq);
      return;
    }
    if (line.prev === before.hash) {
      if (hasGap) this.#gap(device, line, { after: before.seq, isSkipped: true });
      return;
    }
    const anew = line.seq === 1 && device.key !== null && line.prev === genesis(this.#crypto.sha256, device.key);
    if (anew) return;
    if (line.seq <= before.seq) this.#problem('reordered', `${what} stands behind play ${before.seq}`);
    else if (hasGap) this.#missing(device, line, before.seq);
    else this.#problem('broken', `${what} does not follow from the play before it`);
  }

  #missing(device: Reading, line: PlayLine, after: number): void {
    this.#gap(device, line, { after, isSkipped: false });
    this.#problem('missing', gapText(device.name, after + 1, line.seq - 1));
  }

  #gap(
    { name }: Reading,
    { device_id, seq }: PlayLine,
    { after, isSkipped }: { after: number; isSkipped: boolean },
  ): void {
    if (this.#gaps.length >= MOST_PROBLEMS) return;
    const numbers = { from: after + 1, to: seq - 1 };
    this.#gaps.push({ device_id, device_name: name, ...numbers, skipped_by_player: isSkipped });
  }

  #seal(line: Extract<FileLine, { type: 'seal' }>): void {
    const device = this.#devices.get(line.device_id);
    if (!device) return this.#problem('malformed', 'a signature of a device that is not named before');
    const covers = device.last?.seq === line.seq && device.last.hash === line.hash;
    if (!covers)
      return this.#problem(
        'forged',
        `the signature for play ${line.seq} of ${device.name} was made for other rows than these`,
      );
    if (device.key === null || !this.#crypto.verify(device.key, sealText(line), line.signature))
      return this.#problem('forged', `the signature for play ${line.seq} is not that of ${device.name}`);
    device.signed += device.unsealed;
    device.unsealed = 0;
  }

  #problem(kind: ProblemKind, message: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ line: this.#line, kind, message });
  }
}

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
