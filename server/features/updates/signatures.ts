/**
 * Receives and verifies signatures of release files. The build writes each signature beside its file: `<file>.sig`,
 * hexadecimal digits and a line end.
 */
import { createPublicKey, verify } from 'node:crypto';
import { badRequest } from '../../../shared/contract/errors.ts';
import { SIGNATURE_ENDING } from '../../../shared/protocol/releases/release-format.ts';
import {
  ReleaseNotes,
  ReleaseSignature,
  type VerifyText,
} from '../../../shared/protocol/releases/release-signature.ts';
import { tooLargeFile, type UploadSink } from '../../http/limits/uploads.ts';

/** Maximum size of a signature file in bytes, more than 128 digits and a line end of any system. */
const MAX_BYTES = 1024;
/** Maximum size of notes in bytes: a few pages of text, of which JSON may escape each character to six. */
const MAX_NOTES_BYTES = 128 * 1024;

/** Returns the name of the file that a signature file belongs to; undefined: not a signature file. */
export const signedName = (name: string): string | undefined =>
  name.endsWith(SIGNATURE_ENDING) ? name.slice(0, -SIGNATURE_ENDING.length) : undefined;

/** Collects a small file in memory. */
class SmallSink implements UploadSink {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#size += chunk.length;
    if (this.#size > this.#max) return Promise.reject(tooLargeFile(this.#max));
    this.#chunks.push(chunk);
    return undefined;
  }

  abort(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws ApiError 413 */
  protected bytes(): Buffer {
    // Checks the size again, because the last chunk may have exceeded the limit.
    if (this.#size > this.#max) throw tooLargeFile(this.#max);
    return Buffer.concat(this.#chunks);
  }
}

/** Receives the notes of a version. */
export class NotesSink extends SmallSink {
  constructor() {
    super(MAX_NOTES_BYTES);
  }

  /** @throws ApiError 400 if the file has no valid notes, 413 */
  notes(): ReleaseNotes {
    const notes = parsedNotes(this.bytes().toString('utf8'));
    if (!notes) throw badRequest('file: this file has no release notes; send the unchanged file from the build');
    return notes;
  }
}

export const parsedNotes = (text: string): ReleaseNotes | undefined => {
  try {
    return ReleaseNotes.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Receives a signature. */
export class SignatureSink extends SmallSink {
  constructor() {
    super(MAX_BYTES);
  }

  /** @throws ApiError 400 for an invalid signature, 413 */
  signature(): string {
    const { data } = ReleaseSignature.safeParse(this.bytes().toString('latin1').trim());
    if (data === undefined)
      throw badRequest(
        `file: this file is not a signature; send the unchanged ${SIGNATURE_ENDING} file from the build, which has 128 hexadecimal digits`,
      );
    return data;
  }
}

export const verifyText: VerifyText = (publicKey, text, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
  } catch {
    // Verification with an invalid key throws. No signature is valid for such a key.
    return false;
  }
};
