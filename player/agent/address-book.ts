/** Which server to talk to, from what was typed, what is seen on the LAN and what was paired. */
import type { AddressBook, SeenServer, ServerAddress, Undo } from '../core/ports.ts';

const isLoopback = (origin: string): boolean => /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(origin);

interface Sightings {
  readonly sightings: readonly (SeenServer & { readonly server: { readonly id: string; readonly fingerprint: string } })[];
  onChange(listener: () => void): Undo;
}

export class LanAddressBook implements AddressBook {
  readonly #discovery: Sightings;
  readonly #typed: string | null;

  /** `typed`: an origin; always tried first. */
  constructor({ discovery, typed }: { discovery: Sightings; typed: string | null }) {
    this.#discovery = discovery;
    this.#typed = typed;
  }

  get given(): boolean {
    return this.#typed !== null;
  }

  /** Attempts take turns: typed, then where the paired server is seen (or whoever was seen first), then where it was last. */
  pick(paired: { server_id: string; fingerprint: string; origin: string } | null, attempt: number): ServerAddress | null {
    const candidates = [...this.#typedAddress(), ...(paired ? this.#of(paired) : this.#first())];
    return candidates[attempt % Math.max(1, candidates.length)] ?? null;
  }

  /** One entry a server, by an address that others can follow too if it has one. */
  seen(): readonly SeenServer[] {
    // Somebody who copies another's id is somebody else all the same.
    const byKey = Map.groupBy(this.#discovery.sightings, ({ server }) => `${server.id} ${server.fingerprint}`);
    return [...byKey.values()].flatMap((sightings) => sightings.find(({ origin }) => !isLoopback(origin)) ?? sightings.slice(0, 1));
  }

  onChange(listener: () => void): Undo {
    return this.#discovery.onChange(listener);
  }

  #typedAddress(): ServerAddress[] {
    if (!this.#typed) return [];
    const seen = this.#discovery.sightings.find((sighting) => sighting.origin === this.#typed);
    return [{ origin: this.#typed, server: seen?.server ?? null }];
  }

  /** Same id and same key: a box that only copies the id is not it. */
  #of({ server_id, fingerprint, origin }: { server_id: string; fingerprint: string; origin: string }): ServerAddress[] {
    const seen = this.#discovery.sightings.filter(({ server }) => server.id === server_id && server.fingerprint === fingerprint);
    const last = seen.some((sighting) => sighting.origin === origin) || origin === this.#typed ? [] : [{ origin, server: null }];
    return [...seen, ...last];
  }

  /** Not paired and nothing typed: the first seen, at all its addresses. */
  #first(): ServerAddress[] {
    const [first] = this.#typed ? [] : this.#discovery.sightings;
    return first ? this.#discovery.sightings.filter(({ server }) => server.id === first.server.id && server.fingerprint === first.server.fingerprint) : [];
  }
}
