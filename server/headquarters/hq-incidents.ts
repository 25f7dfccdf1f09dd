/** What went wrong with a store, once each until somebody has looked. */
import type { Presence } from '../../shared/chain/wire.ts';
import { announce } from '../kernel/bus.ts';
import { seconds } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Parts } from '../kernel/parts.ts';
import type { StoreBook } from './store-book.ts';
import type { StoresStore } from './stores.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: Pick<StoresStore, 'addIncident' | 'hasUnseen'>;
  readonly book: Pick<StoreBook, 'refresh'>;
}

interface Whose {
  readonly id: number;
  readonly workspaceId: string;
}

export class HqIncidents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Noticed here. A store that does it again and again is told of once. */
  add(whose: Whose, kind: string, details: string): void {
    const { db, clock, store } = this.#deps;
    if (store.hasUnseen(whose.id, kind)) return;
    db.write(() => {
      store.addIncident(whose.id, { id: newId(), kind, details, at: seconds(clock) });
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
