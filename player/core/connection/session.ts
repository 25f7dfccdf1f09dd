/**
 * The session with the server and its steps: hello, waiting for a claim, signed in, removed. All other messages are
 * ignored before `welcome`.
 */
import {
  type DeviceInfo,
  type Hello,
  PROGRAM_BODY,
  PROTOCOL_VERSION,
  type ServerMessage,
} from '../../../shared/protocol/messages.ts';
import type { AddressBook, Host, ServerAddress, Undo } from '../ports.ts';
import type { IdentityKeeper } from './identity.ts';
import type { ServerChoice } from './server-choice.ts';

/**
 * Time for which the code stays on screen during an interruption, so that it does not flicker while a person enters it.
 */
const GRACE_MS = 10_000;
/** Delay before the next attempt after a wrong server answered. A quick retry would not help. */
const STRANGER_MS = 30_000;

type Message<K extends ServerMessage['type']> = Extract<ServerMessage, { type: K }>;

export interface Waiting {
  readonly code: string;
  readonly server: Message<'pairing'>['server'];
  readonly origin: string;
}

interface Deps extends Pick<Host, 'log' | 'time'> {
  readonly identity: IdentityKeeper;
  readonly addresses: AddressBook;
  readonly choice: Pick<ServerChoice, 'isClear'>;
  readonly device: () => DeviceInfo;
  readonly programId: () => string | null;
  /** The server at the other end of the open socket. */
  readonly peer: () => ServerAddress | null;
  readonly drop: (reason: string, options: { code?: number; minDelay?: number }) => void;
  readonly changed: () => void;
  readonly welcomed: () => void;
  readonly unpaired: () => Promise<void>;
}

export class Session {
  readonly #deps: Deps;
  #waiting: Waiting | null = null;
  #welcomed = false;
  #cancelGrace: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get waiting(): Waiting | null {
    return this.#waiting;
  }

  get welcomed(): boolean {
    return this.#welcomed;
  }

  address(attempt: number): ServerAddress | null {
    const { paired } = this.#deps.identity;
    if (!paired && !this.#deps.choice.isClear) return null;
    const known = paired && {
      server_id: paired.server.id,
      fingerprint: paired.server.fingerprint,
      origin: paired.origin,
    };
    return this.#deps.addresses.pick(known, attempt);
  }

  hello(): Hello {
    const { identity, device, programId } = this.#deps;
    const signing_key = identity.signingPublicKey;
    const common = {
      type: 'hello' as const,
      protocol: PROTOCOL_VERSION as 1,
      device: device(),
      takes: [PROGRAM_BODY],
      ...(signing_key !== null && { signing_key }),
    };
    const [paired, program_id] = [identity.paired, programId()];
    if (!paired) return { ...common, secret_hash: identity.secretHash };
    return { ...common, device_id: paired.device_id, secret: identity.secret, ...(program_id && { program_id }) };
  }

  /** A second server was found: the code of the first server is no longer shown. */
  unclear(): void {
    this.#wait(null);
    this.#deps.drop('more than one server is heard', { code: 1000 });
  }

  closed(): void {
    this.#welcomed = false;
    if (!this.#waiting) return;
    this.#cancelGrace?.();
    this.#cancelGrace = this.#deps.time.after(GRACE_MS, () => this.#wait(null));
  }

  stop(): void {
    this.#cancelGrace?.();
  }

  pairing({ code, server }: Message<'pairing'>): void {
    const { identity, peer, addresses } = this.#deps;
    // A server that sends a pairing code to a claimed player is not the player's own server.
    if (identity.paired) return this.#stranger('it offers a pairing code');
    const address = peer();
    if (!address) return;
    if (!this.#deps.choice.isClear) return this.unclear();
    const announced = address.server ?? addresses.seen().find((seen) => seen.origin === address.origin)?.server;
    if (announced && announced.fingerprint !== server.fingerprint)
      return this.#stranger('its fingerprint is not the one it announces');
    this.#wait({ code, server, origin: address.origin });
  }

  /** Handles the pairing. Without a preceding code, the player was claimed while it was offline. */
  async paired({ device_id, name, workspace_id, server: told }: Message<'paired'>): Promise<void> {
    const { identity, peer, choice } = this.#deps;
    const [server, address] = [this.#waiting?.server ?? told, peer()];
    if (!server || !address || identity.paired || !choice.isClear) return;
    if (address.server && address.server.fingerprint !== server.fingerprint)
      return this.#stranger('its fingerprint is not the one it announces');
    // The pairing is saved before anything else, because the secret is valid from now on.
    await identity.pair({ device_id, name, workspace_id, server, origin: address.origin, tls: pinOf(address) });
    this.#deps.log.info(`paired with ${server.name} as ${name}`);
    this.#wait(null);
  }

  async welcome({ device_id, name, server }: Message<'welcome'>): Promise<void> {
    const { identity, peer } = this.#deps;
    const [paired, address] = [identity.paired, peer()];
    if (!paired || !address) return;
    if (server.fingerprint !== paired.server.fingerprint || device_id !== paired.device_id)
      return this.#stranger('its fingerprint is not the one pinned at pairing');
    const tls = pinOf(address);
    if (paired.tls?.certificate !== tls?.certificate)
      this.#deps.log.info(tls ? 'from now on only by HTTPS with this server' : 'this server speaks plain HTTP now');
    if (paired.name !== name || paired.origin !== address.origin || paired.tls?.certificate !== tls?.certificate)
      await identity.renew({ ...paired, name, origin: address.origin, tls });
    // If the connection broke in the meantime, the message comes again on the next connection.
    if (peer() !== address) return;
    this.#welcomed = true;
    this.#deps.changed();
    this.#deps.welcomed();
  }

  async unpaired({ reason }: Message<'unpaired'>): Promise<void> {
    const { identity, peer, log } = this.#deps;
    const [paired, address] = [identity.paired, peer()];
    if (!paired) return;
    // "Unknown" from another server at the same address (for example after a DHCP change) must not end the pairing.
    const ours = address?.server?.id === paired.server.id || address?.origin === paired.origin;
    if (reason === 'unknown' && !ours) return this.#stranger('it does not know this screen');
    log.warn(
      reason === 'removed'
        ? 'removed from the server: starting over'
        : 'the server does not know this screen any more: starting over',
    );
    this.#welcomed = false;
    await this.#deps.unpaired();
    this.#deps.drop('unpaired', { code: 1000 });
    this.#deps.changed();
  }

  #stranger(why: string): void {
    this.#deps.log.error(
      `the server at ${this.#deps.peer()?.origin ?? 'this address'} is not the one this screen belongs to: ${why}`,
    );
    this.#deps.drop('not the server this player belongs to', { code: 4000, minDelay: STRANGER_MS });
  }

  #wait(waiting: Waiting | null): void {
    this.#cancelGrace?.();
    this.#waiting = waiting;
    this.#deps.changed();
  }
}

/** Returns the pin of a connection. Later connections use the same pin. */
export const pinOf = (address: ServerAddress): { readonly certificate: string } | null =>
  address.secure ? { certificate: address.secure.certificate } : null;
