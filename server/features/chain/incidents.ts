/** Writes down what went wrong between a store and headquarters, for both of them, and never in floods. */
import type { Incident } from '../../../shared/chain/wire.ts';
import type { ChainIncident } from '../../../shared/contract/chain.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { ChainStore } from './chain.store.ts';

/** The same again within this time is the same incident. */
const SAME_SECONDS = 3_600;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: Pick<ChainStore, 'putIncident'>;
}

export class Incidents {
  readonly #deps: Deps;
  /** The last of each kind, by workspace and kind. */
  readonly #last = new Map<string, ChainIncident>();
  readonly #givenUp = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Within a write, or by itself. @param details a sentence for people */
  add(workspaceId: string, kind: Incident, details: string): void {
    const { db, clock, store, activity } = this.#deps;
    const key = `${workspaceId} ${kind}`;
    const at = seconds(clock);
    const before = this.#last.get(key);
    const isSame = before !== undefined && at - before.at < SAME_SECONDS;
    if (isSame && before.details === details) return;
    const incident = isSame ? { ...before, details } : { id: newId(), kind, details, at };
    this.#last.set(key, incident);
    db.write(() => {
      store.putIncident(workspaceId, incident);
      if (!isSame) activity.add({ workspaceId, actor: null, action: 'chain.incident', details });
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'chain' });
    });
  }

  /** Plays ended before headquarters had them. Called in the write that deletes them. */
  givenUp(workspaceId: string, plays: number): void {
    const before = this.#last.get(`${workspaceId} plays_given_up`);
    const isSame = before !== undefined && seconds(this.#deps.clock) - before.at < SAME_SECONDS;
    const all = (isSame ? (this.#givenUp.get(workspaceId) ?? 0) : 0) + plays;
    this.#givenUp.set(workspaceId, all);
    this.add(
      workspaceId,
      'plays_given_up',
      `${all} plays were deleted because of their age before headquarters had them.`,
    );
  }
}
