import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const IV = 12;
const TAG = 16;
const KEY = 32;

/**
 * Encrypts with AES-256-GCM under a key in a file outside the database, so that a stolen database or backup of it opens
 * nothing. The key is made when it is first needed; a file that is there is never replaced.
 */
export class SecretBox {
  readonly #file: string;
  #key: Buffer | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns iv ‖ tag ‖ ciphertext in base64.
   * @param context is what the secret belongs to (a user's id): it opens for nothing else
   */
  seal(text: string, context: string): string {
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#load(), iv);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Returns undefined for what is not sealed under this key for this context: the key file was lost or exchanged. */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < IV + TAG) return undefined;
    // A key made now would open nothing, and be in the way of the lost one.
    const key = (this.#key ??= this.#read());
    if (!key) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  #load(): Buffer {
    this.#key ??= this.#read() ?? this.#create();
    return this.#key;
  }

  #read(): Buffer | undefined {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const key = Buffer.from(text.trim(), 'hex');
    if (key.length !== KEY)
      throw new Error(
        `${this.#file} is not a key of this server. Restore it from a backup; without it nobody's two-factor secret can be read.`,
      );
    return key;
  }

  /**
   * Makes the key. It is written whole under another name first, then linked: a crash leaves no half key, and of two
   * processes one wins.
   */
  #create(): Buffer {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = `${this.#file}.${process.pid}.new`;
    writeFileSync(temporary, `${randomBytes(KEY).toString('hex')}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(temporary, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return this.#read()!;
  }
}
