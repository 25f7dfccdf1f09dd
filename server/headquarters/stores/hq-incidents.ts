/**
 * Incidents of stores, each stored once. An incident that people have marked as seen is shown as unseen again when it
 * becomes more serious, or when it happens again after an hour. If only its count grows, the text changes and the mark
 * stays.
 */
import {
  incidentText,
  isMoreSerious,
  isWorthWriting,
  type Joined,
  joinedIn,
  joinIncident,
  SAME_SECONDS,
} from '../../../shared/chain/incident-count.ts';
import type { Presence } from '../../../shared/chain/wire.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { StoreRegistry } from './store-registry.ts';
import type { StoresStore } from './stores.store.ts';

/** Maximum number of incidents in memory, for all stores together. */
const MOST_KEPT = 10_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: Pick<StoresStore, 'addIncident' | 'latestIncident' | 'incident'>;
  readonly registry: Pick<StoreRegistry, 'refresh'>;
}

interface Whose {
  readonly id: number;
  readonly workspaceId: string;
}

export class HqIncidents {
  readonly #deps: Deps;
  /** Recent incidents by id, each with its rank (how serious it is). The database does not store the rank. */
  readonly #joined = recent<string, Joined>(MOST_KEPT);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds an incident that headquarters noticed. A repetition increases the count of the stored incident, which keeps
   * its most serious sentence. Within an hour, a repetition of a seen incident only increases the count.
   * @param rank higher is more serious
   */
  add(whose: Whose, kind: string, details: string, rank = 0): void {
    const { db, clock, store } = this.#deps;
    const now = seconds(clock);
    const last = store.latestIncident(whose.id, kind);
    const known = last && (this.#joined.get(last.id) ?? joinedIn(last.details));
    const isSame = last?.seen_at === null || (last && known && now - last.at < SAME_SECONDS && rank <= known.rank);
    const before = isSame ? known : undefined;
    const joined = joinIncident(before, details, rank);
    const incident = {
      id: (isSame && last?.id) || newId(),
      kind,
      details: incidentText(joined),
      at: (isSame && last?.at) || now,
    };
    this.#joined.set(incident.id, joined);
    if (!isWorthWriting(before, joined)) return;
    db.write(() => {
      store.addIncident(whose.id, incident);
      this.#deps.registry.refresh(whose.id);
      announce(this.#deps, { workspaceId: whose.workspaceId, userId: null }, { topic: 'stores' });
    });
  }

  /**
   * Adds incidents that the store reports, each once, however often the store reports it. Called within a write
   * transaction.
   */
  record(whose: Whose, incidents: Presence['incidents']): void {
    const { store } = this.#deps;
    for (const incident of incidents) {
      const before = store.incident(whose.id, incident.id);
      const showAgain = before !== undefined && isMoreSerious(incident.kind, before.details, incident.details);
      store.addIncident(whose.id, incident, { showAgain });
    }
    this.#deps.registry.refresh(whose.id);
  }
}
