/**
 * Waiting to be claimed where more than one server is heard: the player shows a code of its own making, waits at all of
 * them, and goes with the one that proves that the code was typed in there (shared/protocol/code-proof.ts). What any of
 * them says otherwise is not listened to.
 */
import type { ClaimContext, ClaimSide } from '../../shared/protocol/code-proof.ts';
import { type DeviceInfo, PROTOCOL_VERSION, type ServerMessage } from '../../shared/protocol/messages.ts';
import { CODE_MS, newCode } from '../../shared/protocol/pairing-code.ts';
import { sameTag } from '../../shared/protocol/same-tag.ts';
import type { IdentityKeeper } from './identity.ts';
import { Link } from './link.ts';
import type { AddressBook, ConnectSocket, Crypto, Get, Host, SeenServer, ServerAddress, Undo } from './ports.ts';
import { ServerCheck } from './server-check.ts';
import { pinOf } from './session.ts';

/** The one whose address somebody has typed. */
const GIVEN = 'given';
/** Servers waited at; a store has one, its neighbours have a few. */
const MOST_SERVERS = 8;
/**
 * Codes that one server may try while one is shown. It does once for each screen that waits when a code is typed, so
 * that some are honest; of 244 million they are nothing.
 */
const MOST_TRIES = 60;
/** A way that says nothing is taken for gone (Link): a question so often keeps it. */
const ALIVE_MS = 10_000;

type Message<K extends ServerMessage['type']> = Extract<ServerMessage, { type: K }>;

/** One end of a run (CodeProof). */
export interface Proof {
  readonly share: string;
  tags(theirs: string): Readonly<Record<ClaimSide, string>> | undefined;
}
/** @param random 64 bytes, hex */
export type MakeProof = (code: string, context: ClaimContext, random: string) => Proof;

export interface OwnCodeDeps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly identity: IdentityKeeper;
  readonly addresses: AddressBook;
  readonly connect: ConnectSocket;
  readonly get: Get;
  readonly device: () => DeviceInfo;
  readonly changed: () => void;
  /** This player belongs to somebody now; it is on the disk. */
  readonly claimed: () => void;
}

interface Deps extends OwnCodeDeps {
  /** The store's, told at installing: it never changes, and is not shown. Absent: one of the player's own making. */
  readonly given?: string | undefined;
  readonly proof: MakeProof;
}

interface Suitor {
  readonly link: Link;
  tries: number;
  run: { readonly id: string; readonly tags: Readonly<Record<ClaimSide, string>> } | undefined;
  cancelAlive: Undo | undefined;
}

export class OwnCode {
  readonly #deps: Deps;
  readonly #suitors = new Map<string, Suitor>();
  #code: string | undefined;
  #cancelCode: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Null: it does not wait so. The code is empty where whoever claims it has it from elsewhere. */
  get shown(): { readonly code: string; readonly servers: readonly SeenServer[] } | null {
    return this.#code === undefined
      ? null
      : { code: this.#deps.given === undefined ? this.#code : '', servers: this.#deps.addresses.seen() };
  }

  /** Begins, or follows what the address book has now. */
  start(): void {
    if (this.#code === undefined) this.#renew();
    const { addresses } = this.#deps;
    // Somebody has said which: the others need not be asked.
    if (addresses.given) {
      if (!this.#suitors.has(GIVEN)) this.#approach(GIVEN, (attempt) => addresses.pick(null, attempt));
      return;
    }
    const seen = new Map(addresses.seen().flatMap((one) => (one.server ? [[keyOf(one.server), one] as const] : [])));
    for (const key of [...this.#suitors.keys()]) if (!seen.has(key)) this.#leave(key);
    for (const [key, server] of seen)
      if (!this.#suitors.has(key) && this.#suitors.size < MOST_SERVERS) this.#approach(key, this.#addressesOf(server));
  }

  stop(): void {
    this.#code = undefined;
    this.#cancelCode?.();
    for (const key of [...this.#suitors.keys()]) this.#leave(key);
  }

  /** Whoever has used up its tries gets others at another code. */
  #renew(): void {
    const { crypto, time, changed } = this.#deps;
    this.#code = this.#deps.given ?? newCode((below) => evenly(crypto, below));
    this.#cancelCode = time.after(CODE_MS, () => {
      for (const [key, { tries }] of [...this.#suitors]) if (tries >= MOST_TRIES) this.#leave(key);
      for (const suitor of this.#suitors.values()) suitor.tries = 0;
      this.#renew();
      this.start();
    });
    changed();
  }

  #addressesOf({ server, origin }: SeenServer): (attempt: number) => ServerAddress | null {
    return (attempt) =>
      server && this.#deps.addresses.pick({ server_id: server.id, fingerprint: server.fingerprint, origin }, attempt);
  }

  #approach(key: string, address: (attempt: number) => ServerAddress | null): void {
    const { identity, device } = this.#deps;
    const check = new ServerCheck({ ...this.#deps, identity: { paired: null }, pins: true });
    const suitor: Suitor = {
      tries: 0,
      run: undefined,
      cancelAlive: undefined,
      link: new Link({
        ...this.#deps,
        check: (one) => check.check(one),
        unreached: (one) => check.unreached(one),
        address,
        hello: () => {
          const signing_key = identity.signingPublicKey;
          return {
            type: 'hello',
            protocol: PROTOCOL_VERSION,
            device: device(),
            ...(signing_key !== null && { signing_key }),
            secret_hash: identity.secretHash,
            own_code: true,
          };
        },
        opened: () => this.#keepAlive(suitor),
        message: (message) => this.#hear(suitor, message),
        closed: () => {
          suitor.run = undefined;
          suitor.cancelAlive?.();
        },
      }),
    };
    this.#suitors.set(key, suitor);
    suitor.link.start();
  }

  #leave(key: string): void {
    const suitor = this.#suitors.get(key);
    this.#suitors.delete(key);
    suitor?.link.stop();
    suitor?.cancelAlive?.();
  }

  #keepAlive(suitor: Suitor): void {
    suitor.cancelAlive = this.#deps.time.after(ALIVE_MS, () => {
      suitor.link.send({ type: 'clock', t0: this.#deps.time.mono() });
      this.#keepAlive(suitor);
    });
  }

  #hear(suitor: Suitor, message: ServerMessage): void {
    if (message.type === 'waiting') suitor.link.settled();
    else if (message.type === 'claim') this.#begin(suitor, message);
    else if (message.type === 'claim.proof')
      void this.#judge(suitor, message).catch((error) => this.#deps.log.error('a claim could not be answered', error));
    else if (message.type === 'paired')
      void this.#paired(suitor, message).catch((error) => this.#deps.log.error('a claim could not be kept', error));
  }

  #begin(suitor: Suitor, { id, share }: Message<'claim'>): void {
    const { identity, crypto, proof, log } = this.#deps;
    const { address } = suitor.link;
    if (!address?.server || this.#code === undefined) return;
    if (++suitor.tries > MOST_TRIES) {
      if (suitor.tries === MOST_TRIES + 1)
        log.warn(`the server at ${address.origin} tries too many codes: it is not listened to until there is another`);
      return;
    }
    const mine = proof(
      this.#code,
      { id, fingerprint: address.server.fingerprint, secretHash: identity.secretHash },
      crypto.randomHex(64),
    );
    const tags = mine.tags(share);
    suitor.run = tags && { id, tags };
    suitor.link.send(tags ? { type: 'claim.share', id, share: mine.share } : { type: 'claim.result', id });
  }

  async #judge(suitor: Suitor, { id, tag }: Message<'claim.proof'>): Promise<void> {
    const { run, link } = suitor;
    suitor.run = undefined;
    if (run?.id !== id) return;
    const fingerprint = link.address?.server?.fingerprint;
    if (fingerprint === undefined || !sameTag(run.tags.server, tag))
      return void link.send({ type: 'claim.result', id });
    // On the disk before it is said: the server counts this player as claimed from then on, and a restart must not
    // forget by whom.
    await this.#deps.identity.believe(fingerprint);
    link.send({ type: 'claim.result', id, tag: run.tags.player });
  }

  async #paired(
    { link: { address } }: Suitor,
    { device_id, name, workspace_id, server }: Message<'paired'>,
  ): Promise<void> {
    const { identity, log, claimed } = this.#deps;
    const known = address?.server;
    if (identity.paired || !known || known.fingerprint !== identity.believed) return;
    const { origin } = address;
    const tls = pinOf(address);
    await identity.pair({ device_id, name, workspace_id, server: { ...known, name: server?.name ?? '' }, origin, tls });
    log.info(`paired with ${server?.name ?? origin} as ${name}`);
    this.stop();
    claimed();
  }
}

const keyOf = ({ id, fingerprint }: { id: string; fingerprint: string }): string => `${id} ${fingerprint}`;

/** Of a byte; what would make some numbers likelier is drawn again. */
function evenly(crypto: Crypto, below: number): number {
  for (;;) {
    const byte = Number.parseInt(crypto.randomHex(1), 16);
    if (byte < 256 - (256 % below)) return byte % below;
  }
}
