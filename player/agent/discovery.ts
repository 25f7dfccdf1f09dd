/**
 * Finds servers on the LAN (mDNS, `_vitrine._tcp`). Uses one multicast socket per interface, bound to the interface by
 * address: a store network may have no default route, and then a socket without an interface sends nothing.
 */
import { Bonjour, type Browser, type Service } from 'bonjour-service';
import { z } from 'zod';
import type { Log, SeenServer, Time, Undo } from '../core/ports.ts';
import { multicastAddresses } from './machine/interfaces.ts';

/**
 * Delays of the queries for servers: at 0, 1, 3 and 7 s and then every 8 s, so that a start is fast and the traffic is
 * low later. Each query also detects changed network interfaces.
 */
const askAfter = (round: number): number => Math.min(2 ** round, 8) * 1_000;
/** Time after which a server that has not answered five queries counts as gone from its address. */
const EXPIRES_MS = 40_000;
/** Maximum number of servers in the list. Further new servers are ignored. */
const MOST = 50;

const Txt = z.object({ id: z.string().min(1).max(100), fp: z.string().max(200), setup: z.string().optional() });

export interface Sighting extends SeenServer {
  readonly server: { readonly id: string; readonly fingerprint: string };
  readonly seenAt: number;
}

interface Station {
  readonly bonjour: Bonjour;
  browser: Browser | undefined;
}

interface Deps {
  readonly time: Time;
  readonly log: Log;
}

export class Discovery {
  readonly #deps: Deps;
  readonly #stations = new Map<string, Station>();
  readonly #sightings = new Map<string, Sighting>();
  readonly #listeners = new Set<() => void>();
  readonly #failed = new Set<string>();
  #cancel: Undo | undefined;
  #round = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#ask();
  }

  stop(): void {
    this.#cancel?.();
    for (const address of [...this.#stations.keys()]) this.#close(address);
    this.#sightings.clear();
  }

  /** Returns the servers in the order in which they were found. One server may be found at several addresses. */
  get sightings(): Sighting[] {
    return [...this.#sightings.values()];
  }

  onChange(listener: () => void): Undo {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #ask(): void {
    this.#follow(multicastAddresses());
    for (const station of this.#stations.values()) this.#browse(station);
    this.#expire();
    this.#cancel = this.#deps.time.after(askAfter(this.#round++), () => this.#ask());
  }

  #follow(addresses: readonly string[]): void {
    for (const address of this.#stations.keys()) if (!addresses.includes(address)) this.#close(address);
    for (const address of addresses) if (!this.#stations.has(address)) this.#open(address);
  }

  #open(address: string): void {
    // The socket is bound to every address: on Linux a socket that is bound to a unicast address receives no multicast.
    const options = { interface: address, bind: '0.0.0.0', reuseAddr: true };
    const bonjour = new Bonjour(options as object, (error: Error) => this.#failure(address, error));
    this.#stations.set(address, { bonjour, browser: undefined });
    // A listener is needed, because otherwise an error on the socket would end the process.
    const { mdns } = (bonjour as unknown as { server: { mdns: NodeJS.EventEmitter } }).server;
    mdns.on('error', (error: Error) => this.#failure(address, error));
    mdns.on('warning', () => {});
  }

  /** Logs the first failure of an address. The next round retries. */
  #failure(address: string, error: Error): void {
    if (!this.#failed.has(address)) this.#deps.log.warn(`no discovery on ${address}`, error);
    this.#failed.add(address);
    this.#close(address);
  }

  #close(address: string): void {
    const station = this.#stations.get(address);
    this.#stations.delete(address);
    station?.browser?.stop();
    station?.bonjour.destroy();
  }

  /**
   * Creates a new browser for each query. A long-lived browser does not report when the address of a known server
   * changes.
   */
  #browse(station: Station): void {
    station.browser?.stop();
    station.browser = station.bonjour.find({ type: 'vitrine' });
    station.browser.on('up', (service) => this.#up(service));
    station.browser.on('down', (service) => this.#down(service));
  }

  #up(service: Service): void {
    const txt = Txt.safeParse(service.txt);
    if (!txt.success) return;
    const { id, fp, setup } = txt.data;
    for (const host of hostsOf(service)) {
      const origin = `http://${host}:${service.port}`;
      const key = `${id} ${fp} ${origin}`;
      const sighting = {
        origin,
        name: service.name.slice(0, 100),
        setup: setup === '1',
        server: { id, fingerprint: fp },
        seenAt: this.#deps.time.mono(),
      };
      const before = this.#sightings.get(key);
      if (!before && this.#sightings.size >= MOST) return;
      this.#sightings.set(key, sighting);
      if (!before || before.name !== sighting.name || before.setup !== sighting.setup) this.#changed();
    }
  }

  /** Removes a server that sent a goodbye message. */
  #down(service: Service): void {
    const txt = Txt.safeParse(service.txt);
    if (txt.success) this.#forget((sighting) => sighting.server.id === txt.data.id);
  }

  #expire(): void {
    const now = this.#deps.time.mono();
    this.#forget((sighting) => now - sighting.seenAt > EXPIRES_MS);
  }

  #forget(gone: (sighting: Sighting) => boolean): void {
    const keys = [...this.#sightings].filter(([, sighting]) => gone(sighting)).map(([key]) => key);
    for (const key of keys) this.#sightings.delete(key);
    if (keys.length > 0) this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the addresses of a service. The sender of the answer is first, because it is reachable on this network. */
function hostsOf({ referer, addresses = [] }: Service): string[] {
  const ip4 = [referer?.address, ...addresses].filter(
    (address): address is string => address !== undefined && /^\d+\.\d+\.\d+\.\d+$/.test(address),
  );
  return [...new Set(ip4)].slice(0, 8);
}
