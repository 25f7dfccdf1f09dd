/** Which server to talk to, from what was typed, what is seen on the LAN and what was paired. */
import type { AddressBook, SeenServer, ServerAddress, Undo } from '../core/ports.ts';

const isLoopback = (origin: string): boolean => /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(origin);

interface Sightings {
  readonly sightings: readonly (SeenServer & {
    readonly server: { readonly id: string; readonly fingerprint: string };
  })[];
  onChange(listener: () => void): Undo;
}

interface Deps {
  readonly discovery: Sightings;
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
  pick(
    paired: { server_id: string; fingerprint: string; origin: string } | null,
    attempt: number,
  ): ServerAddress | null {
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
    if (!this.#deps.typed) return [];
    const seen = this.#deps.discovery.sightings.find((sighting) => sighting.origin === this.#deps.typed);
    return [{ origin: this.#deps.typed, server: seen?.server ?? null }];
  }

  /** Same id and same key: a box that only copies the id is not it. */
  #of({ server_id, fingerprint, origin }: { server_id: string; fingerprint: string; origin: string }): ServerAddress[] {
    const seen = this.#deps.discovery.sightings.filter(
      ({ server }) => server.id === server_id && server.fingerprint === fingerprint,
    );
    const last =
      seen.some((sighting) => sighting.origin === origin) || origin === this.#deps.typed
        ? []
        : [{ origin, server: null }];
    return [...seen, ...last];
  }

  /** Not paired and nothing typed: the first seen, at all its addresses. */
  #first(): ServerAddress[] {
    const [first] = this.#deps.typed ? [] : this.#deps.discovery.sightings;
    return first
      ? this.#deps.discovery.sightings.filter(
          ({ server }) => server.id === first.server.id && server.fingerprint === first.server.fingerprint,
        )
      : [];
  }
}
