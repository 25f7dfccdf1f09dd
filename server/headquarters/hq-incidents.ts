/** What went wrong with a store, once each until somebody has looked. */
import {
  incidentText,
  isWorthWriting,
  type Joined,
  joinedIn,
  joinIncident,
} from '../../shared/chain/incident-count.ts';
import type { Presence } from '../../shared/chain/wire.ts';
import { announce } from '../kernel/bus.ts';
import { seconds } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import type { StoreBook } from './store-book.ts';
import type { StoresStore } from './stores.store.ts';

/** Incidents of all stores. */
const MOST_KEPT = 10_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: Pick<StoresStore, 'addIncident' | 'unseen'>;
  readonly book: Pick<StoreBook, 'refresh'>;
}

interface Whose {
  readonly id: number;
  readonly workspaceId: string;
}

export class HqIncidents {
  readonly #deps: Deps;
  /** By id, with ranks, which the stored sentence does not tell. */
  readonly #joined = recent<string, Joined>(MOST_KEPT);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Noticed here. What happens again before somebody has looked is counted, and the most serious sentence stays.
   * @param rank higher is more serious
   */
  add(whose: Whose, kind: string, details: string, rank = 0): void {
    const { db, clock, store } = this.#deps;
    const unseen = store.unseen(whose.id, kind);
    const known = unseen && this.#joined.get(unseen.id);
    const before = unseen && (known ?? joinedIn(unseen.details));
    const joined = joinIncident(before, details, rank);
    const incident = {
      id: unseen?.id ?? newId(),
      kind,
      details: incidentText(joined),
      at: unseen?.at ?? seconds(clock),
    };
    this.#joined.set(incident.id, joined);
    if (!isWorthWriting(before, joined)) return;
    db.write(() => {
      store.addIncident(whose.id, incident);
      this.#deps.book.refresh(whose.id);
      announce(this.#deps, { workspaceId: whose.workspaceId, userId: null }, { topic: 'stores' });
    });
  }

  /** Told by the store; once, however often it tells. Within a write. */
  told(whose: Whose, incidents: Presence['incidents']): void {
    for (const incident of incidents) this.#deps.store.addIncident(whose.id, incident);
    this.#deps.book.refresh(whose.id);
  }
}
