/** Creates accounts and workspaces: users, sessions, tokens, members, invites, settings. */
import { join } from 'node:path';
import { AccountLog } from '../features/accounts/account-log.ts';
import { accountRoutes } from '../features/accounts/accounts.routes.ts';
import { AccountsService } from '../features/accounts/accounts.service.ts';
import { Origins } from '../features/accounts/mail/origin.ts';
import type { ConnectionsService } from '../features/accounts/providers/connections.service.ts';
import { IdentitiesStore } from '../features/accounts/providers/identities.store.ts';
import { IdentityProvider, type Provider, type ProviderSettings } from '../features/accounts/providers/oidc.ts';
import { ProvidersService } from '../features/accounts/providers/providers.service.ts';
import { SecretBox } from '../features/accounts/secret-box.ts';
import { ActorStore } from '../features/accounts/sign-in/actor.store.ts';
import { ActorSource, type AuthenticateDevice } from '../features/accounts/sign-in/actor-source.ts';
import { LimitsStore } from '../features/accounts/sign-in/limits.store.ts';
import { Lockout } from '../features/accounts/sign-in/lockout.ts';
import { type HashCost, Passwords } from '../features/accounts/sign-in/passwords.ts';
import { Sessions } from '../features/accounts/sign-in/sessions.service.ts';
import { SessionsStore } from '../features/accounts/sign-in/sessions.store.ts';
import { SignInService } from '../features/accounts/sign-in/sign-in.service.ts';
import { TwoFactor } from '../features/accounts/sign-in/two-factor.service.ts';
import { TwoFactorStore } from '../features/accounts/sign-in/two-factor.store.ts';
import { EmailVerification } from '../features/accounts/users/email-verification.service.ts';
import { PasswordLinks } from '../features/accounts/users/password-links.service.ts';
import { PasswordLinksStore } from '../features/accounts/users/password-links.store.ts';
import { ProfileService } from '../features/accounts/users/profile.service.ts';
import { SetupCode } from '../features/accounts/users/setup-code.ts';
import { UsersService } from '../features/accounts/users/users.service.ts';
import { UsersStore } from '../features/accounts/users/users.store.ts';
import { WorkspaceSweeper } from '../features/workspaces/workspace-sweeper.ts';
import { workspaceRoutes } from '../features/workspaces/workspaces.routes.ts';
import { createMails } from './accounts/mails.ts';
import { createWorkspaces } from './accounts/workspaces.ts';
import type { Kernel } from './kernel.ts';

export const createAccounts = (
  kernel: Kernel,
  deps: {
    /** Returns the actor for a player's `Bearer <device_id>.<secret>` (realtime). */
    readonly device: AuthenticateDevice;
    /** For tests: cheap hashing of passwords. */
    readonly hashCost?: HashCost | undefined;
  },
) => {
  const { config, db, activity } = kernel;
  const options = { hosted: config.hosted, createOrg: config.create_org, headquarters: config.chain_role === 'hq' };
  const users = new UsersStore(db);
  const actorStore = new ActorStore(db);
  const limits = new LimitsStore(db);
  const passwords = new Passwords(deps.hashCost);
  const origins = new Origins({ publicUrl: config.public_url, host: config.host });
  const box = new SecretBox(join(config.data, 'keys', 'secrets.key'));
  const mails = createMails(kernel, { users, limits, box });
  const { connections, mailer, post, settings } = mails;
  const accountLog = new AccountLog({ activity, actors: actorStore });
  const lockout = (kind: string, max: number, message: string) =>
    new Lockout({ ...kernel, store: limits, kind, max, message });
  const passwordLockout = lockout('password', 10, 'Too many wrong passwords for this account');
  const lockoutHere = lockout('password-here', 10, 'Too many wrong passwords for this account');
  const codeLockout = lockout('totp', 5, 'Too many wrong codes for this account');

  const actors = new ActorSource({ ...kernel, store: actorStore, device: deps.device });
  const sessions = new Sessions({ ...kernel, store: new SessionsStore(db), users, actors: actorStore });

  const {
    workspaceStore,
    memberStore,
    inviteStore,
    workspaces,
    brands,
    members,
    organization,
    invites,
    tokens,
    homes,
  } = createWorkspaces(kernel, mails);

  const shared = { ...kernel, users, sessions, passwords, tokens, options, lockout: passwordLockout, log: accountLog };
  const verification = new EmailVerification({ ...shared, mails: post, server: settings });
  const twoFactor = new TwoFactor({ ...shared, store: new TwoFactorStore(db), box, lockout: codeLockout });
  const accounts = new AccountsService({ ...shared, verification, settings, homes, mails: post });
  const wrongSetupCodes = lockout('setup', 10, 'Too many wrong setup codes');
  const setupCode = new SetupCode({ setting: config.setup_code, accounts, lockout: wrongSetupCodes });
  const signIn = new SignInService({ ...shared, lockoutHere, verification, twoFactor });
  const profile = new ProfileService({ ...shared, workspaces });
  const lockouts = [passwordLockout, lockoutHere];
  const passwordLinks = new PasswordLinks({ ...shared, store: new PasswordLinksStore(db), lockouts, verification });
  const userAdmin = new UsersService({
    ...shared,
    lockouts,
    organizations: workspaces,
    verification,
  });
  const providers = new ProvidersService({
    ...shared,
    identities: new IdentitiesStore(db),
    accounts,
    signIn,
    refusals: lockout('provider', 10, ''),
    providers: {
      provider_a: providerBy(kernel, connections, 'provider_a'),
      provider_b: providerBy(kernel, connections, 'provider_b'),
    },
  });
  return {
    routes: [
      ...accountRoutes({
        accounts,
        signIn,
        verification,
        twoFactor,
        profile,
        users: userAdmin,
        passwordLinks,
        providers,
        settings,
        setupCode,
        connections,
        testMail: mails.tryMail,
        origins,
        hosted: config.hosted,
      }),
      ...workspaceRoutes({ workspaces, brands, members, organization, invites, tokens, origins }),
    ],
    /** `actors.authenticate` is for the API, `actors.actor` for the sockets of admin windows. */
    actors,
    members,
    /** Database stores from which the accounts of visitors from headquarters are created. */
    people: {
      users,
      members: memberStore,
      invites: inviteStore,
      sessions,
      actor: (credential: string, ip: string) => actors.actor(credential, ip),
    },
    settings,
    profile,
    connections,
    accounts,
    setupCode,
    mailer,
    /** Sends a test e-mail. */
    testMail: mails.testMail,
    /** Returns the language of the recipient, if the address has an account here. */
    languageOf: (email: string) => users.findByEmail(email)?.language ?? null,
    /** Encrypts secrets in the database. */
    box,
    /** Parts to start, in this order. */
    parts: [actors, mailer, new WorkspaceSweeper({ ...kernel, store: workspaceStore })],
  };
};

/** Returns a function that gives the provider by the current settings; undefined while it is not set up. */
const providerBy = (
  { log, clock }: Pick<Kernel, 'log' | 'clock'>,
  connections: Pick<ConnectionsService, 'provider'>,
  which: Provider,
) => {
  let known: { settings: ProviderSettings; provider: IdentityProvider } | undefined;
  return () => {
    const now = connections.provider(which);
    if (now && known?.settings !== now) known = { settings: now, provider: new IdentityProvider(now, { log, clock }) };
    return now && known?.provider;
  };
};

export type AccountParts = ReturnType<typeof createAccounts>;
