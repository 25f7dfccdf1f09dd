/**
 * Encrypts a stream for one other server (shared/chain/transfer-file.ts). A server derives its encryption key from its signing
 * key, so that no second key has to be stored and backed up.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { FRAME_BYTES, TAG_BYTES, type TransferHeader, transferText } from '../../../shared/chain/transfer-file.ts';
import { changed, type Frame, frameHead } from '../../../shared/chain/transfer-stream.ts';

/** First bytes (DER) of X25519 keys: public and private. */
const PRIVATE = '302e020100300506032b656e04220420';
const PUBLIC = '302a300506032b656e032100';

export interface Sealing {
  /** X25519 public key, raw, hex. Data for this server is encrypted for this key. */
  readonly key: string;
  /** Returns the shared secret of this server and the owner of the other key. */
  agree(other: string): Buffer;
}

const publicOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex').slice(-64);

const sealingBy = (privateKey: KeyObject): Sealing => ({
  key: publicOf(privateKey),
  agree: (other) =>
    diffieHellman({
      privateKey,
      publicKey: createPublicKey({ key: Buffer.from(PUBLIC + other, 'hex'), format: 'der', type: 'spki' }),
    }),
});

/** @param signing Ed25519 */
export const sealingOf = (signing: KeyObject): Sealing => {
  const { d } = signing.export({ format: 'jwk' });
  const secret = hkdfSync('sha256', Buffer.from(d!, 'base64url'), '', 'vitrine.seal.1', 32);
  const der = Buffer.concat([Buffer.from(PRIVATE, 'hex'), Buffer.from(secret)]);
  return sealingBy(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
};

const frameKey = (shared: Buffer, line: string): Buffer =>
  Buffer.from(hkdfSync('sha256', shared, createHash('sha256').update(line).digest(), 'vitrine.stick.1', 32));

/**
 * Returns a nonce with the frame number and a flag for the last frame. Therefore decryption fails when a frame is left
 * out, moved, or wrongly marked as the last frame.
 */
const nonceOf = (count: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(count, 4, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
};

const CIPHER = 'aes-256-gcm';

export class Sealer {
  /** The header line of the stream, without the line break. */
  readonly line: string;
  readonly #key: Buffer;
  #count = 0;

  /**
   * @param to encryption key of the receiving server @param key own signing key, raw, hex
   * @throws Error when `to` is not a valid key
   */
  constructor(
    header: Pick<TransferHeader, 'direction' | 'store' | 'number' | 'made_ms'>,
    { to, key, sign }: { to: string; key: string; sign: (text: string) => string },
  ) {
    const { privateKey } = generateKeyPairSync('x25519');
    const ephemeral = sealingBy(privateKey);
    const facts = { vitrine: 'stick', version: 1, ...header, ephemeral: ephemeral.key, key } as const;
    const whole: TransferHeader = { ...facts, signature: sign(transferText(facts)) };
    this.line = JSON.stringify(whole);
    this.#key = frameKey(ephemeral.agree(to), this.line);
  }

  /** Yields the header line and then the encrypted frames. Only a few frames are in memory at a time. */
  async *seal(plain: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from(`${this.line}\n`);
    let rest: Buffer = Buffer.alloc(0);
    for await (const bytes of plain) {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
      // Yields a frame only when further bytes follow it, because the last frame is marked.
      while (rest.length > FRAME_BYTES) {
        yield this.#frame(rest.subarray(0, FRAME_BYTES), false);
        rest = rest.subarray(FRAME_BYTES);
      }
    }
    yield this.#frame(rest, true);
  }

  #frame(plain: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv(CIPHER, this.#key, nonceOf(this.#count++, isLast), { authTagLength: TAG_BYTES });
    const sealed = [cipher.update(plain), cipher.final()];
    return Buffer.concat([frameHead(plain.length + TAG_BYTES, isLast), ...sealed, cipher.getAuthTag()]);
  }
}

export class Opener {
  readonly #key: Buffer;
  #count = 0;

  /** @param line the header line exactly as received @throws BadBytes when it contains no valid key */
  constructor(line: string, { ephemeral }: Pick<TransferHeader, 'ephemeral'>, sealing: Pick<Sealing, 'agree'>) {
    try {
      this.#key = frameKey(sealing.agree(ephemeral), line);
    } catch {
      throw changed();
    }
  }

  /** Returns the content of the next frame. @throws BadBytes */
  open({ sealed, isLast }: Frame): Buffer {
    const cipher = createDecipheriv(CIPHER, this.#key, nonceOf(this.#count++, isLast), { authTagLength: TAG_BYTES });
    cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]);
    } catch {
      throw changed();
    }
  }
}
