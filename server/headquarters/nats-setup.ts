/**
 * What the hub (nats-server) and everybody who comes to it are given. Headquarters has the keys that decide who may do
 * what there; the hub itself has none of them, and asks nobody: all that it needs stands in one file, which is made here
 * for an administrator to start it with.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  HQ_PERMISSIONS,
  hasSubjects,
  MAX_MESSAGE_BYTES,
  storePermissions,
  type Whose,
} from '../../shared/chain/subjects.ts';
import type { HubOffer } from '../../shared/chain/wire.ts';
import { writeKey } from '../identity.ts';
import { type Clock, seconds } from '../kernel/clock.ts';
import { writeWhole } from '../kernel/durable.ts';
import type { Shown } from '../tls/certificates.ts';
import { accountJwt, nkeyOf, operatorJwt, type Signer, userJwt } from './nkeys.ts';

/** A store's credential is good for so long; spread, so that not all of a chain come for new ones at once. */
const GOOD_SECONDS = { least: 18 * 3600, most: 24 * 3600 };
/** Of one store: for answers, for what it is told, and while it changes over. */
const SUBSCRIPTIONS = 8;

const Stored = z.object({ operator: z.string(), account: z.string(), user: z.string() });

interface Keys {
  /** Says who may have an account. */
  readonly operator: Signer;
  /** Says who may come, and do what. */
  readonly account: Signer;
  /** Headquarters itself. */
  readonly user: Signer;
}

interface Deps {
  /** Folder of data. */
  readonly data: string;
  /** `tls://host:port` */
  readonly server: string;
  readonly clock: Clock;
}

export class NatsSetup {
  readonly file: string;
  readonly #deps: Deps;
  readonly #keys: Keys;

  /** @throws what the disk says, and an error with a sentence for keys that cannot be read */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.file = resolve(deps.data, 'nats', 'nats.conf');
    this.#keys = keysIn(join(deps.data, 'keys'));
  }

  /** Brings what the hub is started with up to date. Returns whether it was not. */
  write(shown: Pick<Shown, 'certificate' | 'private_key'>): boolean {
    const folder = resolve(this.#deps.data, 'nats');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [certificate, key] = [join(folder, 'hub.crt'), join(folder, 'hub.key')];
    const changed = [
      writeNew(certificate, shown.certificate),
      writeNew(key, shown.private_key),
      writeNew(this.file, this.#config(certificate, key)),
    ];
    return changed.includes(true);
  }

  /** For a store to come with. @param ca PEM */
  offer(whose: Whose, ca: string): HubOffer | undefined {
    if (!hasSubjects(whose)) return undefined;
    const at = seconds(this.#deps.clock);
    const until = Math.floor(at + GOOD_SECONDS.least + Math.random() * (GOOD_SECONDS.most - GOOD_SECONDS.least));
    const user = { name: whose.store, key: whose.key, at, until };
    const most = { payload: MAX_MESSAGE_BYTES, subs: SUBSCRIPTIONS };
    const jwt = userJwt(this.#keys.account, user, storePermissions(whose), most);
    return { servers: [this.#deps.server], jwt, ca };
  }

  /** What headquarters itself comes with, for what the hub gives it to sign. */
  get own(): { readonly jwt: string; readonly sign: (text: string) => Buffer } {
    const { account, user } = this.#keys;
    const who = { name: 'headquarters', key: user.key, at: seconds(this.#deps.clock) };
    return { jwt: userJwt(account, who, HQ_PERMISSIONS, { payload: -1, subs: -1 }), sign: user.sign };
  }

  /** The same for the same keys, so that it is written once. */
  #config(certificate: string, key: string): string {
    const { operator, account } = this.#keys;
    const { port } = new URL(this.#deps.server);
    return `# Written by Vitrine, anew when something of it changes; what is changed by hand is lost. To start the hub:
#   nats-server -c ${this.file}
# After a new certificate:
#   nats-server --signal reload
listen: "0.0.0.0:${port || 4222}"
operator: ${operatorJwt(operator, 0)}
resolver: MEMORY
resolver_preload: {
  ${nkeyOf('account', account.key)}: ${accountJwt(operator, account.key, 0)}
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

/** As nats-server reads it, also a path of Windows. */
const quoted = (path: string): string => `"${path.replaceAll('\\', '/').replaceAll('"', '\\"')}"`;

const writeNew = (file: string, text: string): boolean => {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeWhole(file, text);
  return true;
};

/** Reads them, or makes them. What is there and cannot be read is not overwritten: the hub believes no others. */
const keysIn = (folder: string): Keys => {
  const file = join(folder, 'nats.json');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeKey(file, JSON.stringify({ operator: made(), account: made(), user: made() }));
  }
  try {
    const { operator, account, user } = Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { operator: signerOf(operator), account: signerOf(account), user: signerOf(user) };
  } catch (error) {
    if ('syscall' in (error as Error)) throw error;
    throw new Error(
      `${file} cannot be read as the keys of a hub (${(error as Error).message}). Nothing was changed. Take it from a backup, or move it away: new ones are made, with which the hub has to be started again.`,
    );
  }
};

const signerOf = (pem: string): Signer => {
  const key: KeyObject = createPrivateKey(pem);
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex').slice(-64);
  return { key: raw, sign: (text) => sign(null, Buffer.from(text), key) };
};
