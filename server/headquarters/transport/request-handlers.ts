/** Handles the requests of stores, one method per verb (shared/chain/wire.ts). */

import type { z } from 'zod';
import type { SignedDesired } from '../../../shared/chain/campaign.ts';
import type { Whose } from '../../../shared/chain/subjects.ts';
import { type AnswerOf, type AskOf, enrolText, type HubOffer, type SegmentAnswer } from '../../../shared/chain/wire.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { isSignedBy } from '../../kernel/trust/signed-by.ts';
import type { KnownStore, Writer } from '../plays/segment-writer.ts';
import type { HqIncidents } from '../stores/hq-incidents.ts';
import { Refused } from '../stores/refused.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { hashOfSecret } from '../stores/stores.service.ts';
import type { StoresStore } from '../stores/stores.store.ts';
import type { Downlink } from './downlink.ts';
import type { Sessions } from './sessions.ts';

/** Desired states of stores, and the progress that stores report. */
export interface DesiredStateSource {
  /** Returns the revision of the newest desired state of a store; 0: there is none. */
  rev(store: KnownStore): number;
  /** Returns the desired state when it is newer than the revision that the store has; null: it is not newer. */
  newer(store: KnownStore, rev: number): SignedDesired | null;
  /** Records the report of a store: the revision of its desired state, and the progress of its campaigns. */
  record(store: KnownStore, told: Pick<AskOf<'presence'>, 'desired_rev' | 'campaigns'>): void;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: StoresStore;
  readonly registry: StoreRegistry;
  readonly sessions: Sessions;
  readonly writer: Writer;
  readonly incidents: HqIncidents;
  readonly downlink: Pick<Downlink, 'answered'>;
  readonly desiredStates: DesiredStateSource;
  readonly server: () => { readonly name: string; readonly fingerprint: string };
  readonly sealing: { readonly key: string };
  /** Returns the address and credential of another transport than HTTPS for a store; undefined when there is none. */
  readonly offer: (whose: Whose) => HubOffer | undefined;
}

export class RequestHandlers {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Enrols a server with an enrolment code. @throws Refused */
  enrol(ask: AskOf<'enrol'>): AnswerOf<'enrol'> {
    const { db, store, registry, server, clock, activity } = this.#deps;
    const { secret, key, signature, server_name, workspace_name, seal_key } = ask;
    return db.write(() => {
      const id = store.byCode(hashOfSecret(secret), seconds(clock));
      const found = id === undefined ? undefined : store.find(id);
      // The error is the same whether the code exists, existed or never existed.
      if (!found || !isSignedBy(key, enrolText(secret, key, server().fingerprint), signature)) throw wrongCode();
      const other = registry.byKey(key);
      if (other && other.id !== found.id)
        throw new Refused(
          'code_refused',
          409,
          `This server is already enrolled as the store ${other.name}. That store must leave headquarters first.`,
        );
      const isReplaced = found.key !== null && found.key !== key;
      store.enrol(found.id, { key, seal_key, server_name, workspace_name, at: seconds(clock) });
      registry.refresh(found.id);
      const whose = isReplaced ? ': another server has taken the place of the one before' : '';
      activity.add({
        workspaceId: found.workspace_id,
        actor: null,
        action: 'store.enrolled',
        details: `${found.name}${whose}`,
      });
      this.#announce(found);
      return {
        store: found.ref,
        name: found.name,
        seal_key: this.#deps.sealing.key,
        sticks: { taken: found.stick_in, written: found.stick_out },
      };
    });
  }

  challenge({ store }: AskOf<'challenge'>): AnswerOf<'challenge'> {
    return { nonce: this.#deps.sessions.challenge(store) };
  }

  session(ask: AskOf<'session'>): AnswerOf<'session'> {
    const { sessions, registry, offer } = this.#deps;
    const token = sessions.open(ask);
    const nats = offer({ store: ask.store, key: registry.byRef(ask.store)!.key! });
    return { token, ...(nats && { nats }) };
  }

  through(store: KnownStore, { epochs }: AskOf<'through'>): Promise<AnswerOf<'through'>> {
    return this.#deps.writer.through(store, epochs);
  }

  segment(store: KnownStore, file: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return this.#deps.writer.storeSegment(store, file);
  }

  presence(store: KnownStore, told: AskOf<'presence'>): AnswerOf<'presence'> {
    const { registry, clock, desiredStates } = this.#deps;
    this.#note(store, told);
    registry.record(store.id, told, told.clock_ms - clock.now());
    desiredStates.record(store, told);
    return this.names(store);
  }

  /**
   * Records a presence from a transfer file, unless headquarters already has a newer presence of the store.
   * @param at epoch milliseconds
   */
  carried(store: KnownStore, told: AskOf<'presence'>, at: number): void {
    const { registry, desiredStates } = this.#deps;
    this.#note(store, told);
    const heardAt = registry.byRef(store.ref)!.heard_at;
    const toldAt = Math.floor(at / 1000);
    if (heardAt !== null && heardAt > toldAt) return;
    registry.record(store.id, told, null, toldAt);
    desiredStates.record(store, told);
  }

  /** Returns the facts about headquarters that each answer to a presence contains. */
  names(store: KnownStore): AnswerOf<'presence'> {
    const { registry, server, clock, desiredStates, sealing } = this.#deps;
    return {
      name: registry.byRef(store.ref)!.name,
      headquarters: server().name,
      clock_ms: clock.now(),
      desired_rev: desiredStates.rev(store),
      seal_key: sealing.key,
    };
  }

  #note(store: KnownStore, { incidents: told, seal_key }: AskOf<'presence'>): void {
    const { db, registry, store: stores, incidents } = this.#deps;
    if (told.length > 0) db.write(() => incidents.record(store, told));
    if (seal_key === undefined || registry.byRef(store.ref)!.seal_key === seal_key) return;
    db.write(() => {
      stores.setSealKey(store.id, seal_key);
      registry.refresh(store.id);
    });
  }

  desired(store: KnownStore, { rev }: AskOf<'desired'>): AnswerOf<'desired'> {
    return { desired: this.#deps.desiredStates.newer(store, rev) };
  }

  answer(store: KnownStore, ask: AskOf<'answer'>): AnswerOf<'answer'> {
    this.#deps.downlink.answered(store, ask);
    return {};
  }

  leave(store: KnownStore): AnswerOf<'leave'> {
    const { db, store: stores, registry, activity, clock } = this.#deps;
    const found = registry.byRef(store.ref)!;
    db.write(() => {
      stores.leave(store.id, seconds(clock));
      registry.refresh(store.id);
      activity.add({ workspaceId: store.workspaceId, actor: null, action: 'store.left', details: found.name });
      this.#announce(found);
    });
    return {};
  }

  #announce({ workspace_id: workspaceId, ref }: Pick<StoreNow, 'workspace_id' | 'ref'>): void {
    announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores', ids: [ref] });
  }
}

const wrongCode = () =>
  new Refused(
    'code_refused',
    403,
    'is not valid: the code may be used up or too old. Create a new code at headquarters.',
  );
