/** Users and their administration (accounts API, User and User administration). */
import { z } from 'zod';
import { administers, nothing } from '../acts.ts';
import { endpointsOf, open, session } from '../endpoint.ts';
import { Epoch, FlagOut, filled, Int } from '../fields.ts';
import { emailAddress, MAX_EMAIL } from './email.ts';

const endpoint = endpointsOf('Users');

export const PlatformRole = z.enum(['user', 'platform_operator', 'platform_admin']);
/** `headquarters`: a visitor from headquarters, who cannot sign in here. */
const AuthProvider = z.enum(['local', 'provider_a', 'provider_b', 'headquarters']);
/** Workspace roles, lowest role first. */
export const WorkspaceRole = z.enum(['workspace_viewer', 'workspace_editor', 'workspace_admin']);
export const OrganizationRole = z.enum(['org_owner', 'org_admin']);

const MAX_PASSWORD = 1024;
/** Password as typed at sign-in. */
export const Password = filled(MAX_PASSWORD, z.string());
/** New password: at least 8 characters. */
export const NewPassword = Password.min(8, 'must be at least 8 characters').refine(
  (s) => [...s].length >= 8,
  'must be at least 8 characters',
);
/**
 * E-mail address as typed at sign-in. An old account may have an address that the server would refuse for a new
 * account.
 */
export const EmailInput = filled(MAX_EMAIL).transform((s) => s.toLowerCase());
/** E-mail address of a new account or an invite, converted to its only spelling (email.ts). */
export const NewEmail = EmailInput.transform((s, ctx) => {
  const address = emailAddress(s);
  if (address !== undefined) return address;
  ctx.addIssue({
    code: 'custom',
    message: 'must be an e-mail address, without invisible characters and without letters of two scripts',
  });
  return z.NEVER;
});

export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Role of the user on the whole server. */
  role: PlatformRole,
  auth_provider: AuthProvider,
  /** Address of the user's picture; empty if there is none. */
  avatar_url: z.string(),
  plan_id: z.string(),
  /** 1: the address is confirmed, or no confirmation was needed. */
  email_verified: FlagOut,
  email_alerts: FlagOut,
  /**
   * 1: the user must change the password; every request except GET and PUT /auth/me gets 403
   * `password_change_required`.
   */
  must_change_password: FlagOut,
  totp_enabled: FlagOut,
  /** Start of the trial of the plan; null: no trial. */
  trial_started_at: Epoch.nullable(),
  /** Time of the last new session; null: never. */
  last_login_at: Epoch.nullable(),
  created_at: Epoch,
});
export type User = z.infer<typeof User>;

export const ListedUser = User.extend({
  /** Number of workspaces of which the user is a member. Only users with a platform role see this field. */
  workspace_count: Int.optional(),
  /**
   * The three fields `workspace_id`, `workspace_name` and `organization_name` are only present if `workspace_count` is
   * one.
   */
  workspace_id: z.string().optional(),
  workspace_name: z.string().optional(),
  organization_name: z.string().optional(),
  /** Organization whose owner has set the password, until the user confirms it. Only for platform roles. */
  password_organization_id: z.string().nullable().optional(),
});
export type ListedUser = z.infer<typeof ListedUser>;

export const listUsers = endpoint('GET /api/auth/users', {
  name: 'listUsers',
  summary: 'Users, oldest first',
  description:
    'Platform roles see everybody. Other administrators see themselves and the members of their organizations: who belongs to an organization or to any of its workspaces.',
  access: session('admin'),
  acts: administers('accounts'),
  response: z.array(ListedUser),
});
export const deleteUser = endpoint('DELETE /api/auth/users/{id}', {
  name: 'deleteUser',
  summary: 'Delete a user',
  description:
    'Organizations that only this user belongs to go with all their workspaces; what the user made elsewhere stays. 400 for yourself; 409 while the user owns an organization that has other members.',
  access: session('platform_admin'),
  acts: administers('accounts'),
  errors: [409],
});
export const setUserRole = endpoint('PUT /api/auth/users/{id}/role', {
  name: 'setUserRole',
  summary: 'Change a user’s platform role',
  description: 'Takes effect with the user’s next request. 400 for your own role.',
  access: session('platform_admin'),
  acts: administers('accounts'),
  body: z.object({ role: PlatformRole }),
});
export const resetUserPassword = endpoint('PUT /api/auth/users/{id}/password', {
  name: 'resetUserPassword',
  necessary: true,
  summary: 'Give a user a new password',
  description:
    'The user is signed out everywhere, any lockout of the password ends, and the password must be changed at the next sign-in. 400 for your own account and for accounts of an external provider. Whoever is not a platform administrator may do this only for users with role `user` in an organization they own; else 403. A password set by such an owner opens that organization’s workspaces alone, and a platform role counts for nothing, until the link that is mailed to the user’s address confirms it, or a platform administrator does. Personal access tokens stay; `revoke_tokens` revokes the user’s, for an owner those of the organization’s workspaces.',
  access: session('admin'),
  acts: administers('accounts'),
  shows: nothing,
  body: z.object({ password: NewPassword, revoke_tokens: z.boolean().optional() }),
});
/** Secret of 256 bits in the fragment of a link that people hand over. */
const LinkToken = filled(200, z.string()).regex(/^[\w-]*$/, 'must be the code at the end of the link');
export const PasswordLink = z.object({ token: z.string(), expires_at: Epoch });
export type PasswordLink = z.infer<typeof PasswordLink>;
export const makePasswordLink = endpoint('POST /api/auth/users/{id}/password-link', {
  name: 'makePasswordLink',
  summary: 'Make a link by which a user sets a new password',
  description:
    'For whoever forgot it, where no mail is sent. `token` is told this once; `/#/new-password/{token}` at any address of the server is the page. It is good once and for 24 hours, and void when another is made, when the password changes, or when who made it may not do so any more. The same people may as may set the password, and what an organization’s owner makes opens as little as a password that they set. Nothing changes for the user until the link is used.',
  access: session('admin'),
  acts: administers('accounts'),
  shows: nothing,
  response: PasswordLink,
  perMinute: 10,
});
export const spendPasswordLink = endpoint('POST /api/auth/password-link', {
  name: 'spendPasswordLink',
  necessary: true,
  summary: 'Set a new password by a link',
  description:
    'The user is signed out everywhere and any lockout of the password ends. It signs nobody in: a second step stays one. After the link of an organization’s owner the password must be changed at the next sign-in, and opens that organization’s workspaces alone until it is confirmed. 410: unknown, used, void, or older than 24 hours.',
  access: open,
  body: z.object({ token: LinkToken, password: NewPassword }),
  response: z.object({ email: z.string() }),
  errors: [410],
  perMinute: 10,
});
export const confirmUserPassword = endpoint('POST /api/auth/users/{id}/confirm-password', {
  name: 'confirmUserPassword',
  summary: 'Confirm a password that an organization’s owner has set',
  description:
    'From then on it opens everything that the user may enter. Nothing changes when there is nothing to confirm.',
  access: session('platform_admin'),
  acts: administers('accounts'),
});
export const releaseIdentities = endpoint('DELETE /api/auth/users/{id}/identities', {
  name: 'releaseIdentities',
  summary: 'Disconnect a user from their accounts at sign-in providers',
  description:
    'The first sign-in with a sign-in provider connects the account with the account at the provider. From then on, a sign-in with the same address and another account of that provider is 401. After the disconnection, the next sign-in connects the accounts again. The user is signed out everywhere.',
  access: session('platform_admin'),
  acts: administers('accounts'),
});
