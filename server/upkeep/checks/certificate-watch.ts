/** Warns before browsers refuse this server because a certificate expires. */
import type { HttpsStatus } from '../../../shared/contract/server/tls.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Notices } from '../notices/notices.ts';
import type { UpkeepStore } from '../upkeep.store.ts';

const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Days before the expiry at which a notice is sent, once each. */
const STAGES_DAYS = [180, 30, 7] as const;
/** Number of days after the expiry for which the status page explains why browsers refuse the server. */
const AFTER_DAYS = 30;
const KEY = 'certificate_told';

interface Ending {
  /** Expiry of the certificate in epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** Returns the warning about a certificate that expires soon or has expired; undefined when there is none. */
export const endingOf = (
  { previous_ca_ends_at, own_certificate, expires_at }: HttpsStatus,
  now: number,
): Ending | undefined => {
  const ending =
    previous_ca_ends_at !== null
      ? { at: previous_ca_ends_at * 1000, say: sayOfAuthority }
      : own_certificate && expires_at !== null
        ? { at: expires_at * 1000, say: sayOfGiven }
        : undefined;
  if (!ending || now < ending.at - STAGES_DAYS[0] * DAY_MS || now > ending.at + AFTER_DAYS * DAY_MS) return undefined;
  return { at: ending.at, text: ending.say(new Date(ending.at).toISOString().slice(0, 10), now < ending.at) };
};

const sayOfAuthority = (day: string, isAhead: boolean): string =>
  `This server has renewed its certificate authority. The previous certificate, which is installed in browsers, ${isAhead ? 'expires' : 'expired'} on ${day}. ${isAhead ? 'Before that day, install' : 'Install'} the new certificate in the browsers (Server, HTTPS, “Download the certificate”). Screens get the new certificate automatically.`;
const sayOfGiven = (day: string, isAhead: boolean): string =>
  `The HTTPS certificate of this server ${isAhead ? 'expires' : 'expired'} on ${day}. Replace the certificate file with a new certificate; the server reads the file again automatically.`;

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly https: () => HttpsStatus;
  readonly store: UpkeepStore;
  readonly notices: Pick<Notices, 'certificateEnds'>;
}

export class CertificateWatch implements Lifecycle {
  readonly name = 'certificate-watch';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  check(): void {
    const { https, db, store, clock, notices } = this.#deps;
    const ending = endingOf(https(), clock.now());
    if (!ending) return;
    const stage = STAGES_DAYS.findLast((days) => ending.at - clock.now() <= days * DAY_MS);
    const told = `${ending.at} ${stage}`;
    if (store.find(KEY) === told) return;
    try {
      db.write(() => store.put(KEY, told));
    } catch {
      // Ignores a failed write. The notice may then be sent twice, which is better than never.
    }
    notices.certificateEnds(ending.text);
  }
}
