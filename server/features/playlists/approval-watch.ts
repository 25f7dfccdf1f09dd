/**
 * Mails approvers about waiting requests: all requests of a minute in one mail, then no further mail for a while,
 * regardless of the number of requests.
 */
import type { PublishRequest } from '../../../shared/contract/people/approvals.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Reader } from '../../mails/words.ts';
import type { ApprovalsStore } from './approvals.store.ts';

const LOOK_EVERY_MS = 60_000;
/** Seconds between two mails to the approvers of a workspace. */
const QUIET_SECONDS = 15 * 60;
/** Maximum number of requests in a mail. The newest requests are listed. */
const MAX_TOLD = 50;

export type ToldRequest = Pick<PublishRequest, 'playlist_name' | 'user_name' | 'note'>;

interface Deps extends Pick<Parts, 'clock' | 'log'> {
  readonly store: Pick<ApprovalsStore, 'ready' | 'approvers'>;
  readonly tell: { approvalWanted(to: Reader, requests: readonly ToldRequest[]): void };
}

export class ApprovalWatch implements Lifecycle {
  readonly name = 'approval-watch';
  readonly #deps: Deps;
  /** Requests that no mail has mentioned, by workspace. */
  readonly #untold = new Map<string, string[]>();
  /** Time until which a workspace gets no further mail. */
  readonly #quietUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      try {
        this.runDue();
      } catch (error) {
        this.#deps.log.error('Those who approve could not be told what waits', { error });
      }
    }, LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  readonly asked = (workspaceId: string, requestId: string): void => {
    this.#untold.set(workspaceId, [...(this.#untold.get(workspaceId) ?? []), requestId].slice(-MAX_TOLD));
  };

  /** Sends the mails that are due. Called every minute, and directly by tests. */
  runDue(): void {
    const { store, clock, tell } = this.#deps;
    const now = seconds(clock);
    for (const [workspaceId, ids] of this.#untold) {
      if ((this.#quietUntil.get(workspaceId) ?? 0) > now) continue;
      this.#untold.delete(workspaceId);
      this.#quietUntil.delete(workspaceId);
      const requests = store.ready(workspaceId, ids);
      for (const approver of store.approvers(workspaceId)) {
        const others = requests.filter(({ user_id }) => user_id !== approver.id);
        if (others.length === 0) continue;
        tell.approvalWanted(approver, others);
        this.#quietUntil.set(workspaceId, now + QUIET_SECONDS);
      }
    }
  }
}
