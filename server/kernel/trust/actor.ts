/**
 * The authenticated user, token or device of a request. Created by http/credentials.ts, after the check of the
 * credential. Other code trusts its fields.
 */
import type { Scope } from '../../../shared/contract/endpoint.ts';

export type PlatformRole = 'user' | 'platform_operator' | 'platform_admin';
export type WorkspaceRole = 'workspace_viewer' | 'workspace_editor' | 'workspace_admin';
export type OrganizationRole = 'org_owner' | 'org_admin';

/** Restricts what an editor may change. */
export interface Limits {
  /** `upload`: may add and arrange contents, and change nothing else. */
  readonly duty: 'all' | 'upload';
  /** Folders, including their subfolders, in which the editor may change contents. Null means all. */
  readonly folderIds: readonly string[] | null;
  /** Groups whose screens the editor may change. Null means all. */
  readonly groupIds: readonly string[] | null;
}

export interface Actor {
  readonly via: 'session' | 'token';
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  /** Role on the platform. Always `user` for a token. */
  readonly platformRole: PlatformRole;
  readonly mustChangePassword: boolean;
  /**
   * Id of the organization whose owner set this user's password. Until the user confirms the password, the user can
   * access only this organization. Null when there is no such limit, and for tokens, which are bound to a workspace
   * anyway.
   */
  readonly confinedTo: string | null;
  /** Id of the workspace; null when the user is in no workspace. */
  readonly workspaceId: string | null;
  readonly organizationId: string | null;
  /**
   * Effective role in the current workspace (kernel/trust/roles.ts). Includes roles inherited from the organization or
   * platform without a membership.
   */
  readonly workspaceRole: WorkspaceRole | null;
  readonly organizationRole: OrganizationRole | null;
  /**
   * Limits of the actor's rights; null if the actor may change everything that the role allows
   * (server/features/rights).
   */
  readonly limits: Limits | null;
  /**
   * At headquarters: the regions whose stores the actor sees, and the role in each region
   * (server/headquarters/stores/region-rights.ts). Null: all stores.
   */
  readonly regions: readonly { readonly region: string; readonly role: WorkspaceRole }[] | null;
  /** Whether the actor may approve or refuse publish requests. */
  readonly approves: boolean;
  /** Whether the actor may publish only after an approver has agreed. */
  readonly needsApproval: boolean;
  /** Scope of the token. A session has `full`, so that only the roles of the user decide. */
  readonly scope: Scope;
  /** SHA-256 of the credential, in hex. Identifies the session, for example to keep or end it. */
  readonly credentialHash: string;
  readonly ip: string;
  /** Set if the actor is a visitor from headquarters (features/chain/visitors), whose account is at headquarters. */
  readonly visits?: boolean;
  /** Id of the admin window that sent the request, if it sent one. */
  readonly window?: string | undefined;
}

/** The acting user, as written to logs and records. */
export type Doer = Pick<Actor, 'workspaceId' | 'userId' | 'userName' | 'email' | 'ip'>;

/** An actor within a workspace: the only kind of actor that resource endpoints receive. */
export type WorkspaceActor = Actor & { readonly workspaceId: string };

export interface DeviceActor {
  readonly deviceId: string;
  readonly workspaceId: string;
  readonly ip: string;
}

/** Holder of a ticket (http/tickets.ts), which allows fetching one address and nothing else. */
export interface TicketHolder {
  readonly workspaceId: string;
  readonly ip: string;
}
