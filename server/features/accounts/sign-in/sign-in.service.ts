/** Signs users in with a password and a second step (accounts API, POST /login and POST /totp/verify). */

import { unauthorized } from '../../../../shared/contract/errors.ts';
import type { MfaRequired, SignedIn, VerificationRequired } from '../../../../shared/contract/people/auth.ts';
import type { Database } from '../../../db/database.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import type { AccountLog } from '../account-log.ts';
import type { Origin } from '../accounts.service.ts';
import type { EmailVerification } from '../users/email-verification.service.ts';
import type { UserRow, UsersStore } from '../users/users.store.ts';
import { toUser } from '../users/users.view.ts';
import type { Lockout } from './lockout.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.service.ts';
import type { TwoFactor } from './two-factor.service.ts';

const WRONG = 'The e-mail address or the password is wrong.';

export class SignInService {
  readonly #deps;

  constructor(deps: {
    db: Database;
    users: UsersStore;
    sessions: Sessions;
    passwords: Passwords;
    lockout: Lockout;
    /** Separate counter for attempts at the server's own machine. */
    lockoutHere: Lockout;
    verification: EmailVerification;
    twoFactor: TwoFactor;
    log: AccountLog;
    options: { readonly hosted: boolean };
  }) {
    this.#deps = deps;
  }

  async login(
    body: { email: string; password: string },
    from: Origin,
  ): Promise<SignedIn | MfaRequired | VerificationRequired> {
    const { db, users, passwords, lockout } = this.#deps;
    const found = users.findByEmail(body.email);
    const user = found?.auth_provider === 'local' ? found : undefined;
    const failed = (why: string) => found && this.failed(found, from, why);
    // Failures are also counted for unknown addresses, so that a lockout does not disclose which addresses exist. They
    // are counted by account, regardless of the spelling of the address.
    const account = found?.email ?? body.email;
    const check = () => passwords.matches(user?.password_hash, body.password);
    const refused = () => failed('too many wrong passwords');
    const right = from.here
      ? await this.#attemptHere(account, check, refused)
      : await lockout.attempt(account, check, refused);
    // The account is checked again after the hashing, because it may have been deleted or have a new password.
    if (!right || !user || !users.passwordIsStill(user.id, user.password_hash)) {
      db.write(() => failed(user ? 'wrong password' : 'a password was used, but this account uses a sign-in provider'));
      await db.durable();
      throw unauthorized(WRONG);
    }
    const better = (await passwords.isOutdated(user.password_hash!)) ? await passwords.hash(body.password) : undefined;
    return db.write(() => {
      const present = users.find(user.id);
      if (!present) throw unauthorized(WRONG);
      if (better) users.update(user.id, { password_hash: better });
      return this.#proceed(present, from);
    });
  }

  /**
   * Checks an attempt at the server's own machine. Remote failures do not lock it; local failures do, counted
   * separately.
   */
  async #attemptHere(account: string, check: () => Promise<boolean>, refused: () => void): Promise<boolean> {
    const { lockout, lockoutHere } = this.#deps;
    const right = await lockoutHere.attempt(account, check, refused);
    if (right) lockout.forget(account);
    else {
      lockout.check(account, refused);
      lockout.failed(account);
    }
    return right;
  }

  /** Checks the second step of a sign-in. @throws 401 for an invalid token or a wrong code, 429 while locked */
  async verify(
    body: { mfa_token: string; code: string },
    from: Origin,
  ): Promise<SignedIn & { via_recovery: boolean; recovery_codes_remaining: number }> {
    const { db, sessions, twoFactor } = this.#deps;
    await twoFactor.load();
    const user = sessions.secondStepOf(body.mfa_token);
    if (!user?.totp_enabled) throw unauthorized('This sign-in has expired. Start again with your password.');
    const accepted = twoFactor.accept(user, body.code, { recovery: true }, () =>
      this.failed(user, from, 'too many wrong codes'),
    );
    if (!accepted) {
      db.write(() => this.failed(user, from, 'wrong code'));
      await db.durable();
      throw unauthorized('This code is wrong or was used already. Wait for the next one, then try again.');
    }
    return db.write(() => {
      sessions.end({ secret: body.mfa_token });
      return {
        ...this.open(user, from),
        via_recovery: accepted === 'recovery',
        recovery_codes_remaining: twoFactor.remaining(user.id),
      };
    });
  }

  /** Opens a session without further checks, for sign-in providers. Called within a write transaction. */
  open(user: UserRow, from: Origin): SignedIn {
    const { users, sessions, log } = this.#deps;
    const opened = sessions.open(user);
    log.own(user, from.ip, 'user.signed_in', user.email);
    return { ...opened, user: toUser(users.find(user.id)!) };
  }

  /** Logs a failure for the account. Called within a write transaction. */
  failed(user: UserRow, from: Origin, why: string): void {
    this.#deps.log.own(user, from.ip, 'user.sign_in_failed', `${user.email}: ${why}`);
  }

  logout(actor: Actor): void {
    const { db, sessions, log } = this.#deps;
    db.write(() => {
      sessions.end({ hash: actor.credentialHash });
      log.own({ id: actor.userId, name: actor.userName }, actor.ip, 'user.signed_out', actor.email);
    });
  }

  #proceed(user: UserRow, from: Origin): SignedIn | MfaRequired | VerificationRequired {
    const { verification, options, sessions } = this.#deps;
    if ((!user.email_verified || user.password_organization_id !== null) && verification.possible) {
      verification.remind(user, from.origin);
      if (options.hosted && !user.email_verified) return { verification_required: true, email: user.email };
    }
    if (user.totp_enabled) return { mfa_required: true, mfa_token: sessions.openSecondStep(user.id) };
    return this.open(user, from);
  }
}
