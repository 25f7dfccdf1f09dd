/**
 * Decides which certificate the server presents: its own certificate, which this class issues and renews, or a
 * certificate that a person provided.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Log } from '../kernel/log.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { fingerprintOf } from '../kernel/trust/fingerprint.ts';
import {
  type Authority,
  issueServer,
  type KeyPair,
  makeAuthority,
  mayVouchFor,
  renewAuthority,
} from './certificate.ts';
import {
  AUTHORITY_FILE,
  type Issued,
  KeysUnusable,
  readAuthority,
  readGiven,
  readServerPair,
  SERVER_FILE,
  type StoredAuthority,
  writeKeys,
} from './key-files.ts';

/**
 * Time in milliseconds before its end at which the certificate is renewed: early enough that a store that was closed
 * over the summer returns with a valid certificate.
 */
const RENEW_BEFORE_MS = 90 * 86_400_000;
/**
 * Time in milliseconds before its end at which the certificate of the authority is renewed: people have a year to
 * install the new certificate in browsers.
 */
const RENEW_AUTHORITY_BEFORE_MS = 365 * 86_400_000;
/**
 * A certificate that ends within this time (milliseconds) before the end of its authority is not renewed, because the
 * new certificate would end no later.
 */
const LAST_MS = 3 * 86_400_000;

export interface Shown extends KeyPair {
  /** End of the certificate in epoch milliseconds. */
  readonly expiresAt: number;
  readonly names: readonly string[];
  /** Certificate that players trust, in DER: the certificate of the authority, or the provided certificate itself. */
  readonly anchor: Buffer;
  /** Certificate of the server's authority; null when a person provided the certificate. */
  readonly authority: X509Certificate | null;
  /**
   * End of the authority's previous certificate, in epoch milliseconds. Browsers that trust the previous certificate
   * need the new one by then. Null when there was no previous certificate.
   */
  readonly replacedEndsAt: number | null;
  /** Problem with the certificate. The server presents the certificate nevertheless. */
  readonly warning: string | null;
}

interface Deps {
  /** Folder `keys` in the data folder. */
  readonly folder: string;
  readonly serverId: string;
  readonly given: { readonly cert: string; readonly key: string } | undefined;
  /** Returns names and addresses under which clients reach the server now. */
  readonly names: () => readonly string[];
  /**
   * Returns the public names among the names that `names` returns. The authority must be allowed to issue for them when
   * it is created.
   */
  readonly publicNames: readonly string[];
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class Certificates {
  readonly #deps: Deps;
  #shown: Shown | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get shown(): Shown | undefined {
    return this.#shown;
  }

  /**
   * Reads, creates or renews the certificate if needed. Returns true when the presented certificate has changed.
   * @throws KeysUnusable, or an error of the disk
   */
  refresh(): boolean {
    const before = this.#shown?.certificate;
    this.#shown = this.#deps.given ? this.#given(this.#deps.given) : this.#own();
    return this.#shown.certificate !== before;
  }

  #given(files: { readonly cert: string; readonly key: string }): Shown {
    const pair = readGiven(files);
    const certificate = new X509Certificate(pair.certificate);
    const expiresAt = Date.parse(certificate.validTo);
    const left = expiresAt - this.#deps.clock.now();
    const warning =
      left > 0
        ? null
        : `The certificate in ${files.cert} expired on ${dayOf(expiresAt)}: browsers refuse it. Replace the certificate file with a new certificate; the server reads the file again automatically.`;
    return {
      ...pair,
      expiresAt,
      names: namesOf(certificate),
      anchor: certificate.raw,
      authority: null,
      replacedEndsAt: null,
      warning,
    };
  }

  #own(): Shown {
    const { folder, serverId, clock, log } = this.#deps;
    const current = readServerPair(folder);
    let authority: StoredAuthority;
    try {
      authority = this.#lasting(readAuthority(folder) ?? this.#newAuthority());
    } catch (error) {
      // Keeps the existing certificate, which is valid and trusted until it expires. The warning tells people about the
      // problem.
      if (error instanceof KeysUnusable && current) return this.#describe(current, error.message);
      throw error;
    }
    const wanted = this.#wanted(authority);
    const why = current ? this.#whyRenew(current, authority, wanted) : 'there was none';
    if (current && why === undefined) return this.#describe(current, null, authority);
    const issued = {
      ...issueServer({ authority, serverId, names: wanted, now: clock.now() }),
      authority: authority.certificate,
    };
    writeKeys(folder, SERVER_FILE, issued);
    log.info('A certificate for HTTPS was made', { names: wanted, why });
    return this.#describe(issued, null, authority);
  }

  #describe({ certificate, private_key, authority }: Issued, warning: string | null, stored?: StoredAuthority): Shown {
    const [leaf, ca, now] = [new X509Certificate(certificate), new X509Certificate(authority), this.#deps.clock.now()];
    const isOfNow = Date.parse(ca.validFrom) <= now && now < Date.parse(ca.validTo);
    const out = isOfNow
      ? null
      : `This server's certificate authority is for ${dayOf(Date.parse(ca.validFrom))} to ${dayOf(Date.parse(ca.validTo))}, and today is ${dayOf(now)}: browsers refuse it. Is the clock right?`;
    const expiresAt = Date.parse(leaf.validTo);
    return {
      certificate,
      private_key,
      expiresAt,
      names: namesOf(leaf),
      anchor: ca.raw,
      authority: ca,
      replacedEndsAt: stored?.replaced_ends_at ?? null,
      warning: warning ?? out,
    };
  }

  #newAuthority(): Authority {
    const { folder, serverId, publicNames, clock, log } = this.#deps;
    const authority = makeAuthority({ serverId, names: publicNames, now: clock.now() });
    writeKeys(folder, AUTHORITY_FILE, authority);
    log.info('A certificate authority was made for this server', {
      fingerprint: fingerprintOf(new X509Certificate(authority.certificate).raw),
    });
    return authority;
  }

  /** Renews the authority in time. After an error of the disk, the renewal is tried again later. */
  #lasting(authority: StoredAuthority): StoredAuthority {
    const { folder, serverId, publicNames, clock, log } = this.#deps;
    const ends = Date.parse(new X509Certificate(authority.certificate).validTo);
    if (ends - clock.now() > RENEW_AUTHORITY_BEFORE_MS) return authority;
    const renewed = {
      ...renewAuthority(authority, { serverId, names: publicNames, now: clock.now() }),
      replaced_ends_at: ends,
    };
    try {
      writeKeys(folder, AUTHORITY_FILE, renewed);
    } catch (error) {
      log.warn('The certificate authority could not be renewed; it is tried again', { error });
      return authority;
    }
    log.info('The certificate authority of this server was renewed; browsers need its new certificate', {
      before: dayOf(ends),
    });
    return renewed;
  }

  /** Returns the names that the authority may issue for. Browsers would refuse a certificate with any other name. */
  #wanted(authority: Authority): string[] {
    return [...new Set(this.#deps.names().map(canonical))].filter((name) => mayVouchFor(authority, name));
  }

  #whyRenew(current: Issued, authority: StoredAuthority, wanted: readonly string[]): string | undefined {
    const now = this.#deps.clock.now();
    const [certificate, ca] = [new X509Certificate(current.certificate), new X509Certificate(authority.certificate)];
    if (current.authority !== authority.certificate && certificate.verify(ca.publicKey))
      return 'the authority was renewed';
    if (!certificate.checkIssued(ca) || !certificate.verify(ca.publicKey)) return 'the authority is another';
    const end = Date.parse(certificate.validTo);
    // While the clock is untrusted, nothing is renewed because of dates: a new certificate might begin in the future,
    // and the old certificate may not have expired at all.
    const sure = !this.#deps.clock.doubtful;
    if (sure && end - now < RENEW_BEFORE_MS && Date.parse(ca.validTo) - end > LAST_MS) return 'it expires soon';
    if (sure && Date.parse(certificate.validFrom) > now) return 'the clock was set back';
    const names = new Set(namesOf(certificate));
    const missing = wanted.filter((name) => !names.has(name));
    return missing.length > 0 ? `new: ${missing.join(', ')}` : undefined;
  }
}

/** Returns a name in the form that Node returns when it reads a certificate. */
const canonical = (name: string): string => (isIP(name) ? ipaddr.parse(name).toNormalizedString() : name.toLowerCase());

const namesOf = (certificate: X509Certificate): string[] =>
  (certificate.subjectAltName ?? '').split(', ').flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? []);

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
