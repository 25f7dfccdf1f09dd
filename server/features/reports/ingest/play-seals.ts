/**
 * Saves the signatures of players, so that a report can be verified later (shared/protocol/verify.ts). A signed group
 * of consecutive plays grows with each message that continues it. The server does not verify signatures, because
 * thousands arrive per second; `verify` finds forged rows later.
 */
import { createHash } from 'node:crypto';
import { rowHash } from '../../../../shared/protocol/journal-chain.ts';
import type { Play, PlaysChain } from '../../../../shared/protocol/messages.ts';

/**
 * Maximum rows per signed group of plays. Only whole groups can be verified, so an export of a day may have to add up
 * to this many rows.
 */
const SEALED_ROWS = 1_000;

export interface Stretch {
  readonly id: number;
  readonly first: number;
  readonly through: number;
  readonly head: string;
  readonly signing_key: string;
}

export interface SealsWriter {
  latestSeal(deviceId: string): Stretch | undefined;
  addSeal(seal: {
    workspaceId: string;
    deviceId: string;
    firstPlay: number;
    lastPlay: number;
    first: number;
    through: number;
    prev: string;
    head: string;
    signature: string;
    signingKey: string;
  }): void;
  extendSeal(id: number, seal: { lastPlay: number; through: number; head: string; signature: string }): void;
}

interface SealedBatch {
  readonly device: { readonly id: string; readonly workspace_id: string; readonly signing_key: string | null };
  readonly first: number;
  readonly plays: readonly Play[];
  /** Ids under which the plays are saved. */
  readonly ids: readonly number[];
  readonly chain: PlaysChain | undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const storeSeal = (writer: SealsWriter, { device, first, plays, ids, chain }: SealedBatch): void => {
  const [firstPlay, lastPlay] = [ids[0], ids.at(-1)];
  if (!chain || !device.signing_key || firstPlay === undefined || lastPlay === undefined) return;
  const through = first + plays.length - 1;
  const { prev, head, signature } = chain;
  const latest = writer.latestSeal(device.id);
  const seal = { through, head, signature, lastPlay };
  const fresh = { workspaceId: device.workspace_id, deviceId: device.id, signingKey: device.signing_key };
  // The player sent rows again because the answer was lost, mostly with newer rows after them. Only the newer rows
  // are added.
  const known =
    latest && latest.signing_key === device.signing_key && first <= latest.through && through >= latest.through
      ? hashesOf(first, plays, prev).get(latest.through)
      : undefined;
  const goesOn =
    latest !== undefined &&
    latest.signing_key === device.signing_key &&
    (first === latest.through + 1 ? prev === latest.head : known === latest.head);
  if (goesOn && through === latest.through) return;
  if (goesOn && through - latest.first < SEALED_ROWS) return writer.extendSeal(latest.id, seal);
  const skipped = goesOn ? latest.through + 1 - first : 0;
  writer.addSeal({
    ...fresh,
    ...seal,
    firstPlay: ids[skipped] ?? firstPlay,
    first: first + skipped,
    prev: goesOn ? latest.head : prev,
  });
};

/** Returns the hash chain of these plays: the hash after each play, by journal number. */
const hashesOf = (first: number, plays: readonly Play[], prev: string): Map<number, string> => {
  const hashes = new Map<number, string>();
  let before = prev;
  for (const [i, { boot_id = '', uncertainty_ms = null, ...play }] of plays.entries()) {
    before = rowHash(sha256, { ...play, boot_id, uncertainty_ms, seq: first + i, prev: before });
    hashes.set(first + i, before);
  }
  return hashes;
};
