/**
 * What the core needs from its host. Node (agent/) and the bare browser (web/) each provide it; tests provide fakes.
 */
import type { Capability, CommandFunctions } from '../../shared/protocol/commands.ts';
import type { Telemetry } from '../../shared/protocol/telemetry.ts';

export type Undo = () => void;

export interface Time {
  /**
   * Milliseconds with fractions, never set, never backwards. May stand still while the machine sleeps, and timers with
   * it.
   */
  mono(): number;
  /**
   * Milliseconds since the machine started: they go on while it sleeps, and nobody sets them. Absent where the host
   * cannot tell (a browser).
   */
  sinceBoot?(): number;
  /** The machine's own idea of epoch milliseconds. May be wrong by years. */
  wall(): number;
  /** Calls once after `ms`; the undo cancels it. */
  after(ms: number, run: () => void): Undo;
}

export interface Crypto {
  /** Lower-case hex. A string is hashed as UTF-8. */
  sha256(bytes: Uint8Array | string): string;
  /** SHA-256 of the bytes that the hex digits stand for. */
  sha256OfHex(hex: string): string;
  randomHex(bytes: number): string;
  uuid(): string;
  /** Uniform in [0, 1): for jitter, not for secrets. */
  random(): number;
  /** A new Ed25519 key in a form to be stored; null where the platform has none. */
  newSigningKey(): string | null;
  publicKey(signingKey: string): string;
  /** Hex Ed25519 signature of the UTF-8 text. */
  sign(signingKey: string, text: string): string;
  /**
   * Of an Ed25519 signature (hex) of the UTF-8 text, by a key as SubjectPublicKeyInfo (hex); null where the platform
   * cannot tell.
   */
  verify(publicKey: string, text: string, signature: string): boolean | null;
}

export interface Log {
  info(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
  error(message: string, detail?: unknown): void;
}

/** Small named texts. A write happens wholly or not at all, also when the power goes. */
export interface Documents {
  /**
   * @param isSound tells a whole copy from a damaged one, where there are two (two-copies.ts).
   * @default that it is JSON
   */
  read(name: string, isSound?: (text: string) => boolean): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The newest first, where the host can tell. */
  list(): Promise<string[]>;
  /** Keeps a damaged document under another name for whoever looks into it. */
  setAside(name: string): Promise<void>;
}

export interface Reply {
  readonly status: number;
  header(name: string): string | null;
  readonly body: AsyncIterable<Uint8Array>;
}
/**
 * Whom an https or wss connection must be with: who holds this certificate (DER, hex), or one that it issued. Not
 * asked: the name, since addresses change, and the dates, since a player's clock may be years off. Null: anybody; then
 * nothing secret may be said.
 */
export interface Trust {
  readonly certificate: string | null;
}
/**
 * GET, following no redirect: the credential is for this origin only. Rejects when it cannot be reached, or is not to
 * be trusted.
 */
export type Get = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  trust?: Trust,
) => Promise<Reply>;

export interface LinkSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
}
export interface SocketEvents {
  opened(): void;
  text(text: string): void;
  /** Once, also for a socket that never opened. */
  closed(code: number, reason: string): void;
}
/** Closed with this before it opened: who answered is not who is to be trusted. */
export const UNTRUSTED = 4900;
export type ConnectSocket = (url: string, subprotocol: string, events: SocketEvents, trust?: Trust) => LinkSocket;

/** A server that may be talked to. */
export interface ServerAddress {
  /** `http://host:port` */
  readonly origin: string;
  /** Its id and fingerprint where they are known before connecting (from mDNS). */
  readonly server: { readonly id: string; readonly fingerprint: string } | null;
  /** How to talk to it instead, once it has proved that this is its way (ServerCheck). */
  readonly secure?: { readonly origin: string; readonly certificate: string };
}
export interface SeenServer extends ServerAddress {
  readonly name: string;
  /** Nobody has set it up yet. */
  readonly setup: boolean;
}
export interface AddressBook {
  /** Somebody has said which server it is: by typing its address, or by opening a page that comes from it. */
  readonly given: boolean;
  /**
   * Where to connect on this attempt (0, 1, 2 …); null: nowhere yet. `paired`: only that server; null: the one that was
   * given, else the first seen.
   */
  pick(
    paired: { readonly server_id: string; readonly fingerprint: string; readonly origin: string } | null,
    attempt: number,
  ): ServerAddress | null;
  seen(): readonly SeenServer[];
  onChange(listener: () => void): Undo;
}

export type Outcome =
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: string }
  | { readonly status: 'unsupported'; readonly error?: string };
/** Puts another version of this program in the place of the running one. */
export interface Updater {
  /** Why it takes none; null: it takes those that its publisher has signed. */
  readonly refusal: string | null;
  /**
   * Null: the newest that the server offers. Resolves once it is in place and what was answered can be sent; the player
   * is restarted after that.
   */
  update(version: string | null): Promise<Outcome>;
}
export type Shot = { readonly mime: 'image/jpeg'; readonly data: string } | { readonly error: string };
/** The commands that the core carries out itself; `launch` with the machine's consent. */
export type CoreCommand = 'screen_on' | 'screen_off' | 'launch';
export interface Machine {
  capabilities(): readonly Capability[];
  screen(on: boolean): Promise<Outcome>;
  /** null: the program again. */
  launched(url: string | null): Promise<Outcome>;
  readonly commands: Omit<CommandFunctions<Promise<Outcome>>, CoreCommand>;
  screenshot(): Promise<Shot>;
  telemetry(): Promise<Telemetry>;
}

/** What most parts need of their host. */
export interface Host {
  readonly time: Time;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly documents: Documents;
  readonly machine: Machine;
}
