/**
 * Proof by the server that a person has read the code from the player's screen and entered it there, and proof by the
 * player that it has that screen: CPace (draft-irtf-cfrg-cpace), a password-authenticated key exchange, on
 * ristretto255. The code is never transmitted. An intermediary or impostor has one guess each time a person enters a
 * code, and gets no data for offline guesses. The proof is bound to the server's fingerprint and the player's secret,
 * so that a proof for one server is useless at another server.
 */
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const { Point } = ristretto255;
const GENERATOR = { DST: 'vitrine claim generator' };
const SCALAR = { DST: 'vitrine claim scalar' };

/** Data that both sides have before the exchange. */
export interface ClaimContext {
  /** Id of this exchange; hex, made by the server. */
  readonly id: string;
  /** Fingerprint of the server's key. The server has already proved that it has this key. */
  readonly fingerprint: string;
  /** Hash of the player's secret, from its hello. */
  readonly secretHash: string;
}

export type ClaimSide = 'server' | 'player';

/** One side of a code exchange. The tags of the two sides differ if their codes or contexts differ. */
export class CodeProof {
  /** Public value that is sent to the other side; hex. */
  readonly share: string;
  readonly #side: ClaimSide;
  readonly #scalar: bigint;
  readonly #context: Uint8Array;

  /** @param random 64 bytes, hex, not used elsewhere */
  constructor(side: ClaimSide, code: string, context: ClaimContext, random: string) {
    this.#side = side;
    this.#context = joined(context.id, context.fingerprint, context.secretHash);
    this.#scalar = ristretto255_hasher.hashToScalar(hexToBytes(random), SCALAR);
    const generator = ristretto255_hasher.hashToCurve(concatBytes(joined(code), this.#context), GENERATOR);
    this.share = generator.multiply(this.#scalar).toHex();
  }

  /**
   * Returns the tags that each side sends to convince the other side, hex. Undefined if the share of the other side is
   * invalid, or would reveal the result.
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

/** Each text is preceded by its length, so that no two lists give the same bytes. */
const joined = (...texts: readonly string[]): Uint8Array =>
  concatBytes(
    ...texts.flatMap((text) => {
      const bytes = utf8ToBytes(text);
      return [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes];
    }),
  );
