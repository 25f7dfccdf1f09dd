/**
 * Identity of this server: a stable id and an Ed25519 key, created at the first start. The key's fingerprint is
 * announced by mDNS and shown at pairing; players accept only this key, so that another machine cannot take over a
 * screen.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeWhole } from './kernel/disk/durable.ts';
import { type Sealing, sealingOf } from './kernel/trust/sealing.ts';

export interface Identity {
  readonly id: string;
  /** SHA-256 of the public key (SPKI), hex. */
  readonly fingerprint: string;
  readonly privateKey: KeyObject;
  /** Public key (SubjectPublicKeyInfo, hex). */
  readonly publicKey: string;
  /** Ed25519 signature of the text, hex. */
  sign(text: string): string;
  /** Decrypts data that was encrypted for this server. */
  readonly sealing: Sealing;
}

const Stored = z.object({ id: z.uuid(), private_key: z.string() });

/** Error: the key file exists but is unusable. No file is overwritten. */
export class IdentityError extends Error {}

/**
 * @param options.mayCreate false: the folder belongs to a server whose key must exist, because players would take a new
 * key for another server
 */
export const loadIdentity = (dataFolder: string, { mayCreate = true }: { mayCreate?: boolean } = {}): Identity => {
  const folder = join(dataFolder, 'keys');
  const file = join(folder, 'server.json');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    if (!mayCreate)
      throw new IdentityError(
        `${file}, the server's key, is missing. Players only trust this key, so no new one was made.`,
      );
    create(file);
  }
  try {
    const stored = Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    const privateKey = createPrivateKey(stored.private_key);
    const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
    let sealing: Sealing | undefined;
    return {
      id: stored.id,
      privateKey,
      publicKey: spki.toString('hex'),
      fingerprint: createHash('sha256').update(spki).digest('hex'),
      sign: (text) => sign(null, Buffer.from(text), privateKey).toString('hex'),
      // The encryption key is computed on demand: this takes two milliseconds, and only chains use the key.
      get sealing() {
        return (sealing ??= sealingOf(privateKey));
      },
    };
  } catch (error) {
    // A disk error is rethrown, because it does not mean that the key is damaged.
    if ('syscall' in (error as Error)) throw error;
    throw new IdentityError(
      `${file} cannot be read as the server's key: ${(error as Error).message}. Players only trust this key; nothing was changed.`,
    );
  }
};

const create = (file: string): void => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const stored = { id: randomUUID(), private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
  writeKey(file, JSON.stringify(stored));
};

/** Writes the key file atomically. The file and its folders are synced when this returns. */
export const writeKey = (file: string, text: string): void => {
  writeWhole(file, text);
  syncFolder(dirname(dirname(file)));
};
