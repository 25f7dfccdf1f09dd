/**
 * How a server proves to a player that somebody has read the code off the player's screen and typed it in there, and
 * the player to the server that it is the one with that screen: CPace (draft-irtf-cfrg-cpace), a password-authenticated
 * key exchange, on ristretto255. The code itself never travels, and whoever stands in between or pretends to be either
 * end has one guess for each time that a person types a code, and nothing to try further guesses on. Bound to the
 * server's fingerprint and the player's secret, so that a proof meant for one server is worth nothing at another.
 */
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const { Point } = ristretto255;
const GENERATOR = { DST: 'vitrine claim generator' };
const SCALAR = { DST: 'vitrine claim scalar' };

/** What both ends know of each other before. */
export interface ClaimContext {
  /** Of this run; hex, made by the server. */
  readonly id: string;
  /** Of the server's key, which it has proved to hold. */
  readonly fingerprint: string;
  /** The player's, as it said hello with. */
  readonly secretHash: string;
}

export type ClaimSide = 'server' | 'player';

/** One run. What it answers differs at the two ends where code or context do. */
export class CodeProof {
  /** For the other end; hex. */
  readonly share: string;
  readonly #side: ClaimSide;
  readonly #scalar: bigint;
  readonly #context: Uint8Array;

  /** @param random 64 bytes, hex, used for nothing else */
  constructor(side: ClaimSide, code: string, context: ClaimContext, random: string) {
    this.#side = side;
    this.#context = joined(context.id, context.fingerprint, context.secretHash);
    this.#scalar = ristretto255_hasher.hashToScalar(hexToBytes(random), SCALAR);
    const generator = ristretto255_hasher.hashToCurve(concatBytes(joined(code), this.#context), GENERATOR);
    this.share = generator.multiply(this.#scalar).toHex();
  }

  /**
   * What each end sends to convince the other, hex. Undefined: the other's share is none, or one that would give the
   * result away.
   */
  tags(theirs: string): Readonly<Record<ClaimSide, string>> | undefined {
    const key = this.#key(theirs);
    if (!key) return undefined;
    const tag = (side: ClaimSide) => bytesToHex(hmac(sha512, key, utf8ToBytes(side)).subarray(0, 32));
    return { server: tag('server'), player: tag('player') };
  }

  #key(theirs: string): Uint8Array | undefined {
    let point: InstanceType<typeof Point>;
    try {
      point = Point.fromHex(theirs);
    } catch {
      return undefined;
    }
    if (point.is0()) return undefined;
    const [server, player] = this.#side === 'server' ? [this.share, theirs] : [theirs, this.share];
    return sha512(
      concatBytes(joined('vitrine claim', point.multiply(this.#scalar).toHex(), server, player), this.#context),
    );
  }
}

/** Each with its length before it, so that no two lists read alike. */
const joined = (...texts: readonly string[]): Uint8Array =>
  concatBytes(
    ...texts.flatMap((text) => {
      const bytes = utf8ToBytes(text);
      return [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes];
    }),
  );
