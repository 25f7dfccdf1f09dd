/** Chooses the server address from the entered address, the servers seen on the LAN, and the paired server. */
import type { AddressBook, SeenServer, ServerAddress, Undo } from '../core/ports.ts';
import type { Discovery, Sighting } from './discovery.ts';

const isLoopback = (origin: string): boolean => /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(origin);

type Paired = NonNullable<Parameters<AddressBook['pick']>[0]>;

interface Deps {
  readonly discovery: Pick<Discovery, 'sightings' | 'onChange'>;
  readonly typed: string | null;
}

export class LanAddressBook implements AddressBook {
  readonly #deps: Deps;

  /** `typed`: the origin of a server that a person entered. It is always tried first. */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get given(): boolean {
    return this.#deps.typed !== null;
  }

  /**
   * Attempts alternate: the entered address, then the addresses where the paired server is seen (unpaired: the first
   * server seen), then the last known address.
   */
  pick(paired: Paired | null, attempt: number): ServerAddress | null {
    const candidates = [...this.#typedAddress(), ...(paired ? this.#of(paired) : this.#first())];
    return candidates[attempt % Math.max(1, candidates.length)] ?? null;
  }

  /** Returns one entry per server, with an address that other machines can reach if the server has such an address. */
  seen(): readonly SeenServer[] {
    // A server that copies the id of another server is listed separately.
    const byKey = Map.groupBy(this.#deps.discovery.sightings, ({ server }) => `${server.id} ${server.fingerprint}`);
    return [...byKey.values()].flatMap(
      (sightings) => sightings.find(({ origin }) => !isLoopback(origin)) ?? sightings.slice(0, 1),
    );
  }

  onChange(listener: () => void): Undo {
    return this.#deps.discovery.onChange(listener);
  }

  #typedAddress(): ServerAddress[] {
    const { typed, discovery } = this.#deps;
    if (!typed) return [];
    return [{ origin: typed, server: discovery.sightings.find(({ origin }) => origin === typed)?.server ?? null }];
  }

  /**
   * Returns the addresses at which the paired server was found on the network, then its last known address unless
   * already listed.
   */
  #of({ server_id, fingerprint, origin }: Paired): ServerAddress[] {
    const seen = this.#sightingsOf({ id: server_id, fingerprint });
    const isNamed = origin === this.#deps.typed || seen.some((sighting) => sighting.origin === origin);
    return isNamed ? seen : [...seen, { origin, server: null }];
  }

  /**
   * For a player that is unpaired and has no entered address: returns all addresses of the server that was found first.
   */
  #first(): ServerAddress[] {
    const [first] = this.#deps.typed ? [] : this.#deps.discovery.sightings;
    return first ? this.#sightingsOf(first.server) : [];
  }

  /** Returns the addresses of a server. Its id and its key must match, because another machine may copy the id. */
  #sightingsOf({ id, fingerprint }: Sighting['server']): ServerAddress[] {
    return this.#deps.discovery.sightings.filter(
      ({ server }) => server.id === id && server.fingerprint === fingerprint,
    );
  }
}
