/**
 * Stores incidents between a store and headquarters, in the store and at headquarters. A repeated incident increases a
 * count.
 */
import {
  incidentText,
  isWorthWriting,
  type Joined,
  joinIncident,
  SAME_SECONDS,
  STATES,
} from '../../../shared/chain/incident-count.ts';
import type { Incident } from '../../../shared/chain/wire.ts';
import type { ChainIncident } from '../../../shared/contract/headquarters/chain.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { ChainStore } from './chain.store.ts';

/** Maximum number of incidents for all workspaces and kinds together. */
const MOST_KEPT = 1_000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: Pick<ChainStore, 'putIncident'>;
}

export class Incidents {
  readonly #deps: Deps;
  /** The latest incident, by workspace and kind. */
  readonly #last = new Map<string, ChainIncident & { readonly joined: Joined }>();
  readonly #givenUp = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds an incident, inside or outside a write transaction. Repetitions within an hour are counted; the most serious
   * sentence stays.
   * @param details a sentence for people
   * @param rank a higher number is more serious
   */
  add(workspaceId: string, kind: Incident, details: string, rank = 0): void {
    const { db, clock, store, activity } = this.#deps;
    // The key contains the campaign, so that each campaign has its own incident.
    const key = `${workspaceId} ${kind}${kind === 'campaign_refused' ? ` ${details}` : ''}`;
    const at = seconds(clock);
    const found = this.#last.get(key);
    const before = found && at - found.at < SAME_SECONDS ? found : undefined;
    if (before && STATES.has(kind) && before.details === details) return;
    const joined = STATES.has(kind)
      ? { sentence: details, rank, count: 1 }
      : joinIncident(before?.joined, details, rank);
    const incident = { id: before?.id ?? newId(), kind, details: incidentText(joined), at: before?.at ?? at };
    this.#last.set(key, { ...incident, joined });
    if (this.#last.size > MOST_KEPT) this.#forget(at);
    if (before && !isWorthWriting(before.joined, joined)) return;
    db.write(() => {
      store.putIncident(workspaceId, incident);
      if (!before) activity.add({ workspaceId, actor: null, action: 'chain.incident', details });
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'chain' });
    });
  }

  /** Removes entries older than an hour, and the oldest entries beyond the limit. */
  #forget(at: number): void {
    for (const [key, { at: from }] of this.#last)
      if (at - from >= SAME_SECONDS || this.#last.size > MOST_KEPT) this.#last.delete(key);
  }

  /**
   * Counts plays that expired before headquarters received them. Called in the write transaction that deletes these
   * plays.
   */
  countExpired(workspaceId: string, plays: number): void {
    const before = this.#last.get(`${workspaceId} plays_given_up`);
    const isSame = before !== undefined && seconds(this.#deps.clock) - before.at < SAME_SECONDS;
    const all = (isSame ? (this.#givenUp.get(workspaceId) ?? 0) : 0) + plays;
    this.#givenUp.set(workspaceId, all);
    this.add(
      workspaceId,
      'plays_given_up',
      `${all} plays were deleted because of their age before headquarters received them.`,
    );
  }
}
