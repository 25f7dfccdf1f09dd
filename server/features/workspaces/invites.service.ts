/** Invites to a workspace, by e-mail address (accounts API, POST /accept-invite). */
import { randomUUID } from 'node:crypto';
import { ApiError, badRequest, conflict, forbidden, gone, notFound, tooMany } from '../../../shared/contract/errors.ts';
import { emailAddress } from '../../../shared/contract/people/email.ts';
import { type Invite, workspaceCalled } from '../../../shared/contract/people/workspaces.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import { requireOwnPassword } from '../../kernel/trust/own-password.ts';
import type { InviteRow, InvitesStore } from './invites.store.ts';
import type { MembersStore } from './members.store.ts';
import { recordAccess } from './record-access.ts';
import type { WorkspaceAccess } from './workspace-access.ts';
import type { WorkspaceRow, WorkspacesStore } from './workspaces.store.ts';

const VALID_SECONDS = 7 * 24 * 3600;
/** Seconds for which expired invites are kept, so that a guest who comes late gets the reason. */
const KEPT_SECONDS = 30 * 24 * 3600;
const SWEEP_EVERY_SECONDS = 3600;
const MAX_PENDING = 1000;

/**
 * Seconds after a mail in which a repeated invite keeps the link of this mail. A changed role then applies to this
 * link.
 */
const NO_SECOND_MAIL_SECONDS = 10 * 60;

/** Sends mails to invited addresses, if a mail server is configured. */
interface InviteMails {
  readonly configured: boolean;
  /** Called within a write transaction. Returns the seconds until the address may get a mail; 0: the mail is sent. */
  invited(to: string, facts: { workspace: string; inviter: string; inviteId: string; origin: string }): number;
}

/** A valid invite with its workspace. */
export interface GoodInvite {
  readonly row: InviteRow;
  readonly workspace: WorkspaceRow;
}

type Guest = Pick<Actor, 'userId' | 'userName' | 'ip'>;

interface Accepted {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly organization_name: string;
  readonly role: string;
  readonly already_member: boolean;
}

export class InvitesService {
  readonly #deps;
  /** Time of the last deletion of expired invites, in epoch seconds. */
  #sweptAt = 0;

  constructor(
    deps: Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> & {
      store: InvitesStore;
      members: MembersStore;
      workspaces: WorkspacesStore;
      access: WorkspaceAccess;
      mails: InviteMails;
    },
  ) {
    this.#deps = deps;
  }

  list(actor: Actor, workspaceId: string): Invite[] {
    this.#deps.access.manage(actor, workspaceId);
    return this.#deps.store.listPending(workspaceId, this.#now()).map(toInvite);
  }

  create(actor: Actor, workspaceId: string, body: { email: string; role: WorkspaceRole }, origin: string): Invite {
    const { db, store, members, access, mails } = this.#deps;
    const now = this.#now();
    return db.write(() => {
      const workspace = access.manage(actor, workspaceId);
      if (members.findByEmail(workspaceId, body.email))
        throw conflict('This e-mail address already belongs to a member of the workspace');
      this.#sweep(now);
      const earlier = store.listFor(body.email, now).find((row) => row.workspace_id === workspaceId);
      const isMailed = mails.configured && earlier !== undefined && earlier.created_at > now - NO_SECOND_MAIL_SECONDS;
      store.deleteFor(workspaceId, body.email);
      if (store.countPending(workspaceId, now) >= MAX_PENDING)
        throw badRequest(
          `A workspace can have at most ${MAX_PENDING} pending invitations. Delete some invitations, then try again.`,
        );
      // The id alone allows registration, so it must be random and not derived from the time.
      const id = isMailed ? earlier.id : randomUUID();
      const created_at = isMailed ? earlier.created_at : now;
      const row = {
        id,
        workspace_id: workspaceId,
        ...body,
        invited_by: actor.userId,
        expires_at: created_at + VALID_SECONDS,
        created_at,
      };
      store.insert(row);
      this.#record(actor, workspaceId, 'invite.created', row);
      const wait = isMailed
        ? 0
        : mails.invited(row.email, {
            workspace: workspaceCalled(workspace.name, workspace.organization_name),
            inviter: actor.userName,
            inviteId: row.id,
            origin,
          });
      if (wait > 0) throw tooMany(wait, 'This server has sent too many e-mails to this address');
      return toInvite(row);
    });
  }

  delete(actor: Actor, workspaceId: string, inviteId: string): void {
    const { db, store, access } = this.#deps;
    db.write(() => {
      access.manage(actor, workspaceId);
      const row = store.find(inviteId);
      if (row?.workspace_id !== workspaceId) throw notFound('Invite');
      store.delete(inviteId);
      this.#record(actor, workspaceId, 'invite.deleted', row);
    });
  }

  accept(actor: Actor, inviteId: string): Accepted {
    const { db, store, clock } = this.#deps;
    const outcome = db.write(() => {
      const refused = this.#refusal(store.find(inviteId), actor.email);
      if (refused?.expired && !clock.doubtful) store.delete(inviteId);
      if (refused) return refused.error;
      const good = this.get(inviteId, actor.email);
      // A guest whose password an organization owner has set can join only workspaces of that organization.
      if (good.workspace.organization_id !== actor.confinedTo) requireOwnPassword(actor);
      return this.join(actor, good);
    });
    // Thrown after the write transaction, because an error within it would undo the deletion of an expired invite.
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  }

  // The following methods are for accounts.

  /** @throws 404 unknown, 403 for another address, 410 when the invite has expired or its workspace is gone */
  get(inviteId: string, email: string): GoodInvite {
    const row = this.#deps.store.find(inviteId);
    const refused = this.#refusal(row, email);
    if (refused) throw refused.error;
    return { row: row!, workspace: this.#deps.workspaces.find(row!.workspace_id)! };
  }

  /** Returns the oldest valid invite of an address, for a person who has proved the address in another way. */
  findFor(email: string): GoodInvite | undefined {
    for (const row of this.#deps.store.listFor(email, this.#now())) {
      const workspace = this.#deps.workspaces.find(row.workspace_id);
      if (workspace) return { row, workspace };
    }
    return undefined;
  }

  /** Makes the guest a member and deletes the invite. Called within a write transaction. */
  join(guest: Guest, { row, workspace }: GoodInvite): Accepted {
    const { store, members } = this.#deps;
    const member = members.find(workspace.id, guest.userId);
    if (!member)
      members.insert({ workspace_id: workspace.id, user_id: guest.userId, role: row.role, created_at: this.#now() });
    store.delete(row.id);
    this.#record(guest, workspace.id, 'invite.accepted', row);
    return answer(workspace, member?.role ?? row.role, member !== undefined);
  }

  #refusal(row: InviteRow | undefined, email: string): { error: ApiError; expired?: boolean } | undefined {
    if (!row) return { error: notFound('Invite') };
    if (row.expires_at <= this.#now())
      return { error: gone('This invitation has expired. Ask for a new invitation.'), expired: true };
    if (row.email !== email.toLowerCase() && row.email !== emailAddress(email))
      return { error: forbidden('This invitation is for another e-mail address. Sign in with that address.') };
    if (!this.#deps.workspaces.find(row.workspace_id))
      return { error: gone('The workspace of this invitation no longer exists') };
    return undefined;
  }

  #record(actor: Guest, workspaceId: string, action: ActivityAction, row: InviteRow): void {
    recordAccess(this.#deps, { workspaceId, actor }, action, `${row.email} (${row.role})`, { topic: 'members' });
  }

  /** Deletes old expired invites, at most once per hour, because the deletion reads all invites. */
  #sweep(now: number): void {
    if (this.#deps.clock.doubtful || now - this.#sweptAt < SWEEP_EVERY_SECONDS) return;
    this.#sweptAt = now;
    this.#deps.store.deleteExpiredBefore(now - KEPT_SECONDS);
  }

  #now(): number {
    return seconds(this.#deps.clock);
  }
}

const toInvite = ({ id, email, role, expires_at, created_at }: InviteRow): Invite => ({
  id,
  email,
  role,
  expires_at,
  created_at,
});

const answer = (workspace: WorkspaceRow, role: string, already_member: boolean): Accepted => ({
  workspace_id: workspace.id,
  workspace_name: workspace.name,
  organization_name: workspace.organization_name,
  role,
  already_member,
});
