/** Checks that browsers and screens accept the server's HTTPS now and in the next month. */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { KeysUnusable, readAuthority, readGiven, readServerPair } from '../../tls/key-files.ts';
import { type Check, checkOf, type Look, portTrouble } from './check.ts';

const check = checkOf('https');
const DAY_MS = 86_400_000;
/**
 * Minimum remaining validity of a certificate. The server renews its certificate 90 days before its end, so a
 * certificate below this minimum was not renewed.
 */
const SOON_MS = 30 * DAY_MS;
const ANSWER_MS = 3000;

export const https: Look = async ({ data, httpsPort, given }) => {
  if (httpsPort === null) return [check('ok', 'HTTPS is turned off')];
  const found = given ? ofGiven(given) : ofOwn(join(data, 'keys'));
  return [...found.checks, await portOf(httpsPort, found.held)];
};

interface Found {
  readonly checks: Check[];
  /** Certificate that the server should present, or its issuer; undefined when unknown. */
  readonly held: X509Certificate | undefined;
}

const ofGiven = (given: { readonly cert: string; readonly key: string }): Found => {
  try {
    const certificate = new X509Certificate(readGiven(given).certificate);
    return {
      checks: [ends(`The certificate in ${given.cert}`, certificate, 'Put a new one in its place.')],
      held: certificate,
    };
  } catch (error) {
    return { checks: [check('bad', (error as Error).message)], held: undefined };
  }
};

const ofOwn = (folder: string): Found => {
  const checks: Check[] = [];
  try {
    const authority = readAuthority(folder);
    if (!authority)
      return {
        checks: [check('ok', 'There are no keys for HTTPS yet; the server makes them when it starts.')],
        held: undefined,
      };
    const ca = new X509Certificate(authority.certificate);
    checks.push(
      ends(
        'This server’s certificate authority',
        ca,
        'Is the clock right? The server renews it by itself a year before its end; start it.',
      ),
    );
    const pair = readServerPair(folder, { setAside: false });
    checks.push(
      pair
        ? ends(
            'The certificate',
            new X509Certificate(pair.certificate),
            'The running server renews it; start it, and look at its log if this stays.',
          )
        : check('warn', 'The server’s certificate is missing or damaged; the server makes a new one when it starts.'),
    );
    return { checks, held: ca };
  } catch (error) {
    if (error instanceof KeysUnusable) return { checks: [check('bad', error.message)], held: undefined };
    throw error;
  }
};

const ends = (what: string, { validFrom, validTo }: X509Certificate, remedy: string): Check => {
  const [from, to, now] = [Date.parse(validFrom), Date.parse(validTo), Date.now()];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  if (now < from)
    return check(
      'bad',
      `${what} is good from ${day(from)} only, and today is ${day(now)}: browsers refuse it. ${remedy}`,
    );
  if (now >= to) return check('bad', `${what} expired on ${day(to)}: browsers refuse it. ${remedy}`);
  if (to - now < SOON_MS) return check('warn', `${what} expires on ${day(to)}. ${remedy}`);
  return check('ok', `${what} is good until ${day(to)}`);
};

const portOf = async (port: number, held: X509Certificate | undefined): Promise<Check> => {
  const answer = await shownAt(port);
  if (answer === 'free') return check('ok', `Port ${port} is free for HTTPS; no server is running on it`);
  const isOurs =
    answer instanceof X509Certificate &&
    held !== undefined &&
    (answer.raw.equals(held.raw) || (answer.checkIssued(held) && answer.verify(held.publicKey)));
  if (isOurs) return check('ok', `This server answers by HTTPS on port ${port}`);
  return check(
    'bad',
    answer instanceof X509Certificate
      ? `Who answers by HTTPS on port ${port} is not the server of this data folder. Stop it, or choose another port (--https-port, VITRINE_HTTPS_PORT).`
      : `Port ${port} is taken by another program (${answer}). Stop it, or choose another port for HTTPS (--https-port, VITRINE_HTTPS_PORT).`,
  );
};

/**
 * Returns the certificate that a server presents at the port; `free` if no program uses the port; otherwise an error
 * message.
 */
const shownAt = async (port: number): Promise<X509Certificate | string> => {
  const taken = await portTrouble(port);
  if (!taken) return 'free';
  if (taken.code === 'EACCES') return 'this user may not listen there';
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, timeout: ANSWER_MS }, () => {
      const shown = socket.getPeerX509Certificate();
      socket.destroy();
      done(shown ?? 'it shows no certificate');
    });
    socket.on('timeout', () => {
      socket.destroy();
      done('it does not answer');
    });
    socket.on('error', () => done('it speaks no TLS'));
  });
};
