/**
 * Decides what a member or a visitor may do besides their role. The API calls this check before each handler
 * (server/http/api.ts). The answer follows from the declaration of the endpoint (shared/contract/acts.ts, visitors.ts).
 * The check fails closed: an endpoint without a declaration is refused to everyone with limited rights.
 */
import { on } from '../../../shared/contract/acts.ts';
import { type Asked, type Endpoint, isWrite } from '../../../shared/contract/endpoint.ts';
import { ApiError, forbidden } from '../../../shared/contract/errors.ts';
import type { Hindrance, RightsKind } from '../../../shared/contract/people/rights.ts';
import { refusalForVisitors } from '../../../shared/contract/screens/visitors.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import { type LimitedActor, LimitsCheck, type LimitsDeps, OUTSIDE, UPLOADS_ONLY } from './limits.ts';
import { APPROVAL, requireApproved } from './unapproved.ts';

/** Error code of each refusal of a visitor from headquarters. */
const VISITOR = 'visitor';

export class RightsService {
  readonly #deps: LimitsDeps;

  constructor(deps: LimitsDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError 403 with a sentence that says what the rights allow */
  require(endpoint: Pick<Endpoint, 'method' | 'access' | 'acts' | 'shows'>, actor: Actor, asked: Asked): void {
    const refusal = actor.visits && refusalForVisitors(endpoint, asked);
    if (refusal) throw forbidden(refusal, VISITOR);
    if (!isWrite(endpoint)) return;
    if (isLimited(actor)) {
      if (!endpoint.acts)
        throw forbidden(
          'Your rights in this workspace do not include this action. Ask an administrator of the workspace.',
          OUTSIDE,
        );
      const check = new LimitsCheck(this.#deps, actor);
      for (const act of endpoint.acts(asked)) check.require(act);
    }
    if (actor.needsApproval && inWorkspace(actor)) {
      if (!endpoint.shows) throw forbidden('Only approvers can do this.', APPROVAL);
      for (const showing of endpoint.shows(asked)) requireApproved(this.#deps, actor, showing);
    }
  }

  /**
   * Returns the records that the actor may not change, or may change only in part, each with the reason in a sentence.
   */
  hindrances(actor: WorkspaceActor, kind: RightsKind, ids: readonly string[]): Hindrance[] {
    if (actor.limits === null && !actor.needsApproval) return [];
    const check = isLimited(actor) ? new LimitsCheck(this.#deps, actor) : undefined;
    return ids.flatMap((id) => {
      try {
        check?.require(on(kind, id));
        if (actor.limits?.duty !== 'upload' && kind === 'content') check?.require(on('shown', id));
        if (actor.needsApproval && (kind === 'content' || kind === 'widget' || kind === 'kiosk'))
          requireApproved(this.#deps, actor, { by: 'edit', of: kind, id });
        if (actor.needsApproval && kind === 'playlist')
          requireApproved(this.#deps, actor, { by: 'draft', playlist: id });
        return check && kind === 'content' ? shownHindrance(check, id) : [];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return [{ id, reason: error.message, code: error.code ?? '' }];
      }
    });
  }
}

/** Members who may only upload may still rename and move any content, so this refusal has its own code. */
const shownHindrance = (check: LimitsCheck, id: string): Hindrance[] => {
  try {
    check.require(on('shown', id));
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [{ id, reason: error.message, code: UPLOADS_ONLY }];
  }
};

const inWorkspace = <A extends Actor>(actor: A): actor is A & { readonly workspaceId: string } =>
  actor.workspaceId !== null;
const isLimited = <A extends Actor>(actor: A): actor is A & LimitedActor => actor.limits !== null && inWorkspace(actor);
