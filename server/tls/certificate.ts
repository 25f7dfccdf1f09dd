/**
 * Creates the certificates of a store: an authority that is limited to private names and addresses, and a server
 * certificate issued by it. Not written with @peculiar/x509, which lacks name constraints, needs a Reflect polyfill and
 * costs 24 MB and 90 ms; this code takes 1 ms. The tests check the result with OpenSSL.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bits, explicit, implicit, integer, octets, oid, sequence, set, time, utf8, yes } from './der.ts';

const DAY_MS = 86_400_000;
export const CA_DAYS = 3650;
/**
 * Validity of server certificates in days. Browsers refuse server certificates that are valid for more than 398 days.
 */
export const SERVER_DAYS = 397;
/**
 * The validity of certificates begins this many milliseconds before the present, because clocks in a store differ by
 * minutes, sometimes hours.
 */
const BACKDATED_MS = DAY_MS;

/** Certificate and private key as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly private_key: string;
}

export interface Authority extends KeyPair {
  /** Names for which the authority may issue certificates, in addition to private names. */
  readonly names: readonly string[];
}

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const OID = {
  name: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternatives: '2.5.29.17',
  basic: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/**
 * Private names for which the authority may issue certificates. With a stolen authority key, an attacker can only
 * impersonate devices of the store, not a bank.
 */
const PRIVATE_NAMES = ['localhost', 'local', 'lan', 'home', 'internal', 'intranet', 'home.arpa'] as const;
const PRIVATE_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
] as const;

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [yes()] : []), octets(value));
const distinguished = (organization: string, common: string): Buffer =>
  sequence(set(sequence(oid(OID.organization), utf8(organization))), set(sequence(oid(OID.name), utf8(common))));
/**
 * Returns the key id of RFC 5280, 4.2.1.2: the hash of the key's bits alone, which are the last 65 bytes of an
 * uncompressed P-256 point.
 */
const keyId = (publicKey: KeyObject): Buffer =>
  createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }).subarray(-65))
    .digest();
const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
const addressBytes = (address: string): Buffer => Buffer.from(ipaddr.parse(address).toByteArray());
const dnsName = (name: string): Buffer => implicit(2, Buffer.from(name, 'latin1'));

interface Blank {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  /** Start of the validity in epoch milliseconds. `until` has the same unit. */
  readonly from: number;
  readonly until: number;
  readonly extensions: readonly Buffer[];
}

const signed = ({ issuer, subject, publicKey, from, until, extensions }: Blank, key: KeyObject): string => {
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ECDSA_SHA256,
    issuer,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  return pem(sequence(body, ECDSA_SHA256, bits(sign('sha256', body, key))));
};

const lasting = (days: number, now: number) => ({
  from: now - BACKDATED_MS,
  until: now - BACKDATED_MS + days * DAY_MS,
});

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

const caName = (serverId: string): Buffer => distinguished('Vitrine', `Vitrine ${serverId.slice(0, 8)}`);

/** @param order.names names that the authority may issue for, including subdomains, in addition to private names */
export const makeAuthority = ({
  serverId,
  names,
  now,
}: {
  serverId: string;
  names: readonly string[];
  now: number;
}): Authority => authorityOf(newKey(), { serverId, names, ...lasting(CA_DAYS, now) });

/**
 * Renews the authority for ten more years with the same key and name. Therefore existing certificates are valid with
 * both certificates of the authority, and clients can install the new certificate until the old one ends. The validity
 * also begins in the past, because the clock may have been ahead.
 */
export const renewAuthority = (
  authority: Authority,
  { serverId, names, now }: { serverId: string; names: readonly string[]; now: number },
): Authority => {
  const before = new X509Certificate(authority.certificate);
  const privateKey = createPrivateKey(authority.private_key);
  const from = Math.min(Date.parse(before.validFrom), now - BACKDATED_MS);
  return authorityOf(
    { privateKey, publicKey: before.publicKey },
    { serverId, names: [...new Set([...authority.names, ...names])], from, until: lasting(CA_DAYS, now).until },
  );
};

const authorityOf = (
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  { serverId, names, from, until }: { serverId: string; names: readonly string[]; from: number; until: number },
): Authority => {
  const permitted = [
    ...[...PRIVATE_NAMES, ...names].map(dnsName),
    ...PRIVATE_RANGES.map((range) => implicit(7, rangeBytes(range))),
  ];
  const extensions = [
    extension(OID.basic, sequence(yes(), integer(Buffer.from([0]))), true),
    // Key usage: keyCertSign and cRLSign.
    extension(OID.keyUsage, bits(Buffer.from([0x06]), 1), true),
    extension(OID.subjectKey, octets(keyId(publicKey))),
    extension(OID.nameConstraints, sequence(explicit(0, ...permitted.map((name) => sequence(name)))), true),
  ];
  const name = caName(serverId);
  return {
    certificate: signed({ issuer: name, subject: name, publicKey, from, until, extensions }, privateKey),
    private_key: pkcs8(privateKey),
    names,
  };
};

/** Returns address and mask, in the form of a name constraint. */
const rangeBytes = (range: string): Buffer => {
  const [address, prefix] = ipaddr.parseCIDR(range);
  const bytes = address.toByteArray();
  const mask = bytes.map((_, i) => (0xff << (8 - Math.min(8, Math.max(0, prefix - i * 8)))) & 0xff);
  return Buffer.from([...bytes, ...mask]);
};

/** Returns whether the authority's constraints allow a name or address. */
export const mayVouchFor = ({ names }: Pick<Authority, 'names'>, name: string): boolean => {
  if (isIP(name)) {
    const address = ipaddr.parse(name);
    return PRIVATE_RANGES.map((range) => ipaddr.parseCIDR(range)).some(
      (range) => range[0].kind() === address.kind() && address.match(range),
    );
  }
  return [...PRIVATE_NAMES, ...names].some((permitted) => name === permitted || name.endsWith(`.${permitted}`));
};

/** @param order.names DNS names and addresses, all allowed by the authority */
export const issueServer = ({
  authority,
  serverId,
  names,
  now,
}: {
  authority: Authority;
  serverId: string;
  names: readonly string[];
  now: number;
}): KeyPair => {
  const { privateKey, publicKey } = newKey();
  const ca = new X509Certificate(authority.certificate);
  const alternatives = names.map((name) => (isIP(name) ? implicit(7, addressBytes(name)) : dnsName(name)));
  const extensions = [
    extension(OID.basic, sequence(), true),
    // Key usage: digitalSignature.
    extension(OID.keyUsage, bits(Buffer.from([0x80]), 7), true),
    extension(OID.extendedUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectKey, octets(keyId(publicKey))),
    extension(OID.authorityKey, sequence(implicit(0, keyId(ca.publicKey)))),
    extension(OID.alternatives, sequence(...alternatives)),
  ];
  // The certificate is never valid beyond the end of the authority. OpenSSL would accept a longer validity, but
  // browsers would not.
  const left = Math.floor((Date.parse(ca.validTo) - now) / DAY_MS);
  const days = Math.max(1, Math.min(SERVER_DAYS, left));
  const subject = distinguished('Vitrine', `Vitrine server ${serverId.slice(0, 8)}`);
  const certificate = signed(
    { issuer: caName(serverId), subject, publicKey, ...lasting(days, now), extensions },
    createPrivateKey(authority.private_key),
  );
  return { certificate, private_key: pkcs8(privateKey) };
};
