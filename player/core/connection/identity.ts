/**
 * Identity of this player: its secret, its signing key and the server it is paired with. Created at first start,
 * replaced when the player is unpaired.
 */
import { z } from 'zod';
import { readDocument } from '../files/documents.ts';
import type { Host } from '../ports.ts';

const Paired = z.object({
  device_id: z.string().min(1),
  name: z.string(),
  workspace_id: z.string(),
  /**
   * The paired server, identified by the fingerprint of its key. The player refuses a different server at the same
   * address.
   */
  server: z.object({ id: z.string(), name: z.string(), fingerprint: z.string() }),
  /** Last origin that answered with the pinned fingerprint. */
  origin: z.string(),
  /**
   * Pinned certificate (DER, hex) of a server that has answered by HTTPS, or the issuer of its certificates. After
   * that, plain HTTP is used only to request the identity of the server.
   */
  tls: z.object({ certificate: z.string() }).nullable().default(null),
});
export type Paired = z.infer<typeof Paired>;

const Identity = z.object({
  format: z.literal(1),
  /** Secret of the player, 64 hex digits. Sent only to the server that claimed this player. */
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  signing_key: z.string().nullable(),
  paired: Paired.nullable(),
  /**
   * Fingerprint of the server that has proved that the player's own code was entered there (own-code.ts). The message
   * about the claim may arrive only after a restart.
   */
  believed: z.string().nullable().default(null),
});
type Identity = z.infer<typeof Identity>;

const NAME = 'identity';

type Deps = Pick<Host, 'crypto' | 'documents' | 'log'>;

export class IdentityKeeper {
  readonly #deps: Deps;
  /** The stored identity, which `start` sets. */
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

  /** Public key for the signatures of the journal, hex; null if the platform cannot sign. */
  get signingPublicKey(): string | null {
    const key = this.signingKey;
    return key === null ? null : this.#deps.crypto.publicKey(key);
  }

  /** Authorization header of a claimed player's HTTP requests. */
  get authorization(): string | undefined {
    const paired = this.paired;
    return paired ? `Bearer ${paired.device_id}.${this.secret}` : undefined;
  }

  get believed(): string | null {
    return this.#identity.believed;
  }

  async trust(fingerprint: string): Promise<void> {
    await this.#save({ ...this.#identity, believed: fingerprint });
  }

  async pair(paired: Paired): Promise<void> {
    await this.#save({ ...this.#identity, paired, believed: null });
  }

  /** Updates the data of the paired server. If the disk is full, the update is valid only until the player restarts. */
  async renew(paired: Paired): Promise<void> {
    const identity = { ...this.#identity, paired };
    await this.#save(identity).catch((error) => {
      this.#deps.log.warn('what is new of the server could not be saved', error);
      this.#identity = identity;
    });
  }

  /** Creates a new secret and a new key, so that nothing links the next pairing to this pairing. */
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
