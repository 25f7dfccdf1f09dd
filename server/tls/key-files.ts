/**
 * Stores the keys of HTTPS: the authority's key, which is created once, and the server's key, which is replaced when
 * needed.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../kernel/disk/durable.ts';
import type { KeyPair } from './certificate.ts';

export const AUTHORITY_FILE = 'ca.json';
export const SERVER_FILE = 'https.json';

const Pair = z.object({ certificate: z.string(), private_key: z.string() });
const StoredAuthority = Pair.extend({
  names: z.array(z.string()).readonly(),
  /** End of the authority's previous certificate, in epoch milliseconds. */
  replaced_ends_at: z.number().optional(),
});
export type StoredAuthority = z.infer<typeof StoredAuthority>;
const Issued = Pair.extend({ authority: z.string() });
/**
 * `authority`: certificate of the issuer. It is stored here so that the server certificate can be used even when the
 * issuer's key is lost.
 */
export type Issued = z.infer<typeof Issued>;

/** Error: a key file is unusable or missing. The message says what to do. Nothing was overwritten. */
export class KeysUnusable extends Error {}

const damagedName = (file: string): string => `${file}.damaged`;

const WAY_BACK =
  'Take it from a backup ("vitrine restore FILE --keys-only"). With none, move ca.json and https.json out of the folder keys and start the server again: it makes a new authority, which screens accept by themselves and browsers must be given anew.';

/** @throws Error when the certificate and key do not belong together */
const check = <T extends KeyPair>(pair: T): T => {
  if (!new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.private_key)))
    throw new Error('the certificate and the key do not belong together; use the key of this certificate');
  return pair;
};

/** Returns undefined when there has never been an authority. @throws KeysUnusable */
export const readAuthority = (folder: string): StoredAuthority | undefined => {
  const file = join(folder, AUTHORITY_FILE);
  if (!existsSync(file)) {
    const wasThere = [SERVER_FILE, damagedName(SERVER_FILE)].some((name) => existsSync(join(folder, name)));
    if (wasThere)
      throw new KeysUnusable(
        `${file}, the key of this server's certificate authority, is missing. No new one was made. ${WAY_BACK}`,
      );
    return undefined;
  }
  try {
    return check(StoredAuthority.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    throw new KeysUnusable(
      `${file} cannot be read as the key of a certificate authority (${reasonOf(error)}). Nothing was changed. ${WAY_BACK}`,
    );
  }
};

/**
 * Returns the server's last certificate; undefined when there is no usable certificate. An unreadable file is renamed.
 */
export const readServerPair = (
  folder: string,
  { setAside = true }: { setAside?: boolean } = {},
): Issued | undefined => {
  const file = join(folder, SERVER_FILE);
  if (!existsSync(file)) return undefined;
  try {
    return check(Issued.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code)
      throw new KeysUnusable(
        `${file} cannot be read (${reasonOf(error)}). Nothing was changed. Give the server's user the right to read it.`,
      );
    if (setAside) renameSync(file, join(folder, damagedName(SERVER_FILE)));
    return undefined;
  }
};

export const writeKeys = (folder: string, file: typeof AUTHORITY_FILE | typeof SERVER_FILE, keys: KeyPair): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, file), JSON.stringify(keys));
};

/** Reads a certificate and key that a person provided. @throws KeysUnusable */
export const readGiven = ({ cert, key }: { readonly cert: string; readonly key: string }): KeyPair => {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new KeysUnusable(
        `${file} cannot be read (${reasonOf(error)}). It was given for HTTPS with --tls-cert and --tls-key; without them Vitrine uses a certificate of its own.`,
      );
    }
  };
  const pair = { certificate: read(cert), private_key: read(key) };
  try {
    return check(pair);
  } catch (error) {
    throw new KeysUnusable(
      `${cert} and ${key} are no certificate with its key in PEM (${reasonOf(error)}). Vitrine uses a certificate of its own when --tls-cert and --tls-key are left out.`,
    );
  }
};

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error as Error).message.split('\n')[0]!.slice(0, 200);
