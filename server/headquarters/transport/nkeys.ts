/**
 * Keys and credentials in the formats of NATS. An nkey is an Ed25519 key in base 32 with a prefix for its purpose. A
 * credential is a JWT that names the key of its owner and the owner's permissions, signed by such a key.
 */
import { createHash } from 'node:crypto';
import type { Permissions } from '../../../shared/chain/subjects.ts';

/** First byte of each kind of key. This byte determines the first letter of the nkey. */
const KINDS = { operator: 14 << 3, account: 0, user: 20 << 3 } as const;
type Kind = keyof typeof KINDS;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the bytes in base 32 without padding (RFC 4648). */
const base32 = (bytes: Buffer): string => {
  let text = '';
  let [bits, value] = [0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += LETTERS[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + LETTERS[(value << (5 - bits)) & 31] : text;
};

/** Returns the CRC-16/XMODEM checksum. */
const crc16 = (bytes: Buffer): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
};

/** @param key Ed25519, raw, hex */
export const nkeyOf = (kind: Kind, key: string): string => {
  const said = Buffer.concat([Buffer.from([KINDS[kind]]), Buffer.from(key, 'hex')]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc16(said));
  return base32(Buffer.concat([said, check]));
};

/** A key that signs JWTs. */
export interface Signer {
  /** Public key (Ed25519, raw, hex). */
  readonly key: string;
  readonly sign: (text: string) => Buffer;
}

interface Claims {
  readonly kind: Kind;
  readonly name: string;
  /** Public key of the owner of the credential: raw, hex. */
  readonly key: string;
  /** Time of issue in epoch seconds. */
  readonly at: number;
  readonly until?: number;
  readonly nats: Readonly<Record<string, unknown>>;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const jwtOf = (issuer: Kind, by: Signer, { kind, name, key, at, until, nats }: Claims): string => {
  const claims = {
    iat: at,
    ...(until !== undefined && { exp: until }),
    iss: nkeyOf(issuer, by.key),
    sub: nkeyOf(kind, key),
    name,
    nats: { ...nats, type: kind, version: 2 },
  };
  // The id of the JWT is a hash of its claims, so that the same claims give the same text.
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const text = `${encoded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encoded({ jti, ...claims })}`;
  return `${text}.${by.sign(text).toString('base64url')}`;
};

export const operatorJwt = (operator: Signer, at: number): string =>
  jwtOf('operator', operator, { kind: 'operator', name: 'Vitrine', key: operator.key, at, nats: {} });

/**
 * Returns the JWT of an account. An account shares nothing with other accounts.
 *
 * Connections are not limited. NATS has no limit of connections per user: `conn` of an account counts the
 * connections of all its users, and with such a limit one store could fill the account and lock out all others and
 * headquarters.
 * @param revocations epoch seconds by the nkeys of users. The hub refuses credentials that were issued at or before
 * this time, and ends their connections when it receives the JWT.
 */
export const accountJwt = (
  operator: Signer,
  {
    revocations = {},
    ...account
  }: Pick<Claims, 'name' | 'key' | 'at'> & { readonly revocations?: Readonly<Record<string, number>> },
): string => {
  const limits = { subs: -1, data: -1, payload: -1, conn: -1, leaf: 0, imports: 0, exports: 0, wildcards: false };
  const nats = { limits, ...(Object.keys(revocations).length > 0 && { revocations }) };
  return jwtOf('operator', operator, { ...account, kind: 'account', nats });
};

/** @param most limits: bytes of a message, and number of subscriptions */
export const userJwt = (
  account: Signer,
  user: Pick<Claims, 'name' | 'key' | 'at' | 'until'>,
  { publish, subscribe }: Permissions,
  most: { readonly payload: number; readonly subs: number },
): string =>
  jwtOf('account', account, {
    ...user,
    kind: 'user',
    nats: {
      pub: { allow: publish },
      sub: { allow: subscribe },
      ...most,
      data: -1,
      allowed_connection_types: ['STANDARD'],
    },
  });
