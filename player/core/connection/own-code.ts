/**
 * Claiming when the player finds more than one server: the player shows its own code, connects to all servers, and
 * pairs with the server that proves that the code was entered there (shared/protocol/code-proof.ts). All other messages
 * of these servers are ignored.
 */
import type { ClaimContext, ClaimSide } from '../../../shared/protocol/code-proof.ts';
import { type DeviceInfo, PROTOCOL_VERSION, type ServerMessage } from '../../../shared/protocol/messages.ts';
import { CODE_MS, newCode } from '../../../shared/protocol/pairing-code.ts';
import { sameTag } from '../../../shared/protocol/same-tag.ts';
import type { AddressBook, ConnectSocket, Crypto, Get, Host, SeenServer, ServerAddress, Undo } from '../ports.ts';
import type { IdentityKeeper } from './identity.ts';
import { Link } from './link.ts';
import { ServerCheck } from './server-check.ts';
import { pinOf } from './session.ts';

/** Map key of the server whose address a person entered. */
const GIVEN = 'given';
/** Maximum number of servers that the player contacts. A store has one server, and its neighbours have a few. */
const MOST_SERVERS = 8;
/**
 * Maximum number of attempts that each server may make during the life of one code. An honest server makes one attempt
 * for each waiting screen when a code is entered. 60 of 244 million codes are negligible.
 */
const MOST_TRIES = 60;
/** Interval of messages that keep the connection alive: Link closes a silent connection. */
const ALIVE_MS = 10_000;

type Message<K extends ServerMessage['type']> = Extract<ServerMessage, { type: K }>;

/**
 * The player's part of the pairing proof with one server: both sides prove that they know the code, without sending the
 * code (shared/protocol/code-proof.ts).
 */
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
  /** Called when the player is paired and the pairing is saved on disk. */
  readonly claimed: () => void;
}

interface Deps extends OwnCodeDeps {
  /** Code that was set at installation. It never changes and is not shown. Absent: the player makes a code. */
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

  /** Null: the player does not wait with its own code. The code is empty if it was set at installation. */
  get shown(): { readonly code: string; readonly servers: readonly SeenServer[] } | null {
    return this.#code === undefined
      ? null
      : { code: this.#deps.given === undefined ? this.#code : '', servers: this.#deps.addresses.seen() };
  }

  /** Begins to wait, or follows a change of the address book. */
  start(): void {
    if (this.#code === undefined) this.#renew();
    const { addresses } = this.#deps;
    // A person entered an address, so the other servers are not contacted.
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

  /** Makes a new code. A server that has used up its attempts gets new attempts with the new code. */
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
    // Saved before it is sent: from then on the server counts this player as claimed, and the player must remember the
    // server after a restart.
    await this.#deps.identity.trust(fingerprint);
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

/**
 * Returns a random number from a byte, each value equally likely. Bytes that would make some values more likely are
 * drawn again.
 */
function evenly(crypto: Crypto, below: number): number {
  for (;;) {
    const byte = Number.parseInt(crypto.randomHex(1), 16);
    if (byte < 256 - (256 % below)) return byte % below;
  }
}
