/**
 * Keeps an empty server for whoever has seen its terminal (VITRINE_SETUP_CODE): the first account, which owns
 * everything, needs a code when it is made from another machine. It is off by default, because the contract knows no
 * code.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { forbidden } from '../../../shared/contract/errors.ts';
import { newCode, plainCode } from '../../../shared/protocol/pairing-code.ts';
import { isFromHere } from '../../http/client-address.ts';
import type { Lockout } from './lockout.ts';

/** There are 25⁸ of them, which are 150 billion. */
const LENGTH = 8;

interface Deps {
  readonly setting: string | undefined;
  readonly accounts: { readonly needsSetup: boolean };
  readonly lockout: Lockout;
}

export class SetupCode {
  /** Undefined when no code is asked for. */
  readonly #code: string | undefined;
  readonly #isOwn: boolean;
  readonly #deps: Deps;

  /**
   * @param deps.setting makes one with '1' and none with '0' or nothing; else it is the code
   * @param deps.lockout counts by client address
   */
  constructor(deps: Deps) {
    const { setting = '0' } = deps;
    this.#isOwn = setting !== '0' && setting !== '1';
    this.#code = setting === '0' ? undefined : this.#isOwn ? setting : newCode(randomInt, LENGTH);
    this.#deps = deps;
  }

  /** What the terminal says; undefined when there is nothing to say. */
  get note(): string | undefined {
    if (this.#code === undefined || !this.#deps.accounts.needsSetup) return undefined;
    return this.#isOwn ? 'the one in VITRINE_SETUP_CODE' : `${this.#code.slice(0, 4)}-${this.#code.slice(4)}`;
  }

  isNeeded(req: IncomingMessage): boolean {
    return this.#code !== undefined && this.#deps.accounts.needsSetup && !isFromHere(req);
  }

  /**
   * Requires the code while it is needed. There are never no users again, so it may be asked before whatever makes the
   * account.
   * @throws ApiError 403, 429 after ten wrong ones
   */
  require(req: IncomingMessage, ip: string, given: string | undefined): void {
    if (this.#code === undefined || !this.isNeeded(req)) return;
    if (!given)
      throw forbidden(
        'The first account needs the setup code that the server printed when it started. Send it as setup_code, or make the account on the server’s own computer.',
        CODE,
      );
    this.#deps.lockout.check(ip);
    if (isSame(this.#plain(given), this.#code)) return;
    this.#deps.lockout.failed(ip);
    throw forbidden('This is not the setup code that the server printed when it started.', CODE);
  }

  /**
   * Returns the code as it was given. One of ours is typed in small letters, too, and with what stands between its
   * halves.
   */
  #plain(given: string): string {
    return this.#isOwn ? given.trim() : plainCode(given);
  }
}

const CODE = 'setup_code_required';

const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
