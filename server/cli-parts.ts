/** What commands need of the server's parts, put together without a server. */
import { randomInt } from 'node:crypto';
import { openDatabase } from './db/open.ts';
import { LimitsStore } from './features/accounts/limits.store.ts';
import { Lockout } from './features/accounts/lockout.ts';
import { Passwords } from './features/accounts/passwords.ts';
import { SessionsStore } from './features/accounts/sessions.store.ts';
import { TwoFactorStore } from './features/accounts/two-factor.store.ts';
import { UsersStore } from './features/accounts/users.store.ts';
import { systemClock } from './kernel/clock.ts';

/** Without characters that look alike; 16 of them are 79 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const newPassword = (): string => Array.from({ length: 16 }, (_, i) => (i > 0 && i % 4 === 0 ? '-' : '') + ALPHABET[randomInt(ALPHABET.length)]).join('');

export type Reset = { readonly email: string; readonly password: string } | { readonly unknown: readonly string[] } | { readonly provider: string };

/** A running server notices that somebody else wrote, and forgets what it remembers of accounts. */
export const resetPasswordOf = async ({ file, email, removeTwoFactor }: { file: string; email: string; removeTwoFactor: boolean }): Promise<Reset> => {
  const db = openDatabase(file);
  try {
    const users = new UsersStore(db);
    const user = users.findByEmail(email.trim().toLowerCase());
    if (!user) return { unknown: users.list().map(({ row }) => row.email) };
    if (user.auth_provider !== 'local') return { provider: user.auth_provider };
    const password = newPassword();
    const password_hash = await new Passwords().hash(password);
    const lockout = (kind: string) => new Lockout({ db, store: new LimitsStore(db), clock: systemClock, kind, max: 1, message: '' });
    db.write(() => {
      users.update(user.id, { password_hash, must_change_password: 1, ...(removeTwoFactor && { totp_enabled: 0, totp_secret: null }) });
      if (removeTwoFactor) new TwoFactorStore(db).replace(user.id, []);
      new SessionsStore(db).deleteOf(user.id);
      lockout('password').forget(user.email);
      lockout('totp').forget(user.id);
    });
    await db.durable();
    return { email: user.email, password };
  } finally {
    db.close();
  }
};
