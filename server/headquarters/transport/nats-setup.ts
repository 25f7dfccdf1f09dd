/**
 * Keys, credentials and configuration file of the hub (nats-server). Headquarters has the keys that decide what each
 * user of the hub may do. The hub has none of them: it starts with the file `nats.conf` that is written here, and
 * receives revocations from headquarters while it runs.
 */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  HQ_PERMISSIONS,
  hasSubjects,
  MAX_MESSAGE_BYTES,
  storePermissions,
  type Whose,
} from '../../../shared/chain/subjects.ts';
import type { HubOffer } from '../../../shared/chain/wire.ts';
import { writeKey } from '../../identity.ts';
import { writeWhole } from '../../kernel/disk/durable.ts';
import { type Clock, seconds } from '../../kernel/time/clock.ts';
import type { Shown } from '../../tls/certificates.ts';
import { ALL_KEYS, CREDENTIAL_SECONDS, earliestIssue, type RevokedKeys } from '../stores/revoked-keys.ts';
import { accountJwt, nkeyOf, operatorJwt, type Signer, userJwt } from './nkeys.ts';

/**
 * Limits of the validity of a store's credential in seconds. The validity is random between both limits, so that the
 * stores of a chain do not renew at the same time.
 */
const GOOD_SECONDS = { least: 18 * 3600, most: CREDENTIAL_SECONDS };
/** Maximum number of subscriptions per store: answers, commands, and twice as many during a reconnect. */
const SUBSCRIPTIONS = 8;

const Stored = z.object({ operator: z.string(), account: z.string(), user: z.string() });

interface Keys {
  /** Operator key, which signs accounts. */
  readonly operator: Signer;
  /** Account key, which signs users and their permissions. */
  readonly account: Signer;
  /** Key with which headquarters signs in to nats-server as a user. */
  readonly user: Signer;
  /** Key of the hub's own account, which receives changes of accounts. */
  readonly system: Signer;
  /** Key of headquarters as a user of the hub's own account. */
  readonly systemUser: Signer;
}

/** Credential with which a user connects to the hub. */
interface Credential {
  readonly jwt: string;
  readonly sign: (text: string) => Buffer;
}

/** Action of the administrator that makes a running hub use the written files. */
export type HubNeeds = 'nothing' | 'start' | 'restart' | 'reload';

interface Deps {
  /** Path of the data folder. */
  readonly data: string;
  /** Address of the hub: `tls://host:port`. */
  readonly server: string;
  readonly clock: Clock;
  /** Keys of servers whose credentials are revoked. */
  readonly revoked: () => RevokedKeys;
}

export class NatsSetup {
  readonly file: string;
  readonly #deps: Deps;
  readonly #keys: Keys;

  /** @throws errors of the disk, and an error with a sentence when keys cannot be read */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.file = resolve(deps.data, 'nats', 'nats.conf');
    this.#keys = keysIn(join(deps.data, 'keys'));
  }

  /**
   * Writes the files with which the hub starts, if they are out of date. Returns what the administrator has to do so
   * that a running hub uses them.
   */
  write(shown: Pick<Shown, 'certificate' | 'private_key'>): HubNeeds {
    const folder = resolve(this.#deps.data, 'nats');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [certificate, key] = [join(folder, 'hub.crt'), join(folder, 'hub.key')];
    const before = existsSync(this.file) ? this.#withoutRevocations(readFileSync(this.file, 'utf8')) : undefined;
    const text = this.#config(certificate, key);
    const isRenewed = [writeNew(certificate, shown.certificate), writeNew(key, shown.private_key)].includes(true);
    writeNew(this.file, text);
    if (before === undefined) return 'start';
    if (before !== this.#withoutRevocations(text)) return 'restart';
    return isRenewed ? 'reload' : 'nothing';
  }

  /**
   * Returns the text of the file without the JWT of the chain's account. A running hub receives a new account JWT as a
   * message.
   */
  #withoutRevocations(text: string): string {
    const start = this.#accountLine('');
    return text
      .split('\n')
      .map((line) => (line.startsWith(start) ? start : line))
      .join('\n');
  }

  #accountLine(jwt: string): string {
    return `  ${nkeyOf('account', this.#keys.account.key)}: ${jwt}`;
  }

  /**
   * Returns the credential and address of the hub for a store; undefined: the ids of the store do not fit into NATS
   * subjects.
   * @param ca PEM
   */
  offer(whose: Whose, ca: string): HubOffer | undefined {
    if (!hasSubjects(whose)) return undefined;
    const at = this.#issueTime(whose.key);
    const until = Math.floor(at + GOOD_SECONDS.least + Math.random() * (GOOD_SECONDS.most - GOOD_SECONDS.least));
    const user = { name: whose.store, key: whose.key, at, until };
    const most = { payload: MAX_MESSAGE_BYTES, subs: SUBSCRIPTIONS };
    const jwt = userJwt(this.#keys.account, user, storePermissions(whose), most);
    return { servers: [this.#deps.server], jwt, ca };
  }

  /** Credential of headquarters in the chain's account. */
  get own(): Credential {
    const { account, user } = this.#keys;
    const who = { name: 'headquarters', key: user.key, at: this.#issueTime(user.key) };
    return { jwt: userJwt(account, who, HQ_PERMISSIONS, { payload: -1, subs: -1 }), sign: user.sign };
  }

  /** Credential of headquarters for the hub's own account. It may only send {@link update}. */
  get system(): Credential {
    const { system, systemUser } = this.#keys;
    const who = { name: 'headquarters', key: systemUser.key, at: seconds(this.#deps.clock) };
    const rights = { publish: [this.#updateSubject], subscribe: ['_INBOX.>'] };
    return { jwt: userJwt(system, who, rights, { payload: -1, subs: -1 }), sign: systemUser.sign };
  }

  /**
   * Message to a running hub. The hub then ends the connections of revoked credentials and refuses them from then on.
   */
  get update(): { readonly subject: string; readonly message: string } {
    return { subject: this.#updateSubject, message: this.#account };
  }

  get hasRevocations(): boolean {
    return Object.keys(this.#deps.revoked()).length > 0;
  }

  get #updateSubject(): string {
    return `$SYS.REQ.ACCOUNT.${nkeyOf('account', this.#keys.account.key)}.CLAIMS.UPDATE`;
  }

  /** JWT of the chain's account. The same revocations give the same text. */
  get #account(): string {
    const { operator, account } = this.#keys;
    const revoked = Object.entries(this.#deps.revoked()).sort(([a], [b]) => (a < b ? -1 : 1));
    const revocations = Object.fromEntries(
      revoked.map(([key, at]) => [key === ALL_KEYS ? ALL_KEYS : nkeyOf('user', key), at]),
    );
    const at = Math.max(0, ...revoked.map(([, time]) => time));
    return accountJwt(operator, { name: 'chain', key: account.key, at, revocations });
  }

  /**
   * Returns the issue time in epoch seconds. For a key that was revoked in the current second, this is the next
   * second.
   */
  #issueTime(key: string): number {
    return Math.max(seconds(this.#deps.clock), earliestIssue(this.#deps.revoked(), key));
  }

  /**
   * Returns the configuration file. The same keys and revocations give the same text, so that the file is not
   * rewritten.
   */
  #config(certificate: string, key: string): string {
    const { operator, system } = this.#keys;
    const systemKey = nkeyOf('account', system.key);
    const { port } = new URL(this.#deps.server);
    return `# Written by Vitrine, anew when something of it changes; what is changed by hand is lost. To start the hub:
#   nats-server -c ${this.file}
# After a new certificate:
#   nats-server --signal reload
listen: "0.0.0.0:${port || 4222}"
operator: ${operatorJwt(operator, 0)}
system_account: ${systemKey}
resolver: MEMORY
resolver_preload: {
${this.#accountLine(this.#account)}
  ${systemKey}: ${accountJwt(operator, { name: 'system', key: system.key, at: 0 })}
}
tls: {
  cert_file: ${quoted(certificate)}
  key_file: ${quoted(key)}
  timeout: 10
}
# A segment of plays, and a moment's segments of a chain on their way to headquarters.
max_payload: ${MAX_MESSAGE_BYTES}
max_pending: ${256 * 1024 * 1024}
max_control_line: 8192
write_deadline: "30s"
ping_interval: "30s"
`;
  }
}

/** Quotes a path as nats-server reads it, including Windows paths. */
const quoted = (path: string): string => `"${path.replaceAll('\\', '/').replaceAll('"', '\\"')}"`;

const writeNew = (file: string, text: string): boolean => {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeWhole(file, text);
  return true;
};

/**
 * Reads the keys, or creates them when the file is missing. An unreadable file is never overwritten, because the
 * running hub accepts only these keys.
 */
const keysIn = (folder: string): Keys => {
  const file = join(folder, 'nats.json');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeKey(file, JSON.stringify({ operator: made(), account: made(), user: made() }));
  }
  try {
    const { operator, account, user } = Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    return {
      operator: signerOf(operator),
      account: signerOf(account),
      user: signerOf(user),
      system: derivedOf(operator, 'system account'),
      systemUser: derivedOf(operator, 'user of the system account'),
    };
  } catch (error) {
    if ('syscall' in (error as Error)) throw error;
    throw new Error(
      `${file} cannot be read as the keys of a hub (${(error as Error).message}). Nothing was changed. Take it from a backup, or move it away: new ones are made, with which the hub has to be started again.`,
    );
  }
};

const signerOf = (pem: string): Signer => signerWith(createPrivateKey(pem));

/** Start of an Ed25519 private key in PKCS #8 (DER); its 32 bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns a key that is derived from the operator's key. It is not stored, so data folders and backups of earlier
 * versions need no change. It gives no right that the operator's key does not give.
 */
const derivedOf = (operator: string, purpose: string): Signer => {
  const seed = createPrivateKey(operator).export({ type: 'pkcs8', format: 'der' }).subarray(-32);
  const derived = createHmac('sha256', seed).update(`Vitrine hub: ${purpose}`).digest();
  return signerWith(createPrivateKey({ key: Buffer.concat([PKCS8, derived]), format: 'der', type: 'pkcs8' }));
};

const signerWith = (key: KeyObject): Signer => {
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex').slice(-64);
  return { key: raw, sign: (text) => sign(null, Buffer.from(text), key) };
};
