/** For tests: the signed journal of a screen, as a player stores it. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { genesis, rowHash, sealText } from '../../../shared/protocol/journal-chain.ts';
import type { Play, PlaysChain } from '../../../shared/protocol/messages.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Ed25519 key pair; the public key is raw, hex. */
export const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex'),
  };
};
export type Key = ReturnType<typeof newKey>;

export class Journal {
  readonly #key = newKey();
  readonly #hashes = [genesis(sha256, this.#key.key)];
  readonly rows: Play[] = [];
  /** Number of the highest row that was sent. */
  sent = 0;

  get key(): string {
    return this.#key.key;
  }

  add(play: Omit<Play, 'id'>): void {
    const row: Play = { boot_id: 'boot', uncertainty_ms: 0.3, ...play, id: randomUUID() };
    this.rows.push(row);
    const { boot_id = '', uncertainty_ms = null } = row;
    this.#hashes.push(
      rowHash(sha256, { ...row, boot_id, uncertainty_ms, seq: this.rows.length, prev: this.#hashes.at(-1)! }),
    );
  }

  /**
   * Returns the rows from `first` to `last` inclusive, as a message contains them. @default rows that were not sent yet
   */
  stretch(first = this.sent + 1, last = this.rows.length): { first: number; plays: Play[]; chain: PlaysChain } {
    const head = this.#hashes[last]!;
    this.sent = Math.max(this.sent, last);
    return {
      first,
      plays: this.rows.slice(first - 1, last),
      chain: { prev: this.#hashes[first - 1]!, head, signature: this.#key.sign(sealText({ seq: last, hash: head })) },
    };
  }
}
