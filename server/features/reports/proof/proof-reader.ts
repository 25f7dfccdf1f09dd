/**
 * Makes the lines of a verifiable report (shared/protocol/plays-file.ts) in pieces, one task per piece. Runs in the
 * reports' thread.
 */
import { createHash } from 'node:crypto';
import { type KeptPlay, stretchLines } from '../../../../shared/protocol/plays-file.ts';
import type { Cursor } from '../plays.store.ts';
import type { JournalPlay, ProofScope, ProofStore, StoredSeal } from './proof.store.ts';

/** Ids per read of the index. A read takes some milliseconds. */
const IDS = 20_000;
/** Lines per piece of plays without a signature. */
const LOOSE_ROWS = 800;

export type ProofQuestion =
  /** `devices` requests the screens, `plan` requests the signed groups of a screen's plays in the period. */
  | { readonly ask: 'devices'; readonly workspaceId: string }
  | { readonly ask: 'plan'; readonly scope: ProofScope; readonly cursor: Cursor | undefined }
  /** The tasks below request lines: `stretch` of one signed group, `loose` of plays without a signature. */
  | { readonly ask: 'stretch'; readonly scope: ProofScope; readonly from: number; readonly to: number }
  | { readonly ask: 'loose'; readonly scope: ProofScope; readonly cursor: Cursor | undefined };

export interface ProofDevice {
  readonly device_id: string;
  readonly device_name: string;
  readonly signing_key: string | null;
}

/** A part of the proof for a screen and a period. */
export interface ProofPlan {
  /**
   * Ids of the first and the last signed group with plays of the period. All groups between them belong to the hash
   * chain, regardless of their times.
   */
  readonly seals: { readonly from: number; readonly to: number } | null;
  /** Whether some plays of this part have no signature. */
  readonly hasLoose: boolean;
  readonly next: Cursor | null;
}

interface ProofLines {
  readonly text: string;
  readonly plays: number;
  readonly next: Cursor | null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export class ProofReader {
  readonly #store: ProofStore;

  constructor(store: ProofStore) {
    this.#store = store;
  }

  devices(workspaceId: string): ProofDevice[] {
    return this.#store.devices(workspaceId).map((device) => ({
      ...device,
      signing_key: this.#store.signingKey({ workspaceId, deviceId: device.device_id }),
    }));
  }

  plan(scope: ProofScope, cursor: Cursor | undefined): ProofPlan {
    const page = this.#store.ids(scope, cursor, IDS);
    const sealOf = finder(this.#store.seals(scope));
    const found: number[] = [];
    let hasLoose = false;
    for (const { id } of page) {
      const seal = sealOf(id);
      if (seal) found.push(seal.id);
      else hasLoose = true;
    }
    const seals =
      found.length > 0
        ? { from: found.reduce((a, b) => Math.min(a, b)), to: found.reduce((a, b) => Math.max(a, b)) }
        : null;
    return { seals, hasLoose, next: page.length === IDS ? page.at(-1)! : null };
  }

  /**
   * Returns the first signed group of `from` to `to`. The signature covers the whole group, so plays outside the period
   * or the filter are included and marked.
   */
  stretch(scope: ProofScope, { from, to }: { from: number; to: number }): ProofLines & { nextSeal: number | null } {
    const [seal, next] = this.#store.seals({ ...scope, from, limit: 2 }).filter(({ id }) => id <= to);
    if (!seal) return { text: '', plays: 0, next: null, nextSeal: null };
    const { first, through, prev, head, signature } = seal;
    const rows = this.#store.stretch(scope, seal);
    const meant = this.#store.meant(scope, rows);
    const plays = rows.map((play) => keptOf(play, meant.has(play.id)));
    return {
      ...linesOf(scope, [{ seal: { first, through, prev, head, signature }, plays }], null),
      nextSeal: next?.id ?? null,
    };
  }

  loose(scope: ProofScope, cursor: Cursor | undefined): ProofLines {
    const page = this.#store.ids(scope, cursor, LOOSE_ROWS);
    const sealOf = finder(this.#store.seals(scope));
    const plays = page.flatMap(({ id }) => (sealOf(id) ? [] : (this.#store.play(id) ?? [])));
    return linesOf(
      scope,
      [{ seal: null, plays: plays.map((play) => keptOf(play, true)) }],
      page.length === LOOSE_ROWS ? page.at(-1)! : null,
    );
  }
}

/**
 * Returns a function that finds the signed group of a play. The groups of a journal are in order and do not overlap.
 */
const finder = (seals: readonly StoredSeal[]): ((id: number) => StoredSeal | undefined) => {
  const sorted = [...seals].sort((a, b) => a.first_play - b.first_play);
  return (id) => {
    let [low, high] = [0, sorted.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const seal = sorted[middle]!;
      if (id < seal.first_play) high = middle - 1;
      else if (id > seal.last_play) low = middle + 1;
      else return seal;
    }
    return undefined;
  };
};

const linesOf = (scope: ProofScope, stretches: Parameters<typeof stretchLines>[2], next: Cursor | null): ProofLines => {
  let [text, plays] = ['', 0];
  for (const line of stretchLines(sha256, scope.deviceId, stretches)) {
    text += `${JSON.stringify(line)}\n`;
    if (line.type === 'play') plays++;
  }
  return { text, plays, next };
};

/** Returns the play as the player sent it, because the hash covers those values. */
const keptOf = (play: JournalPlay, isMeant: boolean): KeptPlay => {
  const { play_id, started_ms, ended_ms, completed, claimed, id: _, ...rest } = play;
  const [started_at, ended_at] = claimed === null ? [started_ms, ended_ms] : (JSON.parse(claimed) as [number, number]);
  return {
    ...rest,
    id: play_id,
    started_at,
    ended_at,
    completed: completed === 1,
    ...(!isMeant && { context: true as const }),
  };
};
