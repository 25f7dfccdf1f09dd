import { ApiError } from '../../../../shared/contract/errors.ts';

export interface HashCost {
  /** Memory for one hash, in KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Above OWASP's minimum for argon2id (19 MiB, 2 passes): about 60 ms of one core; two at a time use 64 MiB. */
const COST: HashCost = { memoryCost: 32_768, timeCost: 3, parallelism: 1 };
/** Maximum number of hashes at once. The thread pool has four threads, and file operations need some of them. */
const AT_ONCE = 2;
/** Maximum queue length, about four seconds of work. Further requests get 503 and retry. */
const MAX_WAITING = 64;

/** Hashes passwords with argon2id in the thread pool, two at a time. */
export class Passwords {
  readonly #cost: HashCost;
  /**
   * Hash for accounts without a password, so that an unknown account and a wrong password take the same time. No
   * password matches it.
   */
  readonly #decoy: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
    this.#decoy = `$argon2id$v=19$m=${cost.memoryCost},p=${cost.parallelism},t=${cost.timeCost}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  }

  /** Returns a PHC string. @throws 503 when too many requests wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(async () => (await argon2()).hash(normal(password), { type: 2, ...this.#cost }));
  }

  /**
   * Compares a password. Takes the same time when the account has no hash.
   * @throws 503 when too many requests wait
   */
  async matches(hash: string | null | undefined, password: string): Promise<boolean> {
    const same = await this.#inTurn(async () => (await argon2()).verify(hash ?? this.#decoy, normal(password)));
    return same && Boolean(hash);
  }

  /** Returns whether a hash has outdated parameters and should be replaced while the password is known. */
  async isOutdated(hash: string): Promise<boolean> {
    return (await argon2()).needsRehash(hash, { ...this.#cost });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new ApiError(503, 'Too many people are signing in at this moment. Try again in a few seconds.', {
          retryAfter: 5,
        });
      await new Promise<void>((turn) => this.#waiting.push(turn));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Normalizes a text that systems (macOS, Windows) may enter as different code points. */
const normal = (password: string): string => password.normalize('NFKC');

const argon2 = async () => (await import('argon2')).default;
