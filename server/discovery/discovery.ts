/**
 * Announces this server to players by the mDNS service `_vitrine._tcp` on every interface (design, Discovery). Starts
 * after HTTP and stops before it. Errors are never fatal: in a network without multicast, people type addresses.
 */
import type { Bus } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import { multicastAddresses } from './addresses.ts';
import { type Advertisement, goodbyeOf, hostName, recordsOf, serviceName, txtOf } from './advertisement.ts';
import type { Link, OpenLink } from './link.ts';

/** Interval in milliseconds of checks for new interfaces, such as Wi-Fi that connects after the start. */
const LOOK_EVERY_MS = 5_000;
/** Times of repeated announcements, because multicast is lost on Wi-Fi: 1 and 3 s after the first, then every 60 s. */
const REPEAT_AFTER_MS = [1_000, 3_000] as const;
const REPEAT_EVERY_LOOKS = 12;
/**
 * Minimum interval in milliseconds between answers to a server with the same name, so that two servers cannot answer
 * each other endlessly.
 */
const DEFEND_EVERY_MS = 1_000;

interface DiscoveryOptions {
  readonly identity: { readonly id: string; readonly fingerprint: string };
  readonly version: string;
  /** Address on which HTTP listens; `0.0.0.0` for all addresses. */
  readonly host: string;
  /** Returns the port of HTTP. Called only after HTTP listens, because the system may choose the port. */
  readonly port: () => number;
  /** Returns the port of HTTPS; null without HTTPS. */
  readonly tlsPort?: () => number | null;
  /** Called at start and after every announced change. */
  readonly facts: () => { readonly name: string; readonly isSetUp: boolean };
  readonly bus: Pick<Bus, 'on'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** @default addresses of the machine's interfaces */
  readonly addresses?: (host: string) => string[];
  /** @default real multicast */
  readonly open?: OpenLink;
}

export class Discovery implements Lifecycle {
  readonly name = 'discovery';
  readonly #options: DiscoveryOptions;
  readonly #addresses: (host: string) => string[];
  #open: OpenLink | undefined;
  readonly #links = new Map<string, Link>();
  /** Addresses whose failure was already logged, so that it is not logged again. */
  readonly #told = new Set<string>();
  #ad: Advertisement | undefined;
  #undo: (() => void)[] = [];
  #looks = 0;
  #defended = Number.NEGATIVE_INFINITY;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#addresses = options.addresses ?? multicastAddresses;
    this.#open = options.open;
  }

  /**
   * Starts the announcements without delaying the start of the server: the mDNS library is loaded after all other
   * modules.
   */
  start(): void {
    this.#ad = this.#describe(false);
    if (this.#open) this.update();
    else void this.#load().then(() => this.update());
    const every = setInterval(() => this.update(), LOOK_EVERY_MS).unref();
    const repeats = REPEAT_AFTER_MS.map((ms) => setTimeout(() => this.#announce(), ms).unref());
    this.#undo = [
      () => clearInterval(every),
      () => repeats.forEach(clearTimeout),
      this.#options.bus.on('accountsChanged', () => this.refresh()),
      this.#options.bus.on('changed', ({ topic }) => {
        if (topic === 'settings') this.refresh();
      }),
    ];
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0)) undo();
    const ad = this.#ad;
    this.#ad = undefined;
    if (!ad) return;
    await Promise.all([...this.#links.values()].map((link) => link.send(goodbyeOf(ad))));
    for (const address of [...this.#links.keys()]) this.#close(address);
  }

  /** Opens links on new interfaces, closes those of removed interfaces, and repeats announcements. */
  update(): void {
    const open = this.#open;
    const ad = this.#ad;
    if (!open || !ad) return;
    const addresses = this.#addresses(this.#options.host);
    for (const address of [...this.#links.keys()]) if (!addresses.includes(address)) this.#close(address);
    for (const address of addresses) if (!this.#links.has(address)) this.#join(address, open, ad);
    if (++this.#looks % REPEAT_EVERY_LOOKS === 0) this.#announce();
  }

  async #load(): Promise<void> {
    try {
      this.#open = (await import('./link.ts')).openLink;
    } catch (error) {
      this.#options.log.warn('Players cannot find this server by themselves', { reason: (error as Error).message });
    }
  }

  #describe(isNameTaken: boolean): Advertisement {
    const { identity, version, port, tlsPort, facts } = this.#options;
    return {
      id: identity.id,
      fingerprint: identity.fingerprint,
      version,
      port: port(),
      tlsPort: tlsPort?.() ?? null,
      isNameTaken,
      ...facts(),
    };
  }

  #join(address: string, open: OpenLink, ad: Advertisement): void {
    try {
      const link = open(address, {
        onClaim: (claim) => this.#settle(claim),
        onFailure: (error) => this.#drop(address, error),
      });
      this.#links.set(address, link);
      link.announce(recordsOf(ad, address));
    } catch (error) {
      this.#drop(address, error as Error);
    }
  }

  /** Closes a link, which the next check opens again. A failure is reported once. */
  #drop(address: string, error: Error): void {
    if (!this.#told.has(address))
      this.#options.log.warn(`Players cannot find this server by themselves over ${address}: no multicast there`, {
        reason: error.message,
      });
    this.#told.add(address);
    this.#close(address);
  }

  #close(address: string): void {
    const link = this.#links.get(address);
    this.#links.delete(address);
    link?.close();
  }

  #announce(): void {
    const ad = this.#ad;
    if (ad) for (const [address, link] of this.#links) link.announce(recordsOf(ad, address));
  }

  /** Sends an announcement only if a record has changed. Withdraws a changed name before announcing the new name. */
  refresh(): void {
    const before = this.#ad;
    if (!before) return;
    const now = this.#describe(false);
    const ad = now.name === before.name ? this.#describe(before.isNameTaken) : now;
    if (serviceName(ad) === serviceName(before) && String(txtOf(ad)) === String(txtOf(before))) return;
    if (serviceName(ad) !== serviceName(before))
      for (const link of this.#links.values()) void link.send(goodbyeOf(before));
    this.#ad = ad;
    this.#announce();
  }

  /**
   * Resolves a conflict of two servers with the same name: the server with the smaller host name keeps the name and
   * announces it. The other server takes a suffix without a goodbye, because a goodbye would also remove the first
   * server. The result does not depend on the order of starting.
   */
  #settle({ service, host }: { service: string; host: string }): void {
    const ad = this.#ad;
    if (!ad || ad.isNameTaken || host === hostName(ad) || service.toLowerCase() !== serviceName(ad).toLowerCase())
      return;
    if (hostName(ad) > host) {
      this.#options.log.info('Another server on this network has the same name', { host });
      this.#ad = { ...ad, isNameTaken: true };
      this.#announce();
    } else if (performance.now() - this.#defended >= DEFEND_EVERY_MS) {
      this.#defended = performance.now();
      this.#announce();
    }
  }
}
