/** Creates accounts and workspaces: users, sessions, tokens, members, invites, settings. */

import { join } from 'node:path';
import { AccountLog } from '../features/accounts/account-log.ts';
import { accountRoutes } from '../features/accounts/accounts.routes.ts';
import { AccountsService, type HomeInvite, type Homes } from '../features/accounts/accounts.service.ts';
import { MailAllowance } from '../features/accounts/mail/mail-allowance.ts';
import { Mailer } from '../features/accounts/mail/mailer.ts';
import { Origins } from '../features/accounts/mail/origin.ts';
import { Post } from '../features/accounts/mail/post.ts';
import { ConnectionsService } from '../features/accounts/providers/connections.service.ts';
import { IdentitiesStore } from '../features/accounts/providers/identities.store.ts';
import { IdentityProvider, type Provider, type ProviderSettings } from '../features/accounts/providers/oidc.ts';
import { ProvidersService } from '../features/accounts/providers/providers.service.ts';
import { SecretBox } from '../features/accounts/secret-box.ts';
import { ServerSettings } from '../features/accounts/server-settings.service.ts';
import { SettingsStore } from '../features/accounts/server-settings.store.ts';
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
import { type GoodInvite, InvitesService } from '../features/workspaces/invites.service.ts';
import { InvitesStore } from '../features/workspaces/invites.store.ts';
import { MembersService } from '../features/workspaces/members.service.ts';
import { MembersStore } from '../features/workspaces/members.store.ts';
import { OrganizationMembersService } from '../features/workspaces/organization-members.service.ts';
import { OrganizationMembersStore } from '../features/workspaces/organization-members.store.ts';
import { TokensService } from '../features/workspaces/tokens.service.ts';
import { TokensStore } from '../features/workspaces/tokens.store.ts';
import { WorkspaceAccess } from '../features/workspaces/workspace-access.ts';
import { WorkspaceSweeper } from '../features/workspaces/workspace-sweeper.ts';
import { workspaceRoutes } from '../features/workspaces/workspaces.routes.ts';
import { WorkspacesService } from '../features/workspaces/workspaces.service.ts';
import { WorkspacesStore } from '../features/workspaces/workspaces.store.ts';
import { languageOf, wordsIn } from '../mails/words.ts';
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
  const { config, db, clock, activity, log } = kernel;
  const options = { hosted: config.hosted, createOrg: config.create_org, headquarters: config.chain_role === 'hq' };
  const users = new UsersStore(db);
  const actorStore = new ActorStore(db);
  const limits = new LimitsStore(db);
  const passwords = new Passwords(deps.hashCost);
  const origins = new Origins({ publicUrl: config.public_url, host: config.host });
  const settingsStore = new SettingsStore(db);
  const box = new SecretBox(join(config.data, 'keys', 'secrets.key'));
  const connections = new ConnectionsService({ ...kernel, store: settingsStore, box, environment: config });
  db.onLost(() => connections.forget());
  const mailer = new Mailer({ target: () => connections.mail, log });
  const post = new Post({ db, sender: mailer, allowance: new MailAllowance({ store: limits, clock }) });
  const settings = new ServerSettings({
    ...kernel,
    store: settingsStore,
    registration: config.registration,
    language: config.language,
  });
  /** Returns the e-mail texts for an address, which may have no account here. */
  const textsFor = (email: string) =>
    wordsIn(languageOf(users.findByEmail(email) ?? { language: null }, settings.language)).texts;
  const testMail = (to: string) => ({ to, ...textsFor(to).test({ server: settings.name }) });
  const accountLog = new AccountLog({ activity, actors: actorStore });
  const lockout = (kind: string, max: number, message: string) =>
    new Lockout({ ...kernel, store: limits, kind, max, message });
  const passwordLockout = lockout('password', 10, 'Too many wrong passwords for this account');
  const lockoutHere = lockout('password-here', 10, 'Too many wrong passwords for this account');
  const codeLockout = lockout('totp', 5, 'Too many wrong codes for this account');

  const actors = new ActorSource({ ...kernel, store: actorStore, device: deps.device });
  const sessions = new Sessions({ ...kernel, store: new SessionsStore(db), users, actors: actorStore });

  const workspaceStore = new WorkspacesStore(db);
  const memberStore = new MembersStore(db);
  const access = new WorkspaceAccess(workspaceStore);
  const workspaces = new WorkspacesService({ ...kernel, store: workspaceStore, members: memberStore, access });
  const people = new OrganizationMembersStore(db);
  const members = new MembersService({ ...kernel, store: memberStore, people, access });
  const organization = new OrganizationMembersService({
    ...kernel,
    store: people,
    members: memberStore,
    workspaces: workspaceStore,
    access,
  });
  const inviteStore = new InvitesStore(db);
  const invites = new InvitesService({
    ...kernel,
    store: inviteStore,
    members: memberStore,
    workspaces: workspaceStore,
    access,
    mails: {
      get configured() {
        return post.configured;
      },
      invited: (to, { inviteId, origin, ...facts }) =>
        post.post({
          to,
          ...textsFor(to).invite({ to, ...facts, server: settings.name, link: `${origin}/#/invite/${inviteId}` }),
        }),
    },
  });
  const tokens = new TokensService({ ...kernel, store: new TokensStore(db), access });

  const shared = { ...kernel, users, sessions, passwords, tokens, options, lockout: passwordLockout, log: accountLog };
  const verification = new EmailVerification({ ...shared, mails: post, server: settings });
  const twoFactor = new TwoFactor({ ...shared, store: new TwoFactorStore(db), box, lockout: codeLockout });
  const asHome = (good: GoodInvite): HomeInvite => ({
    join: (user, ip) => void invites.join({ userId: user.id, userName: user.name, ip }, good),
  });
  const homes: Homes = {
    found: (user) => workspaces.found(user),
    invite: (id, email) => asHome(invites.get(id, email)),
    inviteFor: (email) => {
      const good = invites.findFor(email);
      return good && asHome(good);
    },
  };
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
  const provider = (which: Provider) => {
    let known: { settings: ProviderSettings; provider: IdentityProvider } | undefined;
    return () => {
      const now = connections.provider(which);
      if (now && known?.settings !== now)
        known = { settings: now, provider: new IdentityProvider(now, { log, clock }) };
      return now && known?.provider;
    };
  };
  const providers = new ProvidersService({
    ...shared,
    identities: new IdentitiesStore(db),
    accounts,
    signIn,
    refusals: lockout('provider', 10, ''),
    providers: { provider_a: provider('provider_a'), provider_b: provider('provider_b') },
  });
  const tryMail = async ({ email }: { email: string }) => {
    try {
      return { ok: true, text: `${email}: ${await mailer.try(testMail(email))}` };
    } catch (error) {
      return { ok: false, text: (error as Error).message };
    }
  };

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
        testMail: tryMail,
        origins,
        hosted: config.hosted,
      }),
      ...workspaceRoutes({ workspaces, members, organization, invites, tokens, origins }),
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
    testMail,
    /** Returns the language of the recipient, if the address has an account here. */
    languageOf: (email: string) => users.findByEmail(email)?.language ?? null,
    /** Encrypts secrets in the database. */
    box,
    /** Parts to start, in this order. */
    parts: [actors, mailer, new WorkspaceSweeper({ ...kernel, store: workspaceStore })],
  };
};

export type AccountParts = ReturnType<typeof createAccounts>;
