/** Says who is asking. It is made by http/credentials, and trusted after that. */
import type { Scope } from '../../shared/contract/endpoint.ts';

export type PlatformRole = 'user' | 'platform_operator' | 'platform_admin';
export type WorkspaceRole = 'workspace_viewer' | 'workspace_editor' | 'workspace_admin';
export type OrganizationRole = 'org_owner' | 'org_admin';

export interface Actor {
  readonly via: 'session' | 'token';
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  /** Always `user` with a token. */
  readonly platformRole: PlatformRole;
  readonly mustChangePassword: boolean;
  /**
   * Names the organization whose owner has set the password, until that is confirmed: nothing outside of it is open. It
   * is null where there are no bounds, and with a token, which has its own workspace.
   */
  readonly confinedTo: string | null;
  /** Null when the user is in no workspace. */
  readonly workspaceId: string | null;
  readonly organizationId: string | null;
  /**
   * In force in the current workspace (kernel/roles.ts): also by the organization or the platform, without a
   * membership.
   */
  readonly workspaceRole: WorkspaceRole | null;
  readonly organizationRole: OrganizationRole | null;
  /** A token's own; a session has `full`, and its roles decide. */
  readonly scope: Scope;
  /** The SHA-256 of the credential in hex, and names the session to keep or to end. */
  readonly credentialHash: string;
  readonly ip: string;
}

/** Acts in a workspace: this is all that resource endpoints ever see. */
export type WorkspaceActor = Actor & { readonly workspaceId: string };

export interface DeviceActor {
  readonly deviceId: string;
  readonly workspaceId: string;
  readonly ip: string;
}

/** Has a ticket (http/tickets.ts): may fetch what is at its address, and nothing else. */
export interface TicketHolder {
  readonly workspaceId: string;
  readonly ip: string;
}
