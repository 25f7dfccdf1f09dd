import { success } from '../../../shared/contract/fields.ts';
import {
  getConfig,
  getMe,
  login,
  logout,
  register,
  resendVerification,
  signInWithProviderA,
  signInWithProviderB,
  switchWorkspace,
  totpDisable,
  totpEnable,
  totpRegenerate,
  totpSetup,
  totpStatus,
  totpVerify,
  updateMe,
  verifyEmail,
} from '../../../shared/contract/people/auth.ts';
import {
  confirmUserPassword,
  deleteUser,
  listUsers,
  makePasswordLink,
  releaseIdentities,
  resetUserPassword,
  setUserRole,
  spendPasswordLink,
} from '../../../shared/contract/people/users.ts';
import {
  getConnections,
  getServerSettings,
  testMail,
  testProvider,
  updateConnections,
  updateServerSettings,
} from '../../../shared/contract/server/server.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import { isFromHere } from '../../http/hosts/client-address.ts';
import { serverZone } from '../../kernel/time/server-zone.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Origins } from './mail/origin.ts';
import type { ConnectionsService } from './providers/connections.service.ts';
import type { ProvidersService } from './providers/providers.service.ts';
import type { ServerSettings } from './server-settings.service.ts';
import type { SignInService } from './sign-in/sign-in.service.ts';
import type { TwoFactor } from './sign-in/two-factor.service.ts';
import type { EmailVerification } from './users/email-verification.service.ts';
import type { PasswordLinks } from './users/password-links.service.ts';
import type { ProfileService } from './users/profile.service.ts';
import type { SetupCode } from './users/setup-code.ts';
import type { UsersService } from './users/users.service.ts';

interface AccountServices {
  readonly accounts: AccountsService;
  readonly signIn: SignInService;
  readonly verification: EmailVerification;
  readonly twoFactor: TwoFactor;
  readonly profile: ProfileService;
  readonly users: UsersService;
  readonly passwordLinks: PasswordLinks;
  readonly providers: ProvidersService;
  readonly settings: ServerSettings;
  readonly setupCode: SetupCode;
  readonly connections: ConnectionsService;
  readonly testMail: (actor: Actor) => Promise<{ ok: boolean; text: string }>;
  readonly origins: Origins;
  readonly hosted: boolean;
}

/** URL query with which a confirmation link opens the sign-in page, for each result of the confirmation. */
const VERIFIED = {
  done: 'verified=1',
  invalid: 'verify_error=1',
  change_first: 'verify_error=1&change_first=1',
} as const;

export const accountRoutes = (s: AccountServices): Bound[] => [
  bind(register, ({ body, ip, req }) => {
    s.setupCode.require(req, ip, body.setup_code);
    return s.accounts.register(body, { ip, origin: s.origins.origin(req) });
  }),
  bind(login, ({ body, ip, req }) =>
    s.signIn.login(body, { ip, origin: s.origins.origin(req), here: isFromHere(req) }),
  ),
  bind(logout, ({ actor }) => {
    s.signIn.logout(actor);
    return success;
  }),
  bind(
    verifyEmail,
    ({ query, ip }) =>
      new Reply(undefined, { location: `/#/sign-in?${VERIFIED[s.verification.confirm(query.token ?? '', ip)]}` }),
  ),
  bind(resendVerification, ({ body, req }) => {
    s.verification.resend(body.email ?? '', s.origins.origin(req));
    return { ok: true as const };
  }),

  bind(totpStatus, ({ actor }) => s.twoFactor.status(actor)),
  bind(totpSetup, ({ actor, req }) => s.twoFactor.setup(actor, s.origins.host(req))),
  bind(totpEnable, ({ actor, body }) => s.twoFactor.enable(actor, body.code)),
  bind(totpDisable, ({ actor, body }) => s.twoFactor.disable(actor, body.code)),
  bind(totpRegenerate, ({ actor, body }) => s.twoFactor.regenerate(actor, body.code)),
  bind(totpVerify, ({ body, ip, req }) => s.signIn.verify(body, { ip, origin: s.origins.origin(req) })),

  bind(signInWithProviderA, ({ body, ip, req }) => {
    s.setupCode.require(req, ip, body.setup_code);
    return s.providers.signIn('provider_a', body.credential, { ip, origin: s.origins.origin(req) });
  }),
  bind(signInWithProviderB, ({ body, ip, req }) => {
    s.setupCode.require(req, ip, body.setup_code);
    return s.providers.signIn('provider_b', body.access_token, { ip, origin: s.origins.origin(req) });
  }),

  bind(getMe, ({ actor }) => s.profile.me(actor)),
  bind(updateMe, ({ actor, body }) => s.profile.update(actor, body)),
  bind(switchWorkspace, ({ actor, body }) => s.profile.switchTo(actor, body.workspace_id)),
  bind(getConfig, ({ req }) => ({
    ...s.providers.publicFacts(),
    localEnabled: true as const,
    needsSetup: s.accounts.needsSetup,
    setup_code_required: s.setupCode.isNeeded(req),
    registration_enabled: s.accounts.registrationEnabled,
    server_name: s.settings.name,
    server_time_zone: serverZone(),
    hosted: s.hosted,
  })),

  bind(listUsers, ({ actor }) => s.users.list(actor)),
  bind(deleteUser, ({ actor, params }) => {
    s.users.delete(actor, params.id);
    return success;
  }),
  bind(setUserRole, ({ actor, params, body }) => {
    s.users.setRole(actor, params.id, body.role);
    return success;
  }),
  bind(resetUserPassword, async ({ actor, params, body, req }) => {
    await s.users.resetPassword(actor, params.id, body, s.origins.origin(req));
    return success;
  }),
  bind(makePasswordLink, ({ actor, params }) => s.passwordLinks.make(actor, params.id)),
  bind(spendPasswordLink, ({ body, ip, req }) =>
    s.passwordLinks.spend(body.token, body.password, { ip, origin: s.origins.origin(req) }),
  ),
  bind(confirmUserPassword, ({ actor, params }) => {
    s.users.confirmPassword(actor, params.id);
    return success;
  }),
  bind(releaseIdentities, ({ actor, params }) => {
    s.providers.release(actor, params.id);
    return success;
  }),

  bind(getServerSettings, () => s.settings.view()),
  bind(updateServerSettings, ({ actor, body }) => s.settings.update(actor, body)),
  bind(getConnections, () => s.connections.view()),
  bind(updateConnections, ({ actor, body }) => s.connections.update(actor, body)),
  bind(testMail, ({ actor }) => s.testMail(actor)),
  bind(testProvider, ({ body }) => s.providers.check(body.provider)),
];
