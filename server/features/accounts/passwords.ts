import { ApiError } from '../../../shared/contract/errors.ts';

export interface HashCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * The cost is above OWASP's minimum for argon2id (19 MiB, 2 passes): some 60 ms of one core, and two at once cost 64
 * MiB.
 */
const COST: HashCost = { memoryCost: 32_768, timeCost: 3, parallelism: 1 };
/** The thread pool has four threads, and files need some of them. */
const AT_ONCE = 2;
/** This is some four seconds of work. Whoever comes later is told to come again. */
const MAX_WAITING = 64;

/** Hashes passwords with argon2id, in the thread pool, two at a time. */
export class Passwords {
  readonly #cost: HashCost;
  /**
   * Compared with where an account has no password, so that unknown and wrong take the same time. It is nobody's
   * hash.
   */
  readonly #decoy: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
    this.#decoy = `$argon2id$v=19$m=${cost.memoryCost},p=${cost.parallelism},t=${cost.timeCost}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  }

  /** Returns a PHC string. @throws 503 when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(async () => (await argon2()).hash(normal(password), { type: 2, ...this.#cost }));
  }

  /** Compares. It takes the same time without a hash. @throws 503 when too many wait */
  async matches(hash: string | null | undefined, password: string): Promise<boolean> {
    const same = await this.#inTurn(async () => (await argon2()).verify(hash ?? this.#decoy, normal(password)));
    return same && Boolean(hash);
  }

  /** Says that the hash was made at another cost than today's, and is to be made anew while the password is at hand. */
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

/** Returns one form of a text that may be typed as different code points (macOS, Windows). */
const normal = (password: string): string => password.normalize('NFKC');

const argon2 = async () => (await import('argon2')).default;
