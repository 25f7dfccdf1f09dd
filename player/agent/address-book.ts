/** Which server to talk to, from what was typed, what is seen on the LAN and what was paired. */
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

  /** `typed`: an origin; always tried first. */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get given(): boolean {
    return this.#deps.typed !== null;
  }

  /**
   * Attempts take turns: typed, then where the paired server is seen (or whoever was seen first), then where it was
   * last.
   */
  pick(paired: Paired | null, attempt: number): ServerAddress | null {
    const candidates = [...this.#typedAddress(), ...(paired ? this.#of(paired) : this.#first())];
    return candidates[attempt % Math.max(1, candidates.length)] ?? null;
  }

  /** One entry a server, by an address that others can follow too if it has one. */
  seen(): readonly SeenServer[] {
    // Somebody who copies another's id is somebody else all the same.
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

  /** Where the paired server is seen, then where it was last, unless that has been named already. */
  #of({ server_id, fingerprint, origin }: Paired): ServerAddress[] {
    const seen = this.#sightingsOf({ id: server_id, fingerprint });
    const isNamed = origin === this.#deps.typed || seen.some((sighting) => sighting.origin === origin);
    return isNamed ? seen : [...seen, { origin, server: null }];
  }

  /** Not paired and nothing typed: the first seen, at all its addresses. */
  #first(): ServerAddress[] {
    const [first] = this.#deps.typed ? [] : this.#deps.discovery.sightings;
    return first ? this.#sightingsOf(first.server) : [];
  }

  /** Same id and same key: a box that only copies the id is not it. */
  #sightingsOf({ id, fingerprint }: Sighting['server']): ServerAddress[] {
    return this.#deps.discovery.sightings.filter(
      ({ server }) => server.id === id && server.fingerprint === fingerprint,
    );
  }
}
