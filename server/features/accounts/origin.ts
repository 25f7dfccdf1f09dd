import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Knows under which address people reach this server. */
export class Origins {
  readonly #publicUrl: string | undefined;
  readonly #lan: boolean;

  /** @param deps.publicUrl is VITRINE_PUBLIC_URL @param deps.host is the address listened on */
  constructor(deps: { publicUrl: string | undefined; host: string }) {
    this.#publicUrl = deps.publicUrl?.replace(/\/+$/, '') || undefined;
    this.#lan = !LOOPBACK.has(deps.host);
  }

  /**
   * Returns the address for links in mails, without a slash at the end. Without a public URL it is the address of ours
   * at which the request arrived, never what its Host header claims: a stranger could otherwise have a mail sent whose
   * link, and the token in it, leads to him.
   */
  origin(req: IncomingMessage): string {
    if (this.#publicUrl) return this.#publicUrl;
    const { localAddress = '127.0.0.1', localPort = 80 } = req.socket;
    const address = localAddress.replace(/^::ffff:/, '');
    // A mail is read on another machine, where this one is not 127.0.0.1.
    const reachable = this.#lan && LOOPBACK.has(address) ? (lanAddress() ?? address) : address;
    const scheme = 'encrypted' in req.socket && req.socket.encrypted ? 'https' : 'http';
    return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${localPort}`;
  }

  /** Returns what people type to reach this server, without the port, for the label in an authenticator app. */
  host(req: IncomingMessage): string {
    const host = this.#publicUrl ? new URL(this.#publicUrl).hostname : (req.headers.host ?? '').replace(/:\d+$/, '');
    return /^[A-Za-z0-9.-]{1,100}$/.test(host) ? host : new URL(this.origin(req)).hostname;
  }
}

const lanAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((i) => i && !i.internal && i.family === 'IPv4')?.address;
