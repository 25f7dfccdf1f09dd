/**
 * Signatures of release files, as the build leaves them beside each: `<file>.sig`, hexadecimal digits and a line end.
 */
import { createPublicKey, verify } from 'node:crypto';
import { badRequest } from '../../../shared/contract/errors.ts';
import { ReleaseSignature, SIGNATURE_ENDING, type VerifyText } from '../../../shared/protocol/release-signature.ts';
import { tooLargeFile, type UploadSink } from '../../http/uploads.ts';

/** 128 digits and a line end, with room for the line ends of other systems. */
const MAX_BYTES = 1024;

/** The file that a signature's file is beside; undefined: this is no signature's name. */
export const signedName = (name: string): string | undefined =>
  name.endsWith(SIGNATURE_ENDING) ? name.slice(0, -SIGNATURE_ENDING.length) : undefined;

/** Takes a signature as it comes, in memory. */
export class SignatureSink implements UploadSink {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  write(chunk: Buffer): Promise<void> | undefined {
    this.#size += chunk.length;
    if (this.#size > MAX_BYTES) return Promise.reject(tooLargeFile(MAX_BYTES));
    this.#chunks.push(chunk);
    return undefined;
  }

  abort(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws ApiError 400 for what is no signature, 413 */
  signature(): string {
    // Its last chunk may have been too much.
    if (this.#size > MAX_BYTES) throw tooLargeFile(MAX_BYTES);
    const { data } = ReleaseSignature.safeParse(Buffer.concat(this.#chunks).toString('latin1').trim());
    if (data === undefined)
      throw badRequest(
        `file: this is no signature; it must be the ${SIGNATURE_ENDING} file as the build made it, 128 hexadecimal digits`,
      );
    return data;
  }
}

export const verifyText: VerifyText = (publicKey, text, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
  } catch {
    // What is no key vouches for nothing.
    return false;
  }
};
