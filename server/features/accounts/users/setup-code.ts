/**
 * Protects an empty server (VITRINE_SETUP_CODE): the first account, which owns everything, needs a code from the
 * server's terminal when it is created from another machine. Off by default, because the contract does not include a
 * code.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { forbidden } from '../../../../shared/contract/errors.ts';
import { newCode, plainCode } from '../../../../shared/protocol/pairing-code.ts';
import { isFromHere } from '../../../http/hosts/client-address.ts';
import type { Lockout } from '../sign-in/lockout.ts';

/** Number of characters of a code. With 25 possible characters, there are 25⁸ codes, about 150 billion. */
const LENGTH = 8;

interface Deps {
  readonly setting: string | undefined;
  readonly accounts: { readonly needsSetup: boolean };
  readonly lockout: Lockout;
}

export class SetupCode {
  /** Undefined when no code is required. */
  readonly #code: string | undefined;
  readonly #isOwn: boolean;
  readonly #deps: Deps;

  /**
   * @param deps.setting '1': generate a code; '0' or undefined: none; otherwise the code itself
   * @param deps.lockout counts by client address
   */
  constructor(deps: Deps) {
    const { setting = '0' } = deps;
    this.#isOwn = setting !== '0' && setting !== '1';
    this.#code = setting === '0' ? undefined : this.#isOwn ? setting : newCode(randomInt, LENGTH);
    this.#deps = deps;
  }

  /** Text for the terminal; undefined when no code is required. */
  get note(): string | undefined {
    if (this.#code === undefined || !this.#deps.accounts.needsSetup) return undefined;
    return this.#isOwn ? 'the one in VITRINE_SETUP_CODE' : `${this.#code.slice(0, 4)}-${this.#code.slice(4)}`;
  }

  isNeeded(req: IncomingMessage): boolean {
    return this.#code !== undefined && this.#deps.accounts.needsSetup && !isFromHere(req);
  }

  /**
   * Requires the code while it is needed. This check may run before the account is created, because a server never
   * becomes empty again.
   * @throws ApiError 403, 429 after ten wrong codes
   */
  require(req: IncomingMessage, ip: string, given: string | undefined): void {
    if (this.#code === undefined || !this.isNeeded(req)) return;
    if (!given)
      throw forbidden(
        'The first account needs the setup code that the server printed when it started. Enter the code (setup_code), or create the account on the server’s own computer.',
        CODE,
      );
    this.#deps.lockout.check(ip);
    if (isSame(this.#plain(given), this.#code)) return;
    this.#deps.lockout.failed(ip);
    throw forbidden('This is not the setup code that the server printed when it started.', CODE);
  }

  /** Normalizes a code. A generated code may be typed in lower case and with separators. */
  #plain(given: string): string {
    return this.#isOwn ? given.trim() : plainCode(given);
  }
}

const CODE = 'setup_code_required';

const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
