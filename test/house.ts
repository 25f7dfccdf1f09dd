/**
 * The services that accounts need, in memory, for tests: mails are collected, and the clock stands still until the test
 * moves it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../server/db/database.ts';
import { openDatabase } from '../server/db/open.ts';
import { AccountLog } from '../server/features/accounts/account-log.ts';
import { AccountsService, type HomeInvite } from '../server/features/accounts/accounts.service.ts';
import { MailAllowance } from '../server/features/accounts/mail/mail-allowance.ts';
import type { Mail } from '../server/features/accounts/mail/mailer.ts';
import { Post } from '../server/features/accounts/mail/post.ts';
import { SecretBox } from '../server/features/accounts/secret-box.ts';
import { ServerSettings } from '../server/features/accounts/server-settings.service.ts';
import { SettingsStore } from '../server/features/accounts/server-settings.store.ts';
import { ActorStore } from '../server/features/accounts/sign-in/actor.store.ts';
import { ActorSource } from '../server/features/accounts/sign-in/actor-source.ts';
import { LimitsStore } from '../server/features/accounts/sign-in/limits.store.ts';
import { Lockout } from '../server/features/accounts/sign-in/lockout.ts';
import { Passwords } from '../server/features/accounts/sign-in/passwords.ts';
import { Sessions } from '../server/features/accounts/sign-in/sessions.service.ts';
import { SessionsStore } from '../server/features/accounts/sign-in/sessions.store.ts';
import { SignInService } from '../server/features/accounts/sign-in/sign-in.service.ts';
import { TwoFactor } from '../server/features/accounts/sign-in/two-factor.service.ts';
import { TwoFactorStore } from '../server/features/accounts/sign-in/two-factor.store.ts';
import { EmailVerification } from '../server/features/accounts/users/email-verification.service.ts';
import { PasswordLinks } from '../server/features/accounts/users/password-links.service.ts';
import { PasswordLinksStore } from '../server/features/accounts/users/password-links.store.ts';
import { ProfileService } from '../server/features/accounts/users/profile.service.ts';
import { UsersService } from '../server/features/accounts/users/users.service.ts';
import { UsersStore } from '../server/features/accounts/users/users.store.ts';
import { MembersStore } from '../server/features/workspaces/members.store.ts';
import { TokensService } from '../server/features/workspaces/tokens.service.ts';
import { TokensStore } from '../server/features/workspaces/tokens.store.ts';
import { WorkspaceAccess } from '../server/features/workspaces/workspace-access.ts';
import { WorkspacesService } from '../server/features/workspaces/workspaces.service.ts';
import { WorkspacesStore } from '../server/features/workspaces/workspaces.store.ts';
import { Bus } from '../server/kernel/bus.ts';
import { seconds } from '../server/kernel/time/clock.ts';
import type { Language } from '../shared/contract/people/language.ts';
import type { Ending } from './harness.ts';

export const PASSWORD = 'correct horse';
export const FROM = { ip: '192.0.2.1', origin: 'http://store.test' };

/** Counts the password hash operations, which are the expensive part. */
class CountedPasswords extends Passwords {
  hashed = 0;
  override hash(password: string) {
    this.hashed++;
    return super.hash(password);
  }
}

interface Options {
  readonly hosted?: boolean;
  readonly createOrg?: boolean;
  readonly headquarters?: boolean;
  /** Whether mails can be sent. @default false */
  readonly posts?: boolean;
  readonly registration?: 'open' | 'closed';
  readonly language?: Language;
}

let db: Database | undefined;

/** Opens the services. Only one instance exists at a time: the next call reuses its database. */
export const openHouse = (t: Ending, options: Options = {}) => {
  const { hosted = false, createOrg = true, headquarters = false, posts = false, registration = 'open' } = options;
  // The database is emptied and reused, because opening a database costs more than most tests.
  db ??= openDatabase(':memory:');
  db.raw.exec(
    "DELETE FROM organizations; DELETE FROM users; DELETE FROM limits; DELETE FROM settings WHERE key IN ('server', 'gone_workspaces')",
  );
  // A separate clock, because importing the clock of the harness would load the whole server.
  let time = Date.UTC(2026, 2, 10, 9);
  const clock = { now: () => time, doubtful: false, advance: (ms: number) => void (time += ms) };
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const heard: string[] = [];
  bus.on('accountsChanged', () => heard.push('accounts'));
  bus.on('changed', ({ topic }) => heard.push(topic));
  const acts: string[] = [];
  const kernel = {
    db,
    bus,
    clock,
    activity: {
      add: ({ action, details, actor }: { action: string; details: string; actor: { ip: string } | null }) =>
        void acts.push(`${action}: ${details} (${actor?.ip})`),
    },
  };
  const users = new UsersStore(db);
  const actorStore = new ActorStore(db);
  const limits = new LimitsStore(db);
  const passwords = new CountedPasswords({ memoryCost: 1024, timeCost: 2, parallelism: 1 });
  const mails: Mail[] = [];
  const sender = { configured: posts, send: (mail: Mail) => void mails.push(mail) };
  const post = new Post({ db, sender, allowance: new MailAllowance({ store: limits, clock }) });
  const settings = new ServerSettings({
    ...kernel,
    store: new SettingsStore(db),
    registration,
    language: options.language,
  });
  const log = new AccountLog({ activity: kernel.activity, actors: actorStore });
  const lockoutOf = (kind: string, max: number) =>
    new Lockout({ ...kernel, store: limits, kind, max, message: 'Too many' });
  const [lockout, lockoutHere] = [lockoutOf('password', 10), lockoutOf('here', 10)];
  const actors = new ActorSource({ ...kernel, store: actorStore, device: () => undefined });
  actors.start();
  t.after(() => actors.stop());
  const sessions = new Sessions({ ...kernel, store: new SessionsStore(db), users, actors: actorStore });
  const workspaceStore = new WorkspacesStore(db);
  const members = new MembersStore(db);
  const access = new WorkspaceAccess(workspaceStore);
  const workspaces = new WorkspacesService({ ...kernel, store: workspaceStore, members, access });
  const tokens = new TokensService({ ...kernel, store: new TokensStore(db), access });
  /** E-mail address and workspace of each created invite. */
  const invites = new Map<string, { readonly email: string; readonly workspaceId: string }>();
  const homeOf = (id: string | undefined): HomeInvite | undefined => {
    const invite = id === undefined ? undefined : invites.get(id);
    return (
      invite && {
        join: (user) => {
          members.insert({
            workspace_id: invite.workspaceId,
            user_id: user.id,
            role: 'workspace_editor',
            created_at: seconds(clock),
          });
          invites.delete(id!);
        },
      }
    );
  };
  const homes = {
    found: (user: { id: string; name: string }) => workspaces.found(user),
    invite: (id: string, email: string) => {
      const home = invites.get(id)?.email === email ? homeOf(id) : undefined;
      if (!home) throw Object.assign(new Error('no such invite'), { status: 404 });
      return home;
    },
    inviteFor: (email: string) => homeOf([...invites].find(([, invite]) => invite.email === email)?.[0]),
  };
  const shared = {
    ...kernel,
    users,
    sessions,
    passwords,
    tokens,
    log,
    lockout,
    lockouts: [lockout, lockoutHere],
    options: { hosted, createOrg, headquarters },
  };
  const verification = new EmailVerification({ ...shared, mails: post, server: settings });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const box = new SecretBox(join(folder, 'key'));
  /** Creates the services that have state in memory again, as after a start. */
  const restarted = () => {
    const store = new TwoFactorStore(shared.db);
    const twoFactor = new TwoFactor({ ...shared, store, box, lockout: lockoutOf('code', 5) });
    return { twoFactor, signIn: new SignInService({ ...shared, lockoutHere, verification, twoFactor }) };
  };
  const { twoFactor, signIn } = restarted();
  const accounts = new AccountsService({ ...shared, verification, settings, homes, mails: post });
  const admin = new UsersService({ ...shared, organizations: workspaces, verification });
  const profile = new ProfileService({ ...shared, workspaces });
  const links = new PasswordLinks({ ...shared, store: new PasswordLinksStore(db), verification });

  const register = (email: string, more: object = {}) =>
    accounts.register({ email, password: PASSWORD, ...more }, FROM) as Promise<any>;
  return {
    ...kernel,
    ...{
      log,
      lockoutOf,
      users,
      sessions,
      passwords,
      settings,
      lockout,
      lockoutHere,
      workspaces,
      tokens,
      invites,
      members,
    },
    ...{ restarted, verification, twoFactor, accounts, signIn, admin, profile, links, mails, acts, heard, register },
    now: () => seconds(clock),
    actor: (token: string) => actors.actor(token, FROM.ip),
    login: (email: string, password = PASSWORD, from: object = {}) =>
      signIn.login({ email, password }, { ...FROM, ...from }) as Promise<any>,
    /** Returns the entries of the activity log since the last call, once they are on disk. */
    since: async <T>(list: T[]): Promise<T[]> => {
      await kernel.db.durable();
      return list.splice(0);
    },
  };
};
