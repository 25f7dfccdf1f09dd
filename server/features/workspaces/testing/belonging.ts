/**
 * For tests: some people, with every possible combination of memberships in two organizations and their workspaces.
 */
import fc from 'fast-check';
import type { Database } from '../../../db/database.ts';
import { put } from '../../../db/testing/put.ts';
import type { OrganizationRole, WorkspaceRole } from '../../../kernel/trust/actor.ts';

export const USERS = [
  { id: 'u1', email: 'b@x', name: 'bea' },
  { id: 'u2', email: 'a@x', name: 'Bea' },
  { id: 'u3', email: 'c@x', name: 'Ada' },
] as const;
export const ORGANIZATIONS = ['o', 'p'] as const;
export const WORKSPACES = ['o1', 'o2', 'p1'] as const;
/** Returns the organization of a workspace. */
export const organizationOf = (workspace: string): string => workspace[0]!;

const anyUser = fc.constantFrom(...USERS.map(({ id }) => id));
const anyName = fc.constantFrom<string>('north', 'North', 'annex');
export const anyAge = fc.nat(2);
export const anyOrganization = fc.option(fc.constantFrom(...ORGANIZATIONS));
/** Generates memberships from few possible values, so that values collide. */
export const anyBelonging = fc.record({
  names: fc.record({ o: anyName, p: anyName, o1: anyName, o2: anyName, p1: anyName }),
  members: fc.uniqueArray(
    fc.record({
      workspace_id: fc.constantFrom(...WORKSPACES),
      user_id: anyUser,
      role: fc.constantFrom<WorkspaceRole>('workspace_viewer', 'workspace_editor', 'workspace_admin'),
      created_at: anyAge,
    }),
    { selector: ({ workspace_id, user_id }) => workspace_id + user_id },
  ),
  roles: fc.uniqueArray(
    fc.record({
      organization_id: fc.constantFrom(...ORGANIZATIONS),
      user_id: anyUser,
      role: fc.constantFrom<OrganizationRole>('org_owner', 'org_admin'),
    }),
    { selector: ({ organization_id, user_id }) => organization_id + user_id },
  ),
  tokens: fc.array(
    fc.record({
      workspace_id: fc.constantFrom(...WORKSPACES),
      user_id: anyUser,
      created_at: anyAge,
      expires_at: fc.option(anyAge),
      revoked_at: fc.option(anyAge),
    }),
  ),
});
export type Belonging = typeof anyBelonging extends fc.Arbitrary<infer B> ? B : never;

export const roleIn = (made: Belonging, workspace: string, user: string): WorkspaceRole | null =>
  made.members.find((one) => one.workspace_id === workspace && one.user_id === user)?.role ?? null;
export const roleOf = (made: Belonging, organization: string, user: string): OrganizationRole | null =>
  made.roles.find((one) => one.organization_id === organization && one.user_id === user)?.role ?? null;
/**
 * Returns whether a user belongs to an organization: the user has a role in it, or is a member of one of its
 * workspaces.
 */
export const belongs = (made: Belonging, organization: string, user: string): boolean =>
  roleOf(made, organization, user) !== null ||
  WORKSPACES.some((one) => organizationOf(one) === organization && roleIn(made, one, user) !== null);

/** Returns these workspaces sorted by the names of their organizations, then by their own names, ignoring case. */
export const inOrder = (made: Belonging, workspaces: readonly (typeof WORKSPACES)[number][]) =>
  workspaces.toSorted(
    by(
      (id) => made.names[organizationOf(id) as 'o'].toLowerCase(),
      (id) => organizationOf(id),
      (id) => made.names[id].toLowerCase(),
      (id) => id,
    ),
  );
/** Returns a function that compares two objects by these fields, in order. */
export const by =
  <T>(...members: ((one: T) => string | number)[]) =>
  (a: T, b: T): number => {
    for (const of of members) if (of(a) !== of(b)) return of(a) < of(b) ? -1 : 1;
    return 0;
  };

export const addUsers = (db: Database): void => {
  put(
    db,
    'users',
    USERS.map(({ id, email, name }) => ({ id, email, name })),
  );
};

/** Replaces the database content with this data. The n-th token from the end is `t<n>`. */
export const build = (db: Database, made: Belonging): void => {
  db.raw.exec('DELETE FROM organizations');
  const insert = (table: string, rows: readonly Record<string, unknown>[]) => put(db, table, rows);
  insert(
    'organizations',
    ORGANIZATIONS.map((id) => ({ id, name: made.names[id], created_at: 0 })),
  );
  // Rows are inserted in reverse order, so that the order of creation does not decide.
  insert(
    'workspaces',
    WORKSPACES.toReversed().map((id) => ({
      id,
      organization_id: organizationOf(id),
      name: made.names[id],
      created_at: 0,
    })),
  );
  insert('workspace_members', made.members);
  insert(
    'organization_members',
    made.roles.map((role) => ({ ...role, created_at: 0 })),
  );
  insert('tokens', tokensOf(made));
};

export const tokensOf = ({ tokens }: Belonging) =>
  tokens.map((token, i) => ({
    id: `t${String(tokens.length - i).padStart(2, '0')}`,
    name: `T${i}`,
    scope: 'read',
    hash: `h${i}`,
    prefix: 'vtr_',
    ...token,
  }));
