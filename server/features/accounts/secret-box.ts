import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const IV = 12;
const TAG = 16;
const KEY = 32;

/**
 * Encrypts with AES-256-GCM and a key in a file outside of the database, so that a stolen database or backup of it
 * discloses nothing. The key is created on first use; an existing file is never replaced.
 */
export class SecretBox {
  readonly #file: string;
  #key: Buffer | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns iv ‖ tag ‖ ciphertext in base64.
   * @param context owner of the secret (a user's id); the secret decrypts only for this owner
   */
  seal(text: string, context: string): string {
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#load(), iv);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /**
   * Returns undefined when the text was not encrypted with this key for this context: the key file was lost or
   * replaced.
   */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < IV + TAG) return undefined;
    // Without the key file, no key is created: a new key would decrypt nothing, and keep the lost key from being
    // restored.
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
   * Creates the key. Written under a temporary name, then linked: a crash leaves no partial key, and of two processes
   * one wins.
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
