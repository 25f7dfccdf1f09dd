/**
 * Players that wait to be claimed, with their codes. Kept in memory only: after a restart of the server players
 * reconnect and get new codes. Their number is limited in total and per address, because anybody on the network can
 * open a socket.
 */
import { randomInt } from 'node:crypto';
import { CloseCode, type DeviceInfo } from '../../../shared/protocol/messages.ts';
import { CODE_MS, newCode, plainCode } from '../../../shared/protocol/pairing-code.ts';
import { newId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { isOver } from '../../kernel/time/window.ts';
import { Tally } from '../state/tally.ts';
import { plainText } from '../state/telemetry.ts';
import type { PlayerSocket } from './player-socket.ts';

/**
 * Time in milliseconds before the expiry of a code at which the player gets the next code. Both codes are valid until
 * the expiry.
 */
const RENEW_MS = 60_000;
const MAX_WAITING = 2_000;
const MAX_WAITING_PER_ADDRESS = 250;

interface Code {
  readonly text: string;
  /** Expiry of the code in epoch milliseconds. */
  readonly expiresAt: number;
}

export interface Waiting {
  readonly pendingId: string;
  readonly secretHash: string;
  readonly name: string;
  readonly info: DeviceInfo;
  readonly ip: string;
  readonly shownAs: string;
  /** Time in epoch milliseconds at which the player began to wait. */
  readonly since: number;
  /**
   * Whether the player generated its code itself. The server then learns the code only from the person who claims
   * the player.
   */
  readonly ownCode: boolean;
  /**
   * Connection of the player; undefined: disconnected. The code of a disconnected player stays valid until it expires.
   */
  socket: PlayerSocket | undefined;
  /** Codes of the player, the newest last. Empty if the player generated its own code. */
  codes: Code[];
  /** Whether a claim of the player is in progress. */
  taken: boolean;
}

interface Deps {
  readonly clock: Clock;
  readonly showCode: (waiting: Waiting, code: Code) => void;
}

export class WaitingPlayers {
  readonly #deps: Deps;
  /** Several players may send the same hash. Each gets a separate code, and none replaces another. */
  readonly #bySecret = new Map<string, Set<Waiting>>();
  readonly #byId = new Map<string, Waiting>();
  readonly #bySocket = new Map<PlayerSocket, Waiting>();
  readonly #byCode = new Map<string, Waiting>();
  readonly #perAddress = new Tally();
  #listeners: (() => void)[] = [];

  /** @param deps.showCode sends a player the code to show */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Calls the listener whenever the list of waiting players changes. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Adds a waiting player. Returns undefined when too many players wait. A player that reconnects keeps its code. */
  enter(
    socket: PlayerSocket,
    secretHash: string,
    info: DeviceInfo,
    { ownCode = false }: { ownCode?: boolean | undefined } = {},
  ): Waiting | undefined {
    const gone = [...(this.#bySecret.get(secretHash) ?? [])].find((waiting) => !waiting.socket && !waiting.taken);
    if (gone && !gone.ownCode && !ownCode) return this.#back(gone, socket);
    if (gone) this.remove(gone);
    if (!this.#makeRoom(socket.ip)) return undefined;
    const waiting: Waiting = {
      pendingId: newId(),
      secretHash,
      name: plainText(info.name ?? ''),
      info: { ...info, platform: plainText(info.platform) },
      ip: socket.ip,
      shownAs: socket.shownAs,
      since: this.#deps.clock.now(),
      ownCode,
      socket,
      codes: [],
      taken: false,
    };
    this.#bySocket.set(socket, waiting);
    this.#bySecret.set(secretHash, (this.#bySecret.get(secretHash) ?? new Set()).add(waiting));
    this.#byId.set(waiting.pendingId, waiting);
    this.#perAddress.add(waiting.ip);
    if (!ownCode) this.#renew(waiting);
    this.#changed();
    return waiting;
  }

  #back(waiting: Waiting, socket: PlayerSocket): Waiting {
    waiting.socket = socket;
    this.#bySocket.set(socket, waiting);
    const code = waiting.codes.at(-1);
    if (code && code.expiresAt - this.#deps.clock.now() > RENEW_MS) this.#deps.showCode(waiting, code);
    else this.#renew(waiting);
    this.#changed();
    return waiting;
  }

  left(socket: PlayerSocket): void {
    const waiting = this.#bySocket.get(socket);
    this.#bySocket.delete(socket);
    if (waiting?.socket !== socket) return;
    waiting.socket = undefined;
    this.#changed();
  }

  /** Returns the connected players, sorted by waiting time, the longest first. */
  list(): Waiting[] {
    return [...this.#byId.values()].filter((waiting) => waiting.socket && !waiting.taken);
  }

  withOwnCode(): Waiting[] {
    return this.list().filter((waiting) => waiting.ownCode);
  }

  byCode(typed: string): Waiting | undefined {
    const text = plainCode(typed);
    const waiting = this.#byCode.get(text);
    const code = waiting?.codes.find((c) => c.text === text);
    return waiting &&
      !waiting.taken &&
      code &&
      !isOver({ end: code.expiresAt, now: this.#deps.clock.now(), length: CODE_MS })
      ? waiting
      : undefined;
  }

  byId(pendingId: string): Waiting | undefined {
    const waiting = this.#byId.get(pendingId);
    return waiting?.socket && !waiting.taken ? waiting : undefined;
  }

  /** Removes a player that was claimed. Other players with the same hash must prove that they know the secret. */
  claimed(waiting: Waiting): void {
    for (const one of [...(this.#bySecret.get(waiting.secretHash) ?? [])]) {
      const { socket } = one;
      this.remove(one);
      if (one !== waiting) socket?.end(CloseCode.replaced, 'this player was claimed on another connection');
    }
  }

  remove(waiting: Waiting): void {
    if (!this.#byId.delete(waiting.pendingId)) return;
    const same = this.#bySecret.get(waiting.secretHash);
    same?.delete(waiting);
    if (same?.size === 0) this.#bySecret.delete(waiting.secretHash);
    for (const code of waiting.codes) this.#byCode.delete(code.text);
    this.#perAddress.remove(waiting.ip);
    if (waiting.socket) this.#bySocket.delete(waiting.socket);
    this.#changed();
  }

  /** Renews codes and removes disconnected players. Called every second. */
  sweep(): void {
    const now = this.#deps.clock.now();
    for (const waiting of [...this.#byId.values()]) {
      const over = ({ expiresAt }: Code) => isOver({ end: expiresAt, now, length: CODE_MS });
      for (const code of waiting.codes) if (over(code)) this.#byCode.delete(code.text);
      waiting.codes = waiting.codes.filter((code) => !over(code));
      const newest = waiting.codes.at(-1);
      if (waiting.socket && !waiting.ownCode && (!newest || newest.expiresAt - now <= RENEW_MS)) this.#renew(waiting);
      else if (!waiting.socket && !newest && !waiting.taken) this.remove(waiting);
    }
  }

  #renew(waiting: Waiting): void {
    const code = { text: this.#unusedCode(), expiresAt: this.#deps.clock.now() + CODE_MS };
    waiting.codes.push(code);
    this.#byCode.set(code.text, waiting);
    this.#deps.showCode(waiting, code);
    this.#changed();
  }

  #unusedCode(): string {
    for (;;) {
      const text = newCode(randomInt);
      if (!this.#byCode.has(text)) return text;
    }
  }

  /**
   * Makes room for another player: removes a disconnected player, or else a player of the address with the most
   * players.
   */
  #makeRoom(ip: string): boolean {
    if (this.#perAddress.of(ip) >= MAX_WAITING_PER_ADDRESS) this.#dropGone((waiting) => waiting.ip === ip);
    if (this.#byId.size >= MAX_WAITING) this.#dropGone(() => true);
    if (this.#byId.size >= MAX_WAITING) this.#dropOneOfMany(ip);
    return this.#perAddress.of(ip) < MAX_WAITING_PER_ADDRESS && this.#byId.size < MAX_WAITING;
  }

  /** Removes the newest player of the address with the most players. */
  #dropOneOfMany(ip: string): void {
    const crowd = this.#perAddress.largest();
    if (crowd === undefined || this.#perAddress.of(crowd) <= this.#perAddress.of(ip) + 1) return;
    const last = [...this.#byId.values()].findLast((waiting) => waiting.ip === crowd && !waiting.taken);
    if (!last) return;
    this.remove(last);
    last.socket?.end(CloseCode.tooFast, 'too many players of this address wait to be claimed');
  }

  #dropGone(eligible: (waiting: Waiting) => boolean): void {
    for (const waiting of this.#byId.values()) {
      if (waiting.socket || waiting.taken || !eligible(waiting)) continue;
      this.remove(waiting);
      return;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
