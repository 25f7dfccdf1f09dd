/**
 * Who this server is: a stable id and an Ed25519 key made at first start. The key's fingerprint is in mDNS and shown at
 * pairing; players pin it, so that another box cannot take a screen over.
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
import { syncFolder, writeWhole } from './kernel/durable.ts';
import { type Sealing, sealingOf } from './kernel/sealing.ts';

export interface Identity {
  readonly id: string;
  /** SHA-256 of the public key (SPKI), hex. */
  readonly fingerprint: string;
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo, hex. */
  readonly publicKey: string;
  /** Ed25519 signature of the text, hex. */
  sign(text: string): string;
  /** What opens what was sealed for this server. */
  readonly sealing: Sealing;
}

const Stored = z.object({ id: z.uuid(), private_key: z.string() });

/** The key file is there but cannot be used; nothing is overwritten. */
export class IdentityError extends Error {}

/**
 * @param options.mayCreate false: the folder belongs to a server whose key must be there; a new one would be another
 * server to every player
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
      // Two milliseconds of a start that only a chain has use for.
      get sealing() {
        return (sealing ??= sealingOf(privateKey));
      },
    };
  } catch (error) {
    // The disk's own fault says nothing about the key.
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

/** Whole under its name or not there; on disk, its folders too, when this returns: what follows relies on it. */
export const writeKey = (file: string, text: string): void => {
  writeWhole(file, text);
  syncFolder(dirname(dirname(file)));
};
