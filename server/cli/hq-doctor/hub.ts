/** Checks the hub (nats-server) by connecting as headquarters, as a store, and without valid credentials. */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { downSubject, inboxOf, requestSubject, type Whose } from '../../../shared/chain/subjects.ts';
import { LISTEN_VERB } from '../../../shared/chain/wire.ts';
import { compareVersions } from '../../../shared/desktop/update-state.ts';
import { NatsSetup } from '../../headquarters/transport/nats-setup.ts';
import { type Signer, userJwt } from '../../headquarters/transport/nkeys.ts';
import { seconds, systemClock } from '../../kernel/time/clock.ts';
import { readAuthority, readGiven, readServerPair } from '../../tls/key-files.ts';
import { type At, type Check, checkOf } from '../doctor/check.ts';
import { type Credential, HubLine, NoHub } from './hub-line.ts';

const check = checkOf('nats');
/**
 * Minimum version of nats-server. Earlier versions have flaws in access control (CVE-2025-30215 among others); Debian's
 * 2.9.10 is good enough for tests.
 */
export const LEAST_NATS = '2.11.16';
const DAY_MS = 86_400_000;
/**
 * Minimum remaining validity of the hub's certificate in milliseconds. The server renews its certificate 90 days before
 * its end.
 */
const SOON_MS = 30 * DAY_MS;

export interface HubAt extends Pick<At, 'data' | 'inUse' | 'given'> {
  /** Address of the hub, `tls://host:port`; undefined: not given. */
  readonly server: string | undefined;
  readonly allowOld: boolean;
}

export const hub = async (at: HubAt): Promise<Check[]> => {
  const conf = join(at.data, 'nats', 'nats.conf');
  const isWritten = existsSync(conf) && existsSync(join(at.data, 'keys', 'nats.json'));
  const server = at.server ?? (isWritten ? hubOf(conf) : undefined);
  if (server === undefined) return [check('ok', 'Stores come by HTTPS alone: there is no nats-server (--nats)')];
  if (!isWritten)
    return [
      at.inUse
        ? check(
            'bad',
            `Headquarters runs, and has not written ${conf}. Was it started with --nats ${server} (VITRINE_NATS)? If so, its log says what is in the way.`,
          )
        : check('warn', `${conf} is not there yet: headquarters writes it when it starts with --nats ${server}.`),
    ];
  const found = privacy(at.data, conf);
  try {
    const setup = new NatsSetup({ data: at.data, server, clock: systemClock, revoked: () => ({}) });
    const { expected, anchor } = pairOf(at);
    found.push(...ofConf(conf, server, setup));
    return [...found, ...(await reached({ ...at, server, conf, setup, expected, anchor }))];
  } catch (error) {
    return [...found, check('bad', (error as Error).message)];
  }
};

/**
 * Returns the address of the hub on this machine, from its configuration file. A store replaces the host in such an
 * address by the host of headquarters.
 */
const hubOf = (conf: string): string | undefined => {
  const port = portOf(readFileSync(conf, 'utf8'));
  return port && `tls://127.0.0.1:${port}`;
};
const portOf = (text: string): string | undefined => /^listen: "[^"]*:(\d+)"$/m.exec(text)?.[1];

/** Checks file permissions. Anybody who can read the hub's key, or write its configuration, can impersonate the hub. */
const privacy = (data: string, conf: string): Check[] => {
  if (process.platform === 'win32') return [];
  const folder = join(conf, '..');
  const files = [...readdirSync(folder).map((name) => join(folder, name)), join(data, 'keys', 'nats.json')];
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
  if (open.length > 0)
    return [
      check('bad', `Others than the server’s user may read or change ${open.join(', ')}: chmod 600 ${open.join(' ')}`),
    ];
  return [check('ok', `${folder} and the keys of the hub are for the server’s user alone`)];
};

/**
 * Returns the certificate that the hub should present, and the certificate that verifies it.
 * @throws KeysUnusable, and
 * Error for missing files
 */
const pairOf = ({ data, given }: Pick<HubAt, 'data' | 'given'>) => {
  if (given) {
    const certificate = new X509Certificate(readGiven(given).certificate);
    return { expected: certificate, anchor: certificate };
  }
  const authority = readAuthority(join(data, 'keys'));
  const pair = readServerPair(join(data, 'keys'), { setAside: false });
  if (!authority || !pair)
    throw new Error('Headquarters has no certificate to show at the hub yet: it makes one when it starts with HTTPS.');
  return { expected: new X509Certificate(pair.certificate), anchor: new X509Certificate(authority.certificate) };
};

const ofConf = (conf: string, server: string, setup: NatsSetup): Check[] => {
  const text = readFileSync(conf, 'utf8');
  const found: Check[] = [];
  const port = new URL(server).port || '4222';
  if (!text.includes(accountOf(setup)))
    found.push(check('bad', `${conf} is of other keys than keys/nats.json. Start headquarters: it writes it anew.`));
  if (portOf(text) !== port)
    found.push(
      check(
        'warn',
        `${conf} has the hub listen on port ${portOf(text)}, and stores are sent to ${server}. That is right only where something passes it on.`,
      ),
    );
  return found.length > 0 ? found : [check('ok', `${conf} is of this headquarters’ keys`)];
};

/** Returns the account key (nkey) that signs credentials of this headquarters. */
const accountOf = (setup: NatsSetup): string => {
  const claims = JSON.parse(Buffer.from(setup.own.jwt.split('.')[1]!, 'base64url').toString()) as { iss: string };
  return claims.iss;
};

interface Reach extends HubAt {
  readonly server: string;
  readonly conf: string;
  readonly setup: NatsSetup;
  readonly expected: X509Certificate;
  readonly anchor: X509Certificate;
}

const reached = async (at: Reach): Promise<Check[]> => {
  const { server, conf, setup } = at;
  const lines: HubLine[] = [];
  const open = async () => {
    const line = await HubLine.open(server, at.anchor.toString());
    lines.push(line);
    return line;
  };
  try {
    const own = await open();
    const found = [ofVersion(own.info.version, at), ofCertificate(own, at)];
    // The check sends no credential to a hub with a wrong certificate. Stores do not send one either.
    if (!own.isProved) return found;
    const refusal = await own.come(setup.own);
    if (refusal !== undefined)
      return [
        ...found,
        check(
          'bad',
          `nats-server does not let headquarters in (${refusal}): it was started with another file than ${conf}, or before that was written anew. Start it again with that file.`,
        ),
      ];
    found.push(check('ok', 'nats-server lets in headquarters by the keys of this folder'));
    found.push(await revocations(await open(), at));
    found.push(await strangers(open), ...(await asStore(own, await open(), at)));
    return found;
  } catch (error) {
    const why = error instanceof NoHub ? error.message : `it stopped to answer (${(error as Error).message})`;
    return [
      check(
        'bad',
        `nats-server is not reached at ${server}: ${why}. Stores come by HTTPS meanwhile. Is it started (nats-server -c ${conf}), and is its port open?`,
      ),
    ];
  } finally {
    for (const line of lines) line.close();
  }
};

/** Checks that headquarters has the right to end the connections of removed stores. */
const revocations = async (line: HubLine, { setup, conf }: Reach): Promise<Check> => {
  const refusal = await line.come(setup.system);
  if (refusal === undefined)
    return check('ok', 'nats-server accepts revocations: a removed store is disconnected at once');
  return check(
    'bad',
    `nats-server does not accept revocations (${refusal}): a removed store stays connected to it for up to 24 hours. It was started with the file of an earlier version. Restart it with ${conf}.`,
  );
};

const ofVersion = (version: string, { allowOld }: HubAt): Check => {
  if (compareVersions(version, LEAST_NATS) >= 0) return check('ok', `nats-server ${version}`);
  const text = `nats-server ${version} is older than ${LEAST_NATS}: there are known ways past its rules of who may do what`;
  return allowOld
    ? check('warn', `${text}. It was allowed (--allow-old-nats): good for tests alone.`)
    : check(
        'bad',
        `${text}. Install ${LEAST_NATS} or newer (nats.io), or say --allow-old-nats where nobody else can reach it.`,
      );
};

const ofCertificate = ({ certificate, isProved }: HubLine, { expected, server }: Reach): Check => {
  const ends = Date.parse(certificate.validTo);
  const day = new Date(ends).toISOString().slice(0, 10);
  if (certificate.raw.equals(expected.raw)) {
    if (ends <= Date.now())
      return check('bad', `The certificate of nats-server expired on ${day}. Start headquarters: it makes a new one.`);
    if (ends - Date.now() < SOON_MS)
      return check(
        'warn',
        `The certificate of nats-server expires on ${day}. The running headquarters renews its own; one that was given has to be replaced.`,
      );
    return check('ok', `nats-server shows headquarters’ own certificate, good until ${day}`);
  }
  if (isProved)
    return check(
      'warn',
      `nats-server shows an earlier certificate of headquarters (good until ${day}). Tell it of the new one: nats-server --signal reload`,
    );
  return check(
    'bad',
    `Whoever answers at ${server} shows a certificate that is not headquarters’ own: stores refuse it, and come by HTTPS. Another nats-server listens there, or this one was started with other files; after a new authority: nats-server --signal reload`,
  );
};

const newSigner = (): Signer => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('hex').slice(-64),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
};

/** Tries to connect without a credential, and with a credential signed by another key. */
const strangers = async (open: () => Promise<HubLine>): Promise<Check> => {
  const user = newSigner();
  const who = { name: 'stranger', key: user.key, at: seconds(systemClock) };
  const jwt = userJwt(newSigner(), who, { publish: ['>'], subscribe: ['>'] }, { payload: -1, subs: -1 });
  const comes = async (credential?: Credential) => (await (await open()).come(credential)) === undefined;
  if ((await comes()) || (await comes({ jwt, sign: user.sign })))
    return check(
      'bad',
      'nats-server lets in strangers: it was not started with nats.conf, or that was changed. Stop it, and start it with that file.',
    );
  return check('ok', 'nats-server refuses strangers');
};

/**
 * Tests a store's credential. A store with this credential receives a message, cannot read another store's subjects,
 * and, if headquarters runs, gets an answer to a request.
 */
const asStore = async (own: HubLine, store: HubLine, { setup, anchor, inUse, server }: Reach): Promise<Check[]> => {
  const signer = newSigner();
  const whose: Whose = { store: 'doctor', key: signer.key };
  const refusal = await store.come({ jwt: setup.offer(whose, anchor.toString())!.jwt, sign: signer.sign });
  if (refusal !== undefined)
    return [
      check(
        'bad',
        `nats-server does not let in a store with a new credential of headquarters (${refusal}). Are the clocks of both right?`,
      ),
    ];
  store.send(`SUB ${downSubject(whose)} 1`, `SUB ${inboxOf(whose)}.> 2`, 'SUB > 3', 'PING');
  const heard = await until(store, 'PONG');
  const found = [
    heard.some((line) => /permissions violation/i.test(line))
      ? check('ok', 'A store is let go of its own subjects alone')
      : check(
          'bad',
          'nats-server lets a store hear what is another’s. Start it with nats.conf as headquarters wrote it.',
        ),
  ];
  const began = performance.now();
  own.send(`PUB ${downSubject(whose)} 1`, '.');
  await until(store, '.');
  found.push(check('ok', `A message of headquarters is at a store after ${(performance.now() - began).toFixed(1)} ms`));
  if (inUse) {
    store.send(`PUB ${requestSubject(whose, LISTEN_VERB)} ${inboxOf(whose)}.1 2`, '{}');
    found.push(await answered(store, server));
  }
  return found;
};

/**
 * The test store is not enrolled. Only headquarters knows this, so a refusal for this reason proves that headquarters
 * is connected to the hub.
 */
const answered = async (store: HubLine, server: string): Promise<Check> => {
  try {
    while (!(await store.next()).includes('not_enrolled'));
    return check('ok', 'Headquarters hears and answers by NATS');
  } catch {
    return check(
      'bad',
      `Headquarters runs, but does not answer by this nats-server. Was it started with --nats ${server}? Its log says why it cannot come there.`,
    );
  }
};

/**
 * Reads lines until the line `last` arrives, and returns all of them.
 * @throws Error when the line `last` does not arrive
 */
const until = async (line: HubLine, last: string): Promise<string[]> => {
  const heard: string[] = [];
  do heard.push(await line.next());
  while (heard.at(-1) !== last);
  return heard;
};
