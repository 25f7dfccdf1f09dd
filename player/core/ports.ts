/**
 * Interfaces that the core needs from its host. Node (agent/) and the bare browser (web/) implement them; tests use
 * fakes.
 */
import type { Capability, CommandFunctions } from '../../shared/protocol/commands.ts';
import type { Telemetry } from '../../shared/protocol/telemetry.ts';

export type Undo = () => void;

export interface Time {
  /**
   * Monotonic time in milliseconds with fractions. Never set and never decreasing. May stop while the machine sleeps,
   * together with timers.
   */
  mono(): number;
  /**
   * Milliseconds since the machine started, including sleep. Cannot be set. Absent if the host cannot measure it (a
   * browser).
   */
  sinceBoot?(): number;
  /** The machine's wall clock, epoch milliseconds. May be wrong by years. */
  wall(): number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): Undo;
}

export interface Crypto {
  /** Lower-case hex. A string is hashed as UTF-8. */
  sha256(bytes: Uint8Array | string): string;
  /** SHA-256 of the bytes that the hex digits encode. */
  sha256OfHex(hex: string): string;
  randomHex(bytes: number): string;
  uuid(): string;
  /**
   * Returns a random number from 0 inclusive to 1 exclusive, evenly distributed. For random delays, not for secrets.
   */
  random(): number;
  /** A new Ed25519 key in a form for storage; null if the platform has no Ed25519. */
  newSigningKey(): string | null;
  publicKey(signingKey: string): string;
  /** Hex Ed25519 signature of the UTF-8 text. */
  sign(signingKey: string, text: string): string;
  /**
   * Returns whether an Ed25519 signature (hex) of the UTF-8 text is valid for a SubjectPublicKeyInfo key (hex). Null if
   * the platform cannot verify.
   */
  verify(publicKey: string, text: string, signature: string): boolean | null;
}

export interface Log {
  info(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
  error(message: string, detail?: unknown): void;
}

/** Storage of small texts, each under a name. A write is atomic, also after a power cut. */
export interface Documents {
  /**
   * @param isSound distinguishes an undamaged copy from a damaged copy (two-copies.ts).
   * @default checks that the text is JSON
   */
  read(name: string, isSound?: (text: string) => boolean): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns the names of the documents, newest first if the host knows their age. */
  list(): Promise<string[]>;
  /** Keeps a damaged document under another name for later analysis. */
  setAside(name: string): Promise<void>;
}

export interface Reply {
  readonly status: number;
  header(name: string): string | null;
  readonly body: AsyncIterable<Uint8Array>;
}
/**
 * Required peer of an https or wss connection: the owner of this certificate (DER, hex) or of a certificate that it
 * issued. The name is not checked, because addresses change. The dates are not checked, because a player's clock may be
 * wrong by years. Null: any peer; then no secret may be sent.
 */
export interface Trust {
  readonly certificate: string | null;
}
/**
 * GET without redirects, because the credential is for this origin only. Rejects if the server cannot be reached or is
 * not trusted.
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
  /** Called once when the socket is closed, also for a socket that never opened. */
  closed(code: number, reason: string): void;
}
/** Close code for a peer that failed the trust check before the socket opened. */
export const UNTRUSTED = 4900;
export type ConnectSocket = (url: string, subprotocol: string, events: SocketEvents, trust?: Trust) => LinkSocket;

/** Address of a server that the player may contact. */
export interface ServerAddress {
  /** Origin of the server, in the form `http://host:port`. */
  readonly origin: string;
  /** Id and fingerprint if they are known before connecting (from mDNS). */
  readonly server: { readonly id: string; readonly fingerprint: string } | null;
  /** HTTPS origin and certificate of the server, after the server has proved that both belong to it (ServerCheck). */
  readonly secure?: { readonly origin: string; readonly certificate: string };
}
export interface SeenServer extends ServerAddress {
  readonly name: string;
  /** True if nobody has set up the server yet. */
  readonly setup: boolean;
}
export interface AddressBook {
  /** True if a person chose the server by entering its address or by opening a page from it. */
  readonly given: boolean;
  /**
   * Returns the address for this attempt (0, 1, 2 …); null: none yet. With `paired`, only the address of that server;
   * otherwise the given server or else the first server found.
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
/** Replaces the running version of this program by another version. */
export interface Updater {
  /** Reason why this player accepts no update; null: it accepts updates that its publisher has signed. */
  readonly refusal: string | null;
  /**
   * Installs a version; null: the newest version that the server offers. Resolves once it is in place and the answer
   * can be sent. The player restarts after that.
   */
  update(version: string | null): Promise<Outcome>;
}
export type Shot = { readonly mime: 'image/jpeg'; readonly data: string } | { readonly error: string };
/** Commands that the core carries out itself; `launch` needs the consent of the machine. */
export type CoreCommand = 'screen_on' | 'screen_off' | 'launch';
export interface Machine {
  capabilities(): readonly Capability[];
  screen(on: boolean): Promise<Outcome>;
  /** Answers the `launch` command for this machine. @param url null: the screen returns to the program */
  launched(url: string | null): Promise<Outcome>;
  readonly commands: Omit<CommandFunctions<Promise<Outcome>>, CoreCommand>;
  screenshot(): Promise<Shot>;
  telemetry(): Promise<Telemetry>;
}

/** Dependencies that most parts need from their host. */
export interface Host {
  readonly time: Time;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly documents: Documents;
  readonly machine: Machine;
}
