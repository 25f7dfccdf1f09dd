/** Personal access tokens of the current workspace. */

import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '../../../shared/contract/endpoint.ts';
import { badRequest, forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { Token } from '../../../shared/contract/people/tokens.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { recordAccess } from './record-access.ts';
import type { TokensStore } from './tokens.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

/** Number of characters of a token that stay visible in lists: the prefix and 24 bits, too few to guess the rest. */
const SHOWN = 8;
const MAX_LIVE = 1000;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: TokensStore;
  readonly access: Pick<WorkspaceAccess, 'belongs'>;
}

export class TokensService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: Actor): Token[] {
    return this.#deps.store.list(workspaceOf(actor));
  }

  create(
    actor: Actor,
    body: { name: string; scope: Scope; expires_at?: number | null | undefined },
  ): Token & { token: string } {
    const { clock, access, store, db } = this.#deps;
    const workspace_id = workspaceOf(actor);
    const now = seconds(clock);
    if (body.expires_at && body.expires_at <= now) throw badRequest('expires_at: must be in the future');
    if (!access.belongs(actor.userId, workspace_id))
      throw forbidden(
        'Only members of this workspace can create tokens. You see this workspace only as staff of the platform; become a member first.',
      );
    if (store.countLive(workspace_id) >= MAX_LIVE)
      throw badRequest(
        `A workspace can have at most ${MAX_LIVE} tokens. Revoke tokens that are not needed, then try again.`,
      );
    const token = `vtr_${randomBytes(32).toString('base64url')}`;
    return db.write(() => {
      const id = newId();
      const { name, scope, expires_at } = body;
      store.insert({
        id,
        workspace_id,
        user_id: actor.userId,
        name,
        scope,
        expires_at,
        hash: hash('sha256', token, 'hex'),
        prefix: token.slice(0, SHOWN),
        created_at: now,
      });
      this.#record(actor, workspace_id, 'token.created', id, `${name} (${scope})`);
      return { ...store.find(workspace_id, id)!, token };
    });
  }

  /** Revokes a token: the next request with it is 401. A revoked token stays revoked. */
  revoke(actor: Actor, id: string): void {
    const { db, store, clock } = this.#deps;
    const workspaceId = workspaceOf(actor);
    db.write(() => {
      const token = store.find(workspaceId, id);
      if (!token) throw notFound('Token');
      if (token.revoked_at !== null) return;
      store.revoke(id, seconds(clock));
      this.#record(actor, workspaceId, 'token.revoked', id, token.name);
    });
  }

  // The following methods are for accounts.

  /** Counts valid tokens of a user in the workspaces of one organization; null: in all organizations. */
  countOf(userId: string, within: string | null): number {
    return this.#deps.store.listLiveOf(userId, within, seconds(this.#deps.clock)).length;
  }

  /** Called within a write transaction. */
  revokeAllOf(userId: string, { actor, within }: { actor: Actor; within: string | null }): void {
    const now = seconds(this.#deps.clock);
    for (const { id, workspace_id, name } of this.#deps.store.listLiveOf(userId, within, now)) {
      this.#deps.store.revoke(id, now);
      this.#record(actor, workspace_id, 'token.revoked', id, name);
    }
  }

  #record(actor: Actor, workspaceId: string, action: ActivityAction, id: string, details: string): void {
    recordAccess(this.#deps, { workspaceId, actor }, action, details, { topic: 'tokens', ids: [id] });
  }
}

/** A person who may manage tokens is always in a workspace, so the workspace is known. */
const workspaceOf = (actor: Actor): string => actor.workspaceId!;
