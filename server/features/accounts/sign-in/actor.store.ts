import type { Statement } from 'better-sqlite3';
import type { Database } from '../../../db/database.ts';
import type { Limits, OrganizationRole, PlatformRole, WorkspaceRole } from '../../../kernel/trust/actor.ts';

/**
 * A workspace that the user can access: by membership (`workspace_role`), by the organization, or as staff of the
 * platform.
 */
export interface PlaceRow {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly workspace_role: WorkspaceRole | null;
  readonly organization_role: OrganizationRole | null;
  /** 1: publish requests of editors need approval. */
  readonly approval: number;
  /**
   * This column and all columns below come from the direct membership; null without a membership. Ids are a JSON array.
   */
  readonly duty: Limits['duty'] | null;
  readonly folder_ids: string | null;
  readonly group_ids: string | null;
  readonly approves: number | null;
  readonly regions: string | null;
  readonly device_count: number;
}

interface UserPart {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: PlatformRole;
  readonly must_change_password: number;
  readonly password_organization_id: string | null;
  readonly auth_provider: string;
}

/**
 * User whose workspaces are queried. If an organization's owner set the password, only workspaces of that organization
 * count, and the platform role is ignored.
 */
export interface Whose {
  readonly id: string;
  /** The caller passes the platform role, because a token has none. */
  readonly role: PlatformRole;
  readonly password_organization_id: string | null;
}

export interface SessionRow extends UserPart {
  readonly kind: 'session' | 'mfa';
  readonly expires_at: number;
  readonly workspace_id: string | null;
}

export interface TokenRow extends UserPart {
  readonly id: string;
  readonly scope: 'read' | 'write' | 'full';
  readonly workspace_id: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const USER =
  'u.id AS user_id, u.email, u.name, u.role, u.must_change_password, u.password_organization_id, u.auth_provider';

/**
 * Selects all workspaces for staff, and for other users the workspaces that they belong to, by organization, then name.
 */
const PLACES = `
  SELECT w.id AS workspace_id, w.name AS workspace_name, o.id AS organization_id, o.name AS organization_name,
    m.role AS workspace_role, om.role AS organization_role, w.approval, m.duty, m.folder_ids, m.group_ids, m.approves, m.regions,
    (SELECT count(*) FROM devices d WHERE d.workspace_id = w.id) AS device_count
  FROM workspaces w
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN workspace_members m ON m.workspace_id = w.id AND m.user_id = @user
  LEFT JOIN organization_members om ON om.organization_id = w.organization_id AND om.user_id = @user
  WHERE (@staff = 1 OR m.role IS NOT NULL OR om.role IS NOT NULL) AND (@within IS NULL OR w.organization_id = @within)`;

type Bounds = { readonly user: string; readonly staff: 0 | 1; readonly within: string | null };

const boundsOf = ({ id, role, password_organization_id: within }: Whose): Bounds => ({
  user: id,
  staff: role === 'user' || within !== null ? 0 : 1,
  within,
});

/** Queries for every authenticated request, with as few statements as possible. */
export class ActorStore {
  readonly #session: Statement<[string], SessionRow>;
  readonly #token: Statement<[string], TokenRow>;
  readonly #place: Statement<[Bounds & { workspace: string }], PlaceRow>;
  readonly #places: Statement<[Bounds], PlaceRow>;
  readonly #slide: Statement<[number, string]>;
  readonly #used: Statement<[number, string]>;

  constructor(db: Database) {
    const { raw } = db;
    this.#session = raw.prepare(
      `SELECT s.kind, s.expires_at, s.workspace_id, ${USER} FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = ?`,
    );
    this.#token = raw.prepare(
      `SELECT t.id, t.scope, t.workspace_id, t.expires_at, t.revoked_at, ${USER} FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ?`,
    );
    this.#place = raw.prepare(`${PLACES} AND w.id = @workspace`);
    this.#places = raw.prepare(`${PLACES} ORDER BY vitrine_order(o.name), o.id, vitrine_order(w.name), w.id`);
    this.#slide = raw.prepare('UPDATE sessions SET expires_at = ? WHERE hash = ?');
    this.#used = raw.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?');
  }

  session(hash: string): SessionRow | undefined {
    return this.#session.get(hash);
  }

  token(hash: string): TokenRow | undefined {
    return this.#token.get(hash);
  }

  /** Returns undefined when the workspace does not exist, or the user has no access. */
  place(whose: Whose, workspace: string): PlaceRow | undefined {
    return this.#place.get({ ...boundsOf(whose), workspace });
  }

  places(whose: Whose): PlaceRow[] {
    return this.#places.all(boundsOf(whose));
  }

  slideSession(hash: string, expiresAt: number): void {
    this.#slide.run(expiresAt, hash);
  }

  tokenUsed(id: string, at: number): void {
    this.#used.run(at, id);
  }
}
