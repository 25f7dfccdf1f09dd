/**
 * Verifies stores' segments in order: that the store signed them, that no segment is missing in between, and which
 * plays are covered by the screens' own signatures. Pure; the host does the cryptography and the unpacking.
 */
import { rowHash, sealText } from '../protocol/journal-chain.ts';
import { gapText } from '../protocol/verify.ts';
import {
  headOf,
  playAsWritten,
  type SegmentBody,
  type SegmentHeader,
  type SegmentPlay,
  segmentText,
} from './segment.ts';

export interface SegmentCrypto {
  /** SHA-256 of the text's UTF-8 bytes, lower-case hex. */
  sha256(text: string): string;
  /** Verifies an Ed25519 signature; raw key and signature in hex. */
  verify(key: string, text: string, signature: string): boolean;
}

/**
 * Reports a problem of a segment, as a sentence that is printed after the number of the segment. `isGap`: plays are
 * missing but nothing was changed.
 */
type Report = (message: string, isGap?: boolean) => void;

interface Screen {
  readonly store: string;
  readonly name: string;
  /** Number of the last row in the screen's journal; 0: unknown. */
  seq: number;
  /** Last row of the screen's journal whose hash could be computed; undefined: no such row. */
  last: { readonly seq: number; readonly hash: string } | undefined;
  key: string | null;
  plays: number;
  signed: number;
  /** Number of plays since the last valid signature. */
  unsigned: number;
  readonly gaps: ScreenGap[];
}

/** A range of numbers of a screen's journal that are not in the file, both ends inclusive. */
export interface ScreenGap {
  readonly from: number;
  readonly to: number;
}

/** Maximum number of listed gaps per screen. Further gaps are reported as problems, but not listed. */
const MOST_GAPS = 1_000;

export interface StoreVerdict {
  readonly store: string;
  /** Raw Ed25519 keys that signed its segments, hex. */
  readonly keys: readonly string[];
  readonly segments: number;
  readonly screens: readonly {
    readonly name: string;
    readonly plays: number;
    readonly signed: number;
    readonly gaps: readonly ScreenGap[];
  }[];
}

export class SegmentsVerifier {
  readonly #crypto: SegmentCrypto;
  /** Last number and chain hash of the last segment of each epoch. */
  readonly #ends = new Map<string, { readonly last: number; readonly head: string }>();
  readonly #screens = new Map<string, Screen>();
  readonly #stores = new Map<string, { keys: Set<string>; segments: number }>();

  constructor(crypto: SegmentCrypto) {
    this.#crypto = crypto;
  }

  /**
   * Verifies the next segment of the file.
   * @param bytesHash SHA-256 of its compressed columns, hex
   * @param known keys of the store; undefined: unknown
   */
  read(
    header: SegmentHeader,
    { body, bytesHash, known }: { body: SegmentBody; bytesHash: string; known?: readonly string[] | undefined },
    problem: Report,
  ): void {
    const { sha256, verify } = this.#crypto;
    const { store, epoch, first, last, key } = header;
    const place = `${store} ${epoch}`;
    if (!verify(key, segmentText(header, bytesHash), header.signature)) problem('is not as its store signed it');
    if (known && !known.includes(key)) problem('is signed by a key that is not one of its store');
    const numbers = body.plays.map(({ number }) => number);
    if (body.plays.length !== header.plays || numbers.some((number) => number < first || number > last))
      problem('has other plays than its header states');
    if (headOf(sha256, header.prev_head, body.plays) !== header.head)
      problem('has plays that do not match its checksum');
    const end = this.#ends.get(place);
    // Plays that were sent again together with newer plays, because the answer to the previous segment was lost.
    const again = end ? body.plays.filter(({ number }) => number <= end.last) : [];
    if (end && last <= end.last) problem(`begins at ${first}, and the one before it ended at ${end.last}`);
    else if (end && first > end.last + 1)
      problem(`is missing what came before it: the numbers ${end.last + 1} to ${first - 1}`);
    else if (end && end.head !== headOf(sha256, header.prev_head, again))
      problem('does not follow from the one before it');
    this.#ends.set(place, { last, head: header.head });
    const signer = this.#stores.get(store) ?? { keys: new Set(), segments: 0 };
    signer.keys.add(key);
    signer.segments++;
    this.#stores.set(store, signer);
    // The comparison of screen numbers starts again in two cases: after missing segments, which were reported already,
    // and in another epoch, whose earlier segments may be outside the report.
    if (!end || first > end.last + 1) this.#forgetNumbers(store);
    this.#panels(store, { ...body, plays: body.plays.slice(again.length) }, problem);
  }

  finish(): StoreVerdict[] {
    return [...this.#stores].map(([store, { keys, segments }]) => ({
      store,
      keys: [...keys],
      segments,
      screens: [...this.#screens.values()]
        .filter((screen) => screen.store === store)
        .map(({ name, plays, signed, gaps }) => ({ name, plays, signed, gaps })),
    }));
  }

  #forgetNumbers(store: string): void {
    for (const screen of this.#screens.values()) if (screen.store === store) screen.seq = 0;
  }

  #panels(store: string, { devices, plays, marks, seals }: SegmentBody, problem: Report): void {
    const marked = new Map(marks.map(({ device_id, seq, prev }) => [`${device_id} ${seq}`, prev]));
    const sealed = new Map(seals.map(({ device_id, seq, signature }) => [`${device_id} ${seq}`, signature]));
    for (const { id, name, key } of devices) {
      const place = `${store} ${id}`;
      const screen = this.#screens.get(place);
      if (!screen)
        this.#screens.set(place, {
          store,
          name,
          key,
          seq: 0,
          last: undefined,
          plays: 0,
          signed: 0,
          unsigned: 0,
          gaps: [],
        });
      // The screen was claimed again, or has signed for the first time, so the check of its signatures starts again.
      else if (key !== null && screen.key !== key) Object.assign(screen, { key, unsigned: 0, last: undefined, seq: 0 });
    }
    for (const play of plays) {
      const screen = this.#screens.get(`${store} ${play.device_id}`)!;
      const row = `${play.device_id} ${play.seq}`;
      screen.plays++;
      this.#compareNumbers(screen, play.seq, problem);
      const mark = marked.get(row);
      // A new signed group of plays begins here. No later signature covers the earlier plays, so they stay unsigned.
      if (mark !== undefined && mark !== screen.last?.hash) screen.unsigned = 0;
      const hash = this.#hashOf(play, mark, screen);
      screen.last = hash === undefined ? undefined : { seq: play.seq, hash };
      if (hash === undefined) screen.unsigned = 0;
      else screen.unsigned++;
      const signature = sealed.get(row);
      // If the start of the signed group is not in the file, the signature cannot be verified, and the plays count as
      // unsigned.
      if (signature === undefined || hash === undefined || screen.key === null) continue;
      if (this.#crypto.verify(screen.key, sealText({ seq: play.seq, hash }), signature)) {
        screen.signed += screen.unsigned;
        screen.unsigned = 0;
      } else problem(`has plays of ${screen.name}, up to play ${play.seq}, that are not as the screen signed them`);
    }
  }

  /**
   * Reports a gap if numbers are missing. A lower number than before is not a gap: a screen with a lost journal counts
   * from one again.
   */
  #compareNumbers(screen: Screen, seq: number, problem: Report): void {
    const from = screen.seq + 1;
    const to = seq - 1;
    if (screen.seq > 0 && to >= from) {
      if (screen.gaps.length < MOST_GAPS) screen.gaps.push({ from, to });
      problem(`has a gap: ${gapText(screen.name, from, to)}`, true);
    }
    screen.seq = seq;
  }

  /** Returns the hash of the play's row in the journal. Undefined if the hash of the previous row is unknown. */
  #hashOf(play: SegmentPlay, mark: string | undefined, { last }: Screen): string | undefined {
    const prev = mark ?? (last && last.seq === play.seq - 1 ? last.hash : undefined);
    return prev === undefined
      ? undefined
      : rowHash(this.#crypto.sha256, { ...playAsWritten(play), prev, boot_id: play.boot_id ?? '' });
  }
}
