/** Says who is asking. It is made by http/credentials, and trusted after that. */
import type { Scope } from '../../shared/contract/endpoint.ts';

export type PlatformRole = 'user' | 'platform_operator' | 'platform_admin';
export type WorkspaceRole = 'workspace_viewer' | 'workspace_editor' | 'workspace_admin';
export type OrganizationRole = 'org_owner' | 'org_admin';

/** What an editor may change, where that is not everything. */
export interface Limits {
  /** `upload`: brings contents and puts them in order, and changes nothing else. */
  readonly duty: 'all' | 'upload';
  /** The folders in which it may change contents, with those within; null means all. */
  readonly folderIds: readonly string[] | null;
  /** The groups whose screens it may change; null means all. */
  readonly groupIds: readonly string[] | null;
}

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
  /** Null for whoever may change everything that the role allows (server/features/rights). */
  readonly limits: Limits | null;
  /**
   * At headquarters: the regions whose stores it sees, and its role in these (server/headquarters/region-rights.ts).
   * Null: all stores.
   */
  readonly regions: readonly { readonly region: string; readonly role: WorkspaceRole }[] | null;
  /** Decides about what others want to publish. */
  readonly approves: boolean;
  /** Publishes only what somebody who approves has seen. */
  readonly needsApproval: boolean;
  /** A token's own; a session has `full`, and its roles decide. */
  readonly scope: Scope;
  /** The SHA-256 of the credential in hex, and names the session to keep or to end. */
  readonly credentialHash: string;
  readonly ip: string;
  /** Comes from headquarters (features/chain/visitors), where the account is kept. */
  readonly visits?: boolean;
  /** Names the admin window that asks, where it does. */
  readonly window?: string | undefined;
}

/** Who does something, as logs and records say it. */
export type Doer = Pick<Actor, 'workspaceId' | 'userId' | 'userName' | 'email' | 'ip'>;

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
