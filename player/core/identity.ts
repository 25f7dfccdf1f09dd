/**
 * Who this player is: its secret, its signing key and the server it belongs to. Made at first start, forgotten when
 * unpaired.
 */
import { z } from 'zod';
import { readDocument } from './documents.ts';
import type { Host } from './ports.ts';

const Paired = z.object({
  device_id: z.string().min(1),
  name: z.string(),
  workspace_id: z.string(),
  /** Pinned: another box that answers at the same address is not talked to. */
  server: z.object({ id: z.string(), name: z.string(), fingerprint: z.string() }),
  /** Where it last answered with the pinned fingerprint. */
  origin: z.string(),
  /**
   * Pinned: it has spoken HTTPS, with this certificate (DER, hex) or one issued by it; plain HTTP is then only for
   * asking who it is.
   */
  tls: z.object({ certificate: z.string() }).nullable().default(null),
});
export type Paired = z.infer<typeof Paired>;

const Identity = z.object({
  format: z.literal(1),
  /** 64 hex digits; leaves this machine only towards the server that claimed it. */
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  signing_key: z.string().nullable(),
  paired: Paired.nullable(),
  /**
   * Fingerprint of the server that has proved that this player's own code was typed in there (own-code.ts); it may be
   * told of the claim only after a restart.
   */
  believed: z.string().nullable().default(null),
});
type Identity = z.infer<typeof Identity>;

const NAME = 'identity';

type Deps = Pick<Host, 'crypto' | 'documents' | 'log'>;

export class IdentityKeeper {
  readonly #deps: Deps;
  /** Set by `start`. */
  #identity!: Identity;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const kept = await readDocument(this.#deps, NAME, Identity);
    if (kept) this.#identity = kept;
    else await this.forget();
  }

  get paired(): Paired | null {
    return this.#identity.paired;
  }

  get secret(): string {
    return this.#identity.secret;
  }

  get secretHash(): string {
    return this.#deps.crypto.sha256OfHex(this.secret);
  }

  get signingKey(): string | null {
    return this.#identity.signing_key;
  }

  /** Of the journal's signatures, hex; null where the platform cannot sign. */
  get signingPublicKey(): string | null {
    const key = this.signingKey;
    return key === null ? null : this.#deps.crypto.publicKey(key);
  }

  /** The header that a claimed player's HTTP requests carry. */
  get authorization(): string | undefined {
    const paired = this.paired;
    return paired ? `Bearer ${paired.device_id}.${this.secret}` : undefined;
  }

  get believed(): string | null {
    return this.#identity.believed;
  }

  async believe(fingerprint: string): Promise<void> {
    await this.#save({ ...this.#identity, believed: fingerprint });
  }

  async pair(paired: Paired): Promise<void> {
    await this.#save({ ...this.#identity, paired, believed: null });
  }

  /** What is new of the server that it belongs to; what cannot be saved, on a full disk, still holds in this run. */
  async renew(paired: Paired): Promise<void> {
    const identity = { ...this.#identity, paired };
    await this.#save(identity).catch((error) => {
      this.#deps.log.warn('what is new of the server could not be saved', error);
      this.#identity = identity;
    });
  }

  /** A new secret and a new key too: nothing links the next pairing to this one. */
  async forget(): Promise<void> {
    await this.#save({
      format: 1,
      secret: this.#deps.crypto.randomHex(32),
      signing_key: this.#deps.crypto.newSigningKey(),
      paired: null,
      believed: null,
    });
  }

  async #save(identity: Identity): Promise<void> {
    await this.#deps.documents.write(NAME, JSON.stringify(identity));
    this.#identity = identity;
  }
}
