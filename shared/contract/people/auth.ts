/** Accounts, sign-in, two-factor sign-in and the current user (accounts API). */
import { z } from 'zod';
import { administers, nothing } from '../acts.ts';
import { endpointsOf, open, session, stream } from '../endpoint.ts';
import { Epoch, Flag, filled, Id, Int, nameOf, Ref, textOf } from '../fields.ts';
import { languages } from './language.ts';
import { Rights } from './rights.ts';
import { EmailInput, NewEmail, NewPassword, OrganizationRole, Password, User } from './users.ts';

const endpoint = endpointsOf('Accounts');
const twoFactor = endpointsOf('Two-factor');

export const RegisteredUser = User.extend({
  payment_customer_id: z.string().nullable(),
  payment_subscription_id: z.string().nullable(),
  subscription_status: z.string().nullable(),
  subscription_ends: Epoch.nullable(),
});
export type RegisteredUser = z.infer<typeof RegisteredUser>;

/** `token` is the session; it lives 7 days from its last use. */
const sessionOf = <U extends z.ZodType>(user: U) =>
  z.object({ token: z.string(), user, current_workspace_id: z.string().nullable() });
export const SignedIn = sessionOf(User);
export type SignedIn = z.infer<typeof SignedIn>;
export const Registered = sessionOf(RegisteredUser);
export type Registered = z.infer<typeof Registered>;
/** Answer without a session, because the person must first open the link in the mail. */
export const VerificationRequired = z.object({ verification_required: z.literal(true), email: z.string() });
export type VerificationRequired = z.infer<typeof VerificationRequired>;
/** Answer without a session: `mfa_token` is only valid for /totp/verify, for 5 minutes. */
export const MfaRequired = z.object({ mfa_required: z.literal(true), mfa_token: z.string() });
export type MfaRequired = z.infer<typeof MfaRequired>;

/** Display name; an empty string counts as absent. */
const OptionalName = z
  .union([z.literal(''), nameOf()])
  .nullish()
  .transform((v) => v || undefined);
const Code = filled(100);

/** Language of mails to an account. */
const MailLanguage = z.enum(languages, `must be one of ${languages.join(', ')}`);

/** Setup code for the first account, on a server that requires such a code; other servers ignore it. */
const SetupCode = textOf(200).optional();

export const register = endpoint('POST /api/auth/register', {
  name: 'register',
  summary: 'Make an account',
  description:
    'The first user becomes platform administrator and gets an organization with a Default workspace; where the server prints a setup code, making that account from another machine needs `setup_code` (403 `setup_code_required`; ten wrong ones are followed by 429 for 15 minutes). `invite` is the last part of the link that an invited address got: it opens a closed registration (403 without) to that address alone (403), makes it a member of the invite’s workspace instead of the owner of an organization, whatever `createOrg` says, and is used up; 404 unknown, 410 expired or its workspace is gone. A hosted server that can send mail withholds the session until the address is confirmed.',
  access: open,
  body: z.object({
    email: NewEmail,
    password: NewPassword,
    name: OptionalName,
    createOrg: z.boolean().nullish(),
    invite: Ref.optional(),
    setup_code: SetupCode,
    /**
     * Language of mails to the account. If the server has no language, the first account also sets the language of the
     * server.
     * @default the server’s
     */
    language: MailLanguage.optional(),
  }),
  status: 201,
  response: z.union([Registered, VerificationRequired]),
  errors: [404, 409, 410],
  perMinute: 5,
});
export const login = endpoint('POST /api/auth/login', {
  name: 'login',
  necessary: true,
  summary: 'Sign in with e-mail and password',
  description:
    'An unknown address and a wrong password are told apart by nothing. 10 failures for one address are answered with 429 for 15 minutes, the right password included; at the server’s own machine the right one opens all the same, unless the failures were made there.',
  access: open,
  body: z.object({ email: EmailInput, password: Password }),
  response: z.union([SignedIn, MfaRequired, VerificationRequired]),
  errors: [401],
  perMinute: 10,
});
export const logout = endpoint('POST /api/auth/logout', {
  name: 'logout',
  necessary: true,
  summary: 'End this session',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
});
export const verifyEmail = endpoint('GET /api/auth/verify-email', {
  name: 'verifyEmail',
  necessary: true,
  summary: 'Confirm an address: the link in the mail',
  description:
    'Redirects to `/#/sign-in?verified=1`, or `/#/sign-in?verify_error=1` when the token is unknown, used or older than 24 hours. Where an organization’s owner has set the password it confirms that as well; while it is still the one that the owner knows, the answer is `/#/sign-in?verify_error=1&change_first=1`, and the link stays good.',
  access: open,
  query: z.object({ token: z.string().optional() }),
  status: 302,
  response: stream('text/plain'),
  errors: [507],
});
export const resendVerification = endpoint('POST /api/auth/resend-verification', {
  name: 'resendVerification',
  summary: 'Send the verification mail again',
  description:
    'Answers the same whether or not the address exists or is confirmed already. A new link makes the earlier ones void.',
  access: open,
  body: z.object({ email: z.string().trim().toLowerCase().optional() }),
  response: z.object({ ok: z.literal(true) }),
  perMinute: 5,
});

export const totpStatus = twoFactor('GET /api/auth/totp/status', {
  name: 'totpStatus',
  summary: 'Whether two-factor is on',
  access: session('user'),
  acts: administers('accounts'),
  response: z.object({
    enabled: z.boolean(),
    /** Whether the account can have two-factor authentication: true for local accounts. */
    eligible: z.boolean(),
    recovery_codes_remaining: Int,
  }),
});
export const totpSetup = twoFactor('POST /api/auth/totp/setup', {
  name: 'totpSetup',
  summary: 'Get a secret for an authenticator app',
  description:
    'Nothing changes until `enable`; calling it again replaces the pending secret. SHA-1, 6 digits, 30 seconds.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  response: z.object({
    otpauth_uri: z.string(),
    /** Secret in base32, 160 bits. */
    secret: z.string(),
    /** PNG as a data URL; null if it could not be drawn. */
    qr_data_url: z.string().nullable(),
  }),
  errors: [409],
});
const RecoveryCodes = z.array(z.string()).length(10);
export const totpEnable = twoFactor('POST /api/auth/totp/enable', {
  name: 'totpEnable',
  summary: 'Turn two-factor on with a first code',
  description: 'The ten recovery codes are shown this once. The code counts as used.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  body: z.object({ code: Code }),
  response: z.object({ enabled: z.literal(true), recovery_codes: RecoveryCodes }),
  errors: [409],
});
export const totpDisable = twoFactor('POST /api/auth/totp/disable', {
  name: 'totpDisable',
  summary: 'Turn two-factor off with a code or a recovery code',
  description:
    '5 wrong codes (here, for new recovery codes, and when signing in, together) are answered with 429 for 15 minutes.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  body: z.object({ code: Code }),
  response: z.object({ enabled: z.literal(false) }),
  errors: [429],
});
export const totpRegenerate = twoFactor('POST /api/auth/totp/recovery-codes/regenerate', {
  name: 'totpRegenerateRecoveryCodes',
  summary: 'Replace all recovery codes',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  body: z.object({ code: Code }),
  response: z.object({ recovery_codes: RecoveryCodes }),
  errors: [429],
});
export const totpVerify = twoFactor('POST /api/auth/totp/verify', {
  name: 'totpVerify',
  necessary: true,
  summary: 'The second step of signing in',
  description: '`code` is one of the authenticator app (each works once) or a recovery code (consumed).',
  access: open,
  body: z.object({
    mfa_token: filled(200, z.string()),
    code: Code,
  }),
  response: SignedIn.extend({ via_recovery: z.boolean(), recovery_codes_remaining: Int }),
  errors: [401],
  perMinute: 10,
});

const ProviderToken = filled(16_384, z.string());
export const signInWithProviderA = endpoint('POST /api/auth/provider-a', {
  name: 'signInWithProviderA',
  necessary: true,
  summary: 'Sign in with the first sign-in provider',
  description:
    '`credential` is an ID token (signature, iss, aud, azp and exp are verified), or an access token that the provider confirms to be issued to our client id. A token is taken once and within five minutes of its `iat`. The first sign-in binds the account to the `sub` of the provider; the same address as another is 401 `identity_bound`. An address that the provider does not say it has verified is 401 `address_unverified`, unless the administrator has said that this provider has addresses of its own alone. Unknown addresses get an account, unless registration is closed (403). 409 when the address has an account with a password.',
  access: open,
  body: z.object({ credential: ProviderToken, setup_code: SetupCode }),
  response: SignedIn,
  errors: [401, 409],
  perMinute: 60,
});
export const signInWithProviderB = endpoint('POST /api/auth/provider-b', {
  name: 'signInWithProviderB',
  necessary: true,
  summary: 'Sign in with the second sign-in provider',
  description:
    'The access token is accepted only when the provider confirms that it was issued to our client id; the address and whose it is come from the provider’s profile endpoint. Otherwise as the first: taken once, bound at the first sign-in, and of a verified address.',
  access: open,
  body: z.object({ access_token: ProviderToken, setup_code: SetupCode }),
  response: SignedIn,
  errors: [401, 409],
  perMinute: 60,
});

export const AccessibleWorkspace = z.object({
  id: z.string(),
  name: z.string(),
  organization_id: z.string(),
  organization_name: z.string(),
  /** Role of the direct membership; null if access comes from the organization or the platform. */
  workspace_role: z.string().nullable(),
  device_count: Int,
  can_admin: z.boolean(),
});
export type AccessibleWorkspace = z.infer<typeof AccessibleWorkspace>;

export const Me = User.extend({
  /** Always true: a self-hosted server has no billing. */
  hide_billing: z.boolean(),
  current_workspace_id: z.string().nullable(),
  current_workspace: z.object({ id: z.string(), name: z.string(), organization_id: z.string() }).nullable(),
  current_organization: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Role of the direct membership; null while acting_as. */
  current_workspace_role: z.string().nullable(),
  current_org_role: OrganizationRole.nullable(),
  is_platform_admin: z.boolean(),
  /** Whether access to the current workspace comes from the organization or the platform, not from a membership. */
  acting_as: z.boolean(),
  /** Permissions of the user in the current workspace: to change records, and to manage members, tokens and invites. */
  can_write: z.boolean(),
  can_admin: z.boolean(),
  /** Rights that limit the role of the user in the current workspace; only editors are limited. */
  rights: Rights,
  /** Whether publishing in the current workspace waits until an approver has decided. */
  needs_approval: z.boolean(),
  accessible_workspaces: z.array(AccessibleWorkspace),
  /**
   * Organization whose owner has set the password. Until that is confirmed, the password opens only the workspaces of
   * this organization. The user confirms by the link in the mail; a platform administrator can confirm, too.
   */
  password_organization: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Number of personal access tokens that would survive a change of the password. */
  live_tokens: Int,
  /** Language of mails to the user; null: the server’s. */
  language: MailLanguage.nullable(),
  /** Whether the server is the headquarters of a chain of stores. */
  headquarters: z.boolean(),
});
export type Me = z.infer<typeof Me>;

export const getMe = endpoint('GET /api/auth/me', {
  name: 'getMe',
  summary: 'Who I am, where I am, where I may go',
  access: session('user'),
  acts: nothing,
  response: Me,
});
export const updateMe = endpoint('PUT /api/auth/me', {
  name: 'updateMe',
  necessary: true,
  summary: 'Change my name, alerts, language or password',
  description:
    'A new password needs `current_password` (missing 400, wrong 401, counted like a failed sign-in), signs me out everywhere else and ends `must_change_password`; while that is 1 it must differ from the present one. Personal access tokens stay; `revoke_tokens` revokes all of mine. `language` is that of mails to me; null is the server’s.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  body: z
    .object({
      name: nameOf(),
      password: NewPassword,
      current_password: Password,
      email_alerts: Flag,
      revoke_tokens: z.boolean(),
      language: MailLanguage.nullable(),
    })
    .partial(),
  response: User.pick({
    id: true,
    email: true,
    name: true,
    role: true,
    auth_provider: true,
    avatar_url: true,
    plan_id: true,
    email_alerts: true,
    must_change_password: true,
  }),
  errors: [404, 429],
});
export const switchWorkspace = endpoint('POST /api/auth/switch-workspace', {
  name: 'switchWorkspace',
  necessary: true,
  summary: 'Go to another workspace: a new session',
  description: 'The session that asked stays in its workspace until it is ended.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  body: z.object({ workspace_id: Id }),
  response: z.object({ token: z.string(), current_workspace_id: z.string() }),
  errors: [404],
});
export const getConfig = endpoint('GET /api/auth/config', {
  name: 'getAuthConfig',
  summary: 'What a sign-in page must know',
  description: 'Client ids, issuers, names and the tenant are "" where there are none.',
  access: open,
  response: z.object({
    providerAEnabled: z.boolean(),
    providerAClientId: z.string(),
    providerAIssuer: z.string(),
    /** Name for people: the host of the issuer. */
    providerAName: z.string(),
    /** Address where people sign in. Null: the provider is off, or did not answer recently. */
    providerAAuthorizationEndpoint: z.string().nullable(),
    providerBEnabled: z.boolean(),
    providerBClientId: z.string(),
    providerBTenantId: z.string(),
    providerBIssuer: z.string(),
    providerBName: z.string(),
    providerBAuthorizationEndpoint: z.string().nullable(),
    localEnabled: z.literal(true),
    /** Whether no user exists yet. The first person who registers owns the server. */
    needsSetup: z.boolean(),
    /** Whether the first account must be created with `setup_code` from the address of this request. */
    setup_code_required: z.boolean(),
    registration_enabled: z.boolean(),
    /** Name of the server, chosen by people of the store. */
    server_name: z.string(),
    /** IANA time zone for the days of reports. */
    server_time_zone: z.string(),
    hosted: z.boolean(),
  }),
});
export const acceptInvite = endpoint('POST /api/auth/accept-invite/{inviteId}', {
  name: 'acceptInvite',
  summary: 'Join the workspace of an invite',
  description:
    'An existing membership keeps its role; the invite is used up all the same. 410: the invite has expired, or its workspace is gone.',
  access: session('user'),
  acts: administers('accounts'),
  shows: nothing,
  response: z.object({
    workspace_id: z.string(),
    workspace_name: z.string(),
    organization_name: z.string(),
    role: z.string(),
    already_member: z.boolean(),
  }),
  errors: [410],
});
