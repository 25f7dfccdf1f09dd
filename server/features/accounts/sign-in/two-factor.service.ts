/** Second factor of local accounts: an authenticator app, and recovery codes (accounts API, Two-factor). */
import { badRequest, conflict } from '../../../../shared/contract/errors.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { drawQr } from '../../../kernel/qr.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import { requireOwnPassword } from '../../../kernel/trust/own-password.ts';
import type { AccountLog } from '../account-log.ts';
import type { SecretBox } from '../secret-box.ts';
import type { UserRow, UsersStore } from '../users/users.store.ts';
import type { Lockout } from './lockout.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { loadTotp, type Totp } from './totp.ts';
import type { TwoFactorStore } from './two-factor.store.ts';

const NOT_LOCAL =
  'Two-factor sign-in is only for accounts with a password. Your sign-in provider manages your second factor.';

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly users: UsersStore;
  readonly store: TwoFactorStore;
  readonly box: SecretBox;
  readonly lockout: Lockout;
  readonly log: AccountLog;
}

export class TwoFactor {
  readonly #deps: Deps;
  #totp: Totp | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Loads the library. Awaited before `accept`, which then runs synchronously, so that one code cannot be used twice at
   * once.
   */
  async load(): Promise<Totp> {
    this.#totp ??= await loadTotp();
    return this.#totp;
  }

  status(actor: Actor): { enabled: boolean; eligible: boolean; recovery_codes_remaining: number } {
    const user = this.#deps.users.find(actor.userId)!;
    return {
      enabled: user.totp_enabled === 1,
      eligible: user.auth_provider === 'local',
      recovery_codes_remaining: this.remaining(user.id),
    };
  }

  /** @param host host of this server, so that a person with two stores can distinguish the entries in the app */
  async setup(
    actor: Actor,
    host: string,
  ): Promise<{ otpauth_uri: string; secret: string; qr_data_url: string | null }> {
    const totp = await this.load();
    const user = this.#eligible(actor);
    const secret = totp.newSecret();
    const { db, users, box } = this.#deps;
    db.write(() => users.update(user.id, { totp_secret: box.seal(secret, user.id), totp_last_step: 0 }));
    const otpauth_uri = totp.uri({ issuer: `Vitrine (${host})`, account: user.email, secret });
    return { otpauth_uri, secret, qr_data_url: await drawQr(otpauth_uri) };
  }

  async enable(actor: Actor, code: string): Promise<{ enabled: true; recovery_codes: string[] }> {
    await this.load();
    const user = this.#eligible(actor);
    if (user.totp_secret === null)
      throw badRequest('code: set up the authenticator app first (POST /api/auth/totp/setup)');
    const step = this.#stepOf(user, code);
    if (step === undefined)
      throw badRequest('code: is not the code that the app shows now. Check the time on your phone and on the server.');
    return this.#deps.db.write(() => {
      this.#deps.users.update(user.id, { totp_enabled: 1, totp_last_step: step });
      const recovery_codes = this.#renew(user.id);
      this.#deps.log.own(user, actor.ip, 'user.two_factor_enabled', user.email);
      return { enabled: true as const, recovery_codes };
    });
  }

  async disable(actor: Actor, code: string): Promise<{ enabled: false }> {
    await this.load();
    const user = this.#enabled(actor);
    await this.#require(user, code, { recovery: true });
    return this.#deps.db.write(() => {
      this.#deps.users.update(user.id, { totp_enabled: 0, totp_secret: null, totp_last_step: 0 });
      this.#deps.store.replace(user.id, []);
      this.#deps.log.own(user, actor.ip, 'user.two_factor_disabled', user.email);
      return { enabled: false as const };
    });
  }

  async regenerate(actor: Actor, code: string): Promise<{ recovery_codes: string[] }> {
    await this.load();
    const user = this.#enabled(actor);
    await this.#require(user, code, { recovery: false });
    return this.#deps.db.write(() => {
      const recovery_codes = this.#renew(user.id);
      this.#deps.log.own(user, actor.ip, 'user.recovery_codes_renewed', user.email);
      return { recovery_codes };
    });
  }

  /**
   * Checks a code and uses it up; counts a wrong code.
   * @param refused as for `Lockout.check`
   * @throws 429 while the user is locked out
   */
  accept(user: UserRow, code: string, allow: { recovery: boolean }, refused?: () => void): 'totp' | 'recovery' | false {
    const { lockout, db, users, store, clock } = this.#deps;
    lockout.check(user.id, refused);
    return db.write(() => {
      const step = this.#stepOf(user, code);
      if (step !== undefined) users.update(user.id, { totp_last_step: step });
      const accepted =
        step !== undefined
          ? 'totp'
          : allow.recovery && store.use(user.id, recoveryHash(user.id, code), seconds(clock))
            ? 'recovery'
            : false;
      if (accepted) lockout.forget(user.id);
      else lockout.failed(user.id);
      return accepted;
    });
  }

  remaining(userId: string): number {
    return this.#deps.store.countUnused(userId);
  }

  async #require(user: UserRow, code: string, allow: { recovery: boolean }): Promise<void> {
    if (this.accept(user, code, allow)) return;
    // Waits until the failure is on disk, so that it counts before the answer is sent.
    await this.#deps.db.durable();
    throw badRequest('code: is wrong or was used already. Wait for the next one, then try again.');
  }

  #stepOf(user: UserRow, code: string): number | undefined {
    const secret = user.totp_secret === null ? undefined : this.#deps.box.open(user.totp_secret, user.id);
    if (secret === undefined) return undefined;
    return this.#totp!.acceptedStep({
      secret,
      code: code.replace(/\s/g, ''),
      at: seconds(this.#deps.clock),
      lastStep: user.totp_last_step,
    });
  }

  #renew(userId: string): string[] {
    const codes = newRecoveryCodes();
    this.#deps.store.replace(
      userId,
      codes.map((code) => recoveryHash(userId, code)),
    );
    return codes;
  }

  #eligible(actor: Actor): UserRow {
    // Refuses a user whose password an owner has set: the owner could otherwise enable two-factor and lock the member
    // out.
    requireOwnPassword(actor);
    const user = this.#deps.users.find(actor.userId)!;
    if (user.auth_provider !== 'local') throw badRequest(NOT_LOCAL);
    if (user.totp_enabled) throw conflict('Two-factor sign-in is already on. Turn it off before you set it up again.');
    return user;
  }

  #enabled(actor: Actor): UserRow {
    const user = this.#deps.users.find(actor.userId)!;
    if (!user.totp_enabled) throw badRequest('Two-factor sign-in is not on');
    return user;
  }
}
