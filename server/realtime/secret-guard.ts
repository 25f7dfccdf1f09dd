/** Proof that a player is the device it says it is, and what happens to those who cannot prove it. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Wrong secrets of one address in a minute; beyond, it is refused at once (player protocol). */
const MAX_WRONG = 20;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
const NOBODY = Buffer.alloc(32);

export const hashOfSecret = (secretHex: string): Buffer => createHash('sha256').update(Buffer.from(secretHex, 'hex')).digest();

/** Takes the same time whether the device exists or not. @param expected SHA-256 in hex; undefined: no such device */
export const provesIdentity = (secretHex: string, expected: string | undefined): boolean => {
  const same = timingSafeEqual(hashOfSecret(secretHex), expected === undefined ? NOBODY : Buffer.from(expected, 'hex'));
  return same && expected !== undefined;
};

export class WrongSecrets {
  readonly #mono: () => number;
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  constructor(mono: () => number) {
    this.#mono = mono;
  }

  /** Counts one more. True when the address has used up its attempts. */
  tooMany(address: string): boolean {
    const now = this.#mono();
    let window = this.#windows.get(address);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + WINDOW_MS };
      this.#windows.delete(address);
      this.#windows.set(address, window);
      if (this.#windows.size > MAX_ADDRESSES) this.#windows.delete(this.#windows.keys().next().value!);
    }
    return ++window.count > MAX_WRONG;
  }
}
