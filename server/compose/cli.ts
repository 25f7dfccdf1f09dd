/** Parts of the server that commands use without a running server. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { App } from '../app.ts';
import { CommandFailed } from '../cli/command.ts';
import { configFrom } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openDatabase, requireStore } from '../db/open.ts';
import { newSecret, sha256 } from '../features/accounts/secrets.ts';
import { ActorStore } from '../features/accounts/sign-in/actor.store.ts';
import { LimitsStore } from '../features/accounts/sign-in/limits.store.ts';
import { Lockout } from '../features/accounts/sign-in/lockout.ts';
import { Passwords } from '../features/accounts/sign-in/passwords.ts';
import { SessionsStore } from '../features/accounts/sign-in/sessions.store.ts';
import { TwoFactorStore } from '../features/accounts/sign-in/two-factor.store.ts';
import { UsersStore } from '../features/accounts/users/users.store.ts';
import { systemClock } from '../kernel/time/clock.ts';
import { addressOf } from '../upkeep/disk/address-file.ts';
import { isFolderInUse } from '../upkeep/disk/folder-lock.store.ts';

/** Characters of a generated password, without characters that look alike. 16 characters have 79 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const newPassword = (): string =>
  Array.from({ length: 16 }, (_, i) => (i > 0 && i % 4 === 0 ? '-' : '') + ALPHABET[randomInt(ALPHABET.length)]).join(
    '',
  );

type Reset =
  | { readonly email: string; readonly password: string }
  | { readonly unknown: readonly string[] }
  | { readonly provider: string };

/**
 * Changes the password in the database. A running server notices the write by another process and clears its cache of
 * accounts.
 */
export const resetPasswordOf = async ({
  file,
  email,
  removeTwoFactor,
}: {
  file: string;
  email: string;
  removeTwoFactor: boolean;
}): Promise<Reset> => {
  requireStore(file);
  const db = openDatabase(file);
  try {
    const users = new UsersStore(db);
    const user = users.findByEmail(email.trim().toLowerCase());
    if (!user) return { unknown: users.list().map(({ row }) => row.email) };
    if (user.auth_provider !== 'local') return { provider: user.auth_provider };
    const password = newPassword();
    const password_hash = await new Passwords().hash(password);
    const lockout = (kind: string) =>
      new Lockout({ db, store: new LimitsStore(db), clock: systemClock, kind, max: 1, message: '' });
    db.write(() => {
      users.update(user.id, {
        password_hash,
        must_change_password: 1,
        password_organization_id: null,
        ...(removeTwoFactor && { totp_enabled: 0, totp_secret: null }),
      });
      if (removeTwoFactor) new TwoFactorStore(db).replace(user.id, []);
      new SessionsStore(db).deleteOf(user.id);
      for (const kind of ['password', 'password-here']) lockout(kind).forget(user.email);
      lockout('totp').forget(user.id);
    });
    await db.durable();
    return { email: user.email, password };
  } finally {
    db.close();
  }
};

/**
 * Calls `use` with the address of the server of a data folder and with an administrator's session: the running server,
 * or a server that is started and stopped for this call. Anybody who can read the folder counts as its owner. The
 * session ends with the call.
 */
export const withServer = async <T>(
  { data, workspace }: { data: string; workspace: string | undefined },
  use: (origin: string, token: string) => Promise<T>,
): Promise<T> => {
  const file = join(data, 'vitrine.db');
  if (!existsSync(file))
    throw new CommandFailed(`${data} holds no database of Vitrine. Name the data folder with --data.`);
  requireStore(file);
  if (isFolderInUse(data)) {
    const origin = addressOf(data);
    if (!origin)
      throw new CommandFailed(
        `A server is running with ${data}, but it does not say where. Name it with --server and --token.`,
      );
    const db = openDatabase(file);
    try {
      return await withSession(db, workspace, (token) => use(origin, token));
    } finally {
      db.close();
    }
  }
  const app = new App({ config: configFrom({ data, host: '127.0.0.1', port: 0, discovery: '0', log_level: 'warn' }) });
  try {
    await app.start();
    // Uses the server's own connection: a second connection in this process would wait for a lock that only this
    // process can release.
    return await withSession(app.db, workspace, (token) => use(`http://127.0.0.1:${app.port}`, token));
  } finally {
    await app.stop();
  }
};

const withSession = async <T>(
  db: Database,
  workspace: string | undefined,
  use: (token: string) => Promise<T>,
): Promise<T> => {
  const token = newSecret('session');
  const sessions = new SessionsStore(db);
  try {
    const owner = new UsersStore(db).list().find(({ row }) => row.role === 'platform_admin')?.row;
    if (!owner) throw new CommandFailed('This server has no users yet. Open it in a browser first.');
    const places = new ActorStore(db).places(owner);
    const fitting =
      workspace === undefined
        ? places
        : places.filter((place) => place.workspace_name === workspace || place.workspace_id === workspace);
    if (fitting.length !== 1)
      throw new CommandFailed(
        `Name one workspace with --workspace: ${places.map((place) => place.workspace_name).join(', ')}`,
      );
    const now = Math.floor(Date.now() / 1000);
    db.write(() =>
      sessions.insert({
        hash: sha256(token),
        kind: 'session',
        user_id: owner.id,
        workspace_id: fitting[0]!.workspace_id,
        expires_at: now + 86_400,
        created_at: now,
      }),
    );
    await db.durable();
    return await use(token);
  } finally {
    db.write(() => sessions.delete(sha256(token)));
    await db.durable();
  }
};
