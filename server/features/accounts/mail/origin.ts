import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Determines the address under which people reach this server. */
export class Origins {
  readonly #publicUrl: string | undefined;
  readonly #lan: boolean;

  /** @param deps.publicUrl VITRINE_PUBLIC_URL @param deps.host address on which the server listens */
  constructor(deps: { publicUrl: string | undefined; host: string }) {
    this.#publicUrl = deps.publicUrl?.replace(/\/+$/, '') || undefined;
    this.#lan = !LOOPBACK.has(deps.host);
  }

  /**
   * Returns the address for links in e-mails, without a trailing slash. Without a public URL this is the local address
   * at which the request arrived, never its Host header: an attacker could otherwise cause an e-mail whose link, with
   * its token, leads to the attacker.
   */
  origin(req: IncomingMessage): string {
    if (this.#publicUrl) return this.#publicUrl;
    const { localAddress = '127.0.0.1', localPort = 80 } = req.socket;
    const address = localAddress.replace(/^::ffff:/, '');
    // Uses an address in the network instead of 127.0.0.1, because e-mails are read on other machines.
    const reachable = this.#lan && LOOPBACK.has(address) ? (lanAddress() ?? address) : address;
    const scheme = 'encrypted' in req.socket && req.socket.encrypted ? 'https' : 'http';
    return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${localPort}`;
  }

  /** Returns the host name of this server, without port, for the label in an authenticator app. */
  host(req: IncomingMessage): string {
    const host = this.#publicUrl ? new URL(this.#publicUrl).hostname : (req.headers.host ?? '').replace(/:\d+$/, '');
    return /^[A-Za-z0-9.-]{1,100}$/.test(host) ? host : new URL(this.origin(req)).hostname;
  }
}

const lanAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((i) => i && !i.internal && i.family === 'IPv4')?.address;
