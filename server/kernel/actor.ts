/** Who is asking. Made by http/credentials, trusted after that. */
import type { Scope } from '../../shared/contract/endpoint.ts';

export type PlatformRole = 'user' | 'platform_operator' | 'platform_admin';
export type WorkspaceRole = 'workspace_viewer' | 'workspace_editor' | 'workspace_admin';
export type OrganizationRole = 'org_owner' | 'org_admin';

export interface Actor {
  readonly via: 'session' | 'token';
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  /** With a token always `user`. */
  readonly platformRole: PlatformRole;
  readonly mustChangePassword: boolean;
  /**
   * The organization whose owner has set the password, until that is confirmed: nothing outside of it is open. Null: no
   * bounds; so with a token, which has its workspace.
   */
  readonly confinedTo: string | null;
  /** Null: the user is in no workspace. */
  readonly workspaceId: string | null;
  readonly organizationId: string | null;
  /**
   * In force in the current workspace (kernel/roles.ts): also by the organization or the platform, without a
   * membership.
   */
  readonly workspaceRole: WorkspaceRole | null;
  readonly organizationRole: OrganizationRole | null;
  /** Of a token; `full` for a session, whose roles decide. */
  readonly scope: Scope;
  /** SHA-256 of the credential, hex: names the session to keep or to end. */
  readonly credentialHash: string;
  /** Client address. */
  readonly ip: string;
}

/** An actor that acts in a workspace: all that resource endpoints ever see. */
export type WorkspaceActor = Actor & { readonly workspaceId: string };

/** A claimed player. */
export interface DeviceActor {
  readonly deviceId: string;
  readonly workspaceId: string;
  readonly ip: string;
}

/** Whoever has a ticket (http/tickets.ts): may fetch what is at its address, and nothing else. */
export interface TicketHolder {
  readonly workspaceId: string;
  readonly ip: string;
}
