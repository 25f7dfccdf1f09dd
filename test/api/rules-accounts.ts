/** The rules of the accounts API, section by section in its order: [rule, the test that proves it]. */
import type { Rules } from './rules-resources.ts';

const ANSWERS = 'every endpoint answers a good request with the status and the members that it declares';
const BOUND = 'every endpoint of the two documents is bound, with the access they name';
const MISSING = 'a required body member that is missing is 400 naming it';
const FIRST = 'the first user becomes platform_admin with plan enterprise and a Default workspace; later users get user, pro and a trial';
const SIGN_IN = 'signing in answers a session, the user and the workspace; the address is matched lower-cased';
const HOSTED = 'hosted: no session before the address is verified, neither by registering nor by signing in';
const VERIFIED = 'self-hosted: a later user gets a session with email_verified 0 and a mail whose link verifies, once';
const LINK = 'a link is valid for 24 hours; signing in on a self-hosted server sends a new one when none is pending';
const ENABLE = 'enable: 400 before setup, 400 for a wrong code, ten recovery codes with a right one, then 409 for setup and enable';
const ACCESSIBLE = 'accessible workspaces: everybody’s own by organization then name; can_admin by the roles there; all of them for the platform’s staff';
const SWITCH = 'switch-workspace: 400 missing, 404 unknown, 403 for a stranger; members and organization owners may';
const PASSWORD = 'a password change needs 8 characters and the present password, and ends all other sessions';
const DELETE_USER = 'deleting is 400 for yourself, 404 for nobody, 409 for the owner of an organization with other members of any of its workspaces';
const RESET = 'a reset is 400 for a short password or yourself, 404 for nobody, and is logged without the password';
const NOT_PLATFORM = 'without the platform’s role, only an owner may reset, and only users of role user in the organization';
const ACCEPT = 'accepting: 404 unknown, 403 for another address, 410 expired and then deleted, 410 when the workspace is gone';
const PROVIDER_NEW = 'an ID token of provider-a makes an account: verified, pro with trial, the first one platform_admin';
const NO_SECOND = 'accounts of a provider have no password and no second factor here';

export const ACCOUNT_RULES: Rules = {
  Conventions: [
    ['bodies are JSON, errors { error }', 'a body that is no JSON object is 400'],
    ['timestamps are integer epoch seconds', ANSWERS],
    ['addresses are matched lower-cased', SIGN_IN],
  ],
  'Resources: User': [
    ['every member with its type', ANSWERS],
    ['roles user, platform_operator, platform_admin', 'a role takes effect with the next request; you cannot take your own away'],
    ['auth_provider local, provider_a, provider_b', PROVIDER_NEW],
    ['flags are 0 or 1', 'what the contract types as 0/1 is returned so, and accepted as 0, 1, true and false only'],
    ['registration adds the payment and subscription members', ANSWERS],
    ['no password hash, TOTP secret or replay counter leaves the server', ANSWERS],
  ],
  'Resources: other shapes': [
    ['accessible workspace entries', ACCESSIBLE],
    ['10 single-use recovery codes, shown once, stored hashed', ENABLE],
    ['a verification token is single use, 24 hours, stored hashed', 'tokens are stored hashed'],
    ['a session is bound to a user and a current workspace', 'two sessions of one user act each in its workspace and see nothing of the other'],
    ['mfa_token is short-lived and pending only', 'with two-factor on, a password alone gets an mfa_token, which is no session'],
  ],
  'States: email verification': [
    ['a valid, unused token verifies and is consumed', VERIFIED],
    ['an invalid or expired one redirects with the error flag', 'a missing or made-up token redirects with the error flag'],
    ['provider accounts and platform admins start at 1', PROVIDER_NEW],
    ['the bootstrap user and servers without a transport are never gated', 'without a transport nobody is gated, not even on a hosted server'],
  ],
  'States: two-factor': [
    ['setup stores a pending secret and answers secret, URI and QR', 'setup answers secret, URI with the instance’s host, and a QR code; nothing is on before enable'],
    ['enable with a matching code turns it on and gives recovery codes once', ENABLE],
    ['disable with a code or recovery code deletes secret and codes', 'disable takes a code or a recovery code, and deletes secret and recovery codes'],
    ['regenerate replaces the old codes', 'regenerate takes a code only, and replaces all recovery codes'],
    ['a password alone answers mfa_required and no session', 'with two-factor on, a password alone gets an mfa_token, which is no session'],
  ],
  'POST /register': [
    ['email and password are required', MISSING],
    ['name defaults to the part before the at-sign', FIRST],
    ['201 with token, user and current_workspace_id', FIRST],
    ['201 verification_required on a hosted server', HOSTED],
    ['rule 1: the first user is platform_admin, later ones user', FIRST],
    ['rule 1 holds when two register at once', 'of two who register at once on an empty server only one becomes platform_admin'],
    ['rule 2: plan enterprise for the first of a self-hosted server', FIRST],
    ['rule 2: pro with a trial otherwise', 'on a hosted server the first user is on the pro trial'],
    ['rule 3: verification needs a transport and another than the first user', 'without a transport nobody is gated, not even on a hosted server'],
    ['rule 3: hosted withholds the session', HOSTED],
    ['rule 3: self-hosted gives it with email_verified 0', VERIFIED],
    [
      'rule 4: an organization with a Default workspace by first user, createOrg or default',
      'createOrg decides whether a later user gets a workspace; absent, the deployment does',
    ],
    ['rule 5: welcome and notices on hosted servers', 'hosted: welcome to the new user, notice to administrators who want alerts'],
    ['rule 5: a verification mail when required', VERIFIED],
    ['403 when registration is closed and somebody exists', 'closed registration is 403 once somebody exists, unless the address is invited and its link is at hand'],
    ['400 for what is missing, and for a password shorter than 8', 'what is missing or malformed is 400 naming it'],
    ['409 for an address that is registered', 'one address registers once, whatever its case, also when two try at once'],
  ],
  'POST /login': [
    ['email and password are required', MISSING],
    ['only local accounts match', NO_SECOND],
    ['200 with token, user and workspace', SIGN_IN],
    ['200 mfa_required when two-factor is on', 'with two-factor on, a password alone gets an mfa_token, which is no session'],
    ['200 verification_required on a hosted server', HOSTED],
    ['self-hosted continues and may send a new mail', LINK],
    ['401, the same for an unknown address and a wrong password', 'an unknown address and a wrong password get the same answer'],
    ['failed and successful sign-ins are in the activity log', 'sign-ins, failed ones too, are in the activity of the account’s workspaces'],
  ],
  'GET /verify-email': [
    ['redirects with a flag that says verified', VERIFIED],
    ['redirects with a flag that says error', 'a missing or made-up token redirects with the error flag'],
  ],
  'POST /resend-verification': [
    ['always 200 { ok }', 'resend answers ok whatever the address, and mails only an unverified local account; the old link becomes void'],
    ['a fresh mail only for an unverified local account', 'resend answers ok whatever the address, and mails only an unverified local account; the old link becomes void'],
  ],
  'Two-factor endpoints': [
    ['status: enabled, eligible, recovery_codes_remaining', 'setup answers secret, URI with the instance’s host, and a QR code; nothing is on before enable'],
    ['eligible is true for local accounts', NO_SECOND],
    ['setup: URI with the host, secret, QR data URL', 'setup answers secret, URI with the instance’s host, and a QR code; nothing is on before enable'],
    ['setup: 400 for other accounts', NO_SECOND],
    ['setup: 409 when on', ENABLE],
    ['enable: ten recovery codes', ENABLE],
    ['enable: 400 without setup, for a wrong code, 409 when on', ENABLE],
    ['disable: 400 when off or the code is wrong', 'disable and regenerate are 400 while two-factor is off'],
    ['regenerate: a TOTP code only', 'regenerate takes a code only, and replaces all recovery codes'],
    ['verify: a session, via_recovery and recovery_codes_remaining', 'a recovery code is consumed on use, however it is typed'],
    ['verify: 400 for missing members', MISSING],
    ['verify: 401 for an expired or invalid mfa_token', 'an mfa_token works once and for 5 minutes'],
    ['verify: 401 for an account without two-factor', 'an mfa_token is void once two-factor is off'],
    ['verify: 429 when locked out', '5 wrong codes, in verify, disable and regenerate together, are 15 minutes of 429 for right codes too, and a restart lifts nothing'],
    ['verify: a wrong code is 401 and logged', 'a wrong code is in the activity log, without the code'],
    ['a code used in its step is rejected', 'a code works once: not again in its step, nor after it turned two-factor on'],
    ['a recovery code is consumed', 'a recovery code is consumed on use, however it is typed'],
    ['success resets the counter', 'a right code resets the counter'],
    ['external sign-in bypasses it', NO_SECOND],
    ['API tokens bypass it', 'API tokens bypass two-factor'],
  ],
  'External identity providers': [
    ['provider-a takes an ID token', PROVIDER_NEW],
    ['provider-a takes an access token as fallback', 'provider-a accepts an access token that the provider confirms to be ours'],
    ['provider-b takes an access token', 'provider-b signs in with an access token and the provider’s profile'],
    ['rule 1: unknown addresses make a verified pro account, the first a platform_admin', PROVIDER_NEW],
    ['rule 1: 403 when registration is closed', 'while registration is closed a stranger is 403, an invited one is welcome'],
    ['rule 2: 409 for an account with a password, re-linked without one', 'an account with a password is 409; one without is linked to the provider that signed in last'],
    ['rule 3: 401 for what does not verify', 'an ID token is checked for signature, iss, aud, azp and exp'],
    ['rule 3: provider-b 401 without a profile address', 'provider-b is 401 without a profile address, and for another tenant'],
    ['rule 3: 400 for a missing credential', 'a missing credential is 400; a provider that is not configured or cannot be reached is 401'],
    ['rule 4: welcome mails only for new accounts', 'hosted: welcome to the new user, notice to administrators who want alerts'],
  ],
  'GET /me': [
    ['every member', ANSWERS],
    ['current workspace and organization, or null', 'me of somebody without a workspace'],
    ['acting_as for staff', 'staff in a workspace they do not belong to are acting_as; an operator writes there but administers nothing'],
    ['staff see every workspace, others their own', ACCESSIBLE],
    ['ordered by organization, then workspace', ACCESSIBLE],
    ['can_admin', ACCESSIBLE],
  ],
  'POST /switch-workspace': [
    ['a new token for the workspace', 'who belongs to two workspaces acts in one at a time'],
    ['400, 404 and 403', SWITCH],
  ],
  'PUT /me': [
    ['name, email_alerts and the members that are answered', 'name and alerts can be changed; the answer has the fields of the contract'],
    ['a password needs 8 characters and current_password', PASSWORD],
    ['local accounts only', NO_SECOND],
    ['clears must_change_password', 'a reset signs the user out everywhere, lifts the lockout, and gates everything but /me until the password is changed'],
    ['401 for a wrong current password', 'wrong present passwords count like failed sign-ins'],
  ],
  'User administration': [
    [
      'GET /users: platform roles see all, with workspace_count and names for exactly one',
      'platform roles see everybody, with workspace_count and, for exactly one membership, its names',
    ],
    ['GET /users: other admins see themselves and their teams', 'other administrators see themselves and the members of their organizations, without memberships; others nobody'],
    ['DELETE /users/{id}: 400 yourself, 404 unknown, 409 shared organization', DELETE_USER],
    ['DELETE: what is in organizations the user solely owns goes, the rest stays', 'a deleted user’s own organization goes with everything in it; what was made elsewhere stays'],
    ['DELETE and role: platform admins only', 'only a platform administrator deletes users and sets roles'],
    ['PUT role: 400 invalid', 'a body member of the wrong type is 400 naming it'],
    ['PUT role: 400 when you would lose your own', 'a role takes effect with the next request; you cannot take your own away'],
    ['PUT password: 400 short, own; 404 unknown', RESET],
    ['PUT password: 400 for an external account', NO_SECOND],
    ['PUT password: 403 for others than platform admins, unless role user in an owned team', NOT_PLATFORM],
    ['a reset is in the activity log without the password', RESET],
  ],
  'GET /config': [
    ['every member', ANSWERS],
    ['providers as configured', 'config tells a sign-in page what is enabled'],
    ['needsSetup and registration_enabled', 'closed registration is 403 once somebody exists, unless the address is invited and its link is at hand'],
  ],
  'POST /accept-invite': [
    ['answers workspace, organization, role, already_member', 'an invite carries address, role and 7 days; accepting makes a membership with its role and uses it up'],
    ['an existing membership keeps its role and consumes the invite', 'an existing membership keeps its role and uses the invite up all the same'],
    ['404, 410 expired and deleted, 403, 410 workspace gone', ACCEPT],
  ],
  Authentication: [
    ['the public endpoints', BOUND],
    ['the others need a session', 'without a credential every endpoint that is not public is 401 with WWW-Authenticate'],
    ['admin and platform-admin roles as listed', 'roles below the one asked for are 403, also where the record named does not exist'],
    ['the credential is a bearer session', 'credentials that are missing, unknown or malformed are 401 everywhere but on public endpoints'],
    ['the full session only after verify', 'the mfa_token of a sign-in that waits for its code is 401 mfa_required everywhere'],
  ],
  Errors: [
    ['400 for missing or invalid input', 'a body member of the wrong type is 400 naming it'],
    ['401 for bad credentials', 'a credential that is garbage, unknown, expired, revoked, ended or orphaned is 401 everywhere'],
    ['403 for an insufficient role', 'roles below the one asked for are 403, also where the record named does not exist'],
    ['404 for unknown users, workspaces and invites', DELETE_USER],
    ['409 as listed', 'one address registers once, whatever its case, also when two try at once'],
    ['410 for an expired invite or a workspace that is gone', ACCEPT],
    ['429 for too many wrong codes', '5 wrong codes, in verify, disable and regenerate together, are 15 minutes of 429 for right codes too, and a restart lifts nothing'],
  ],
  Limits: [
    ['passwords of at least 8 characters', PASSWORD],
    ['10 recovery codes', ENABLE],
    ['verification tokens of 24 hours', LINK],
    ['verify: 10 a minute', 'totp/verify is limited to 10 a minute and client address'],
    ['resend-verification is limited', 'resend-verification is limited to 5 a minute and client address'],
  ],
};
