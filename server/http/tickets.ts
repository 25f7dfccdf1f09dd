/**
 * Makes addresses that work without a credential for a while. A browser fetches a <video> piece by piece and a download
 * by itself, and sends none of our headers. A ticket is for one address in one workspace; what signs it is in memory
 * only, so that a restart ends them all.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../shared/contract/errors.ts';
import { type Clock, seconds } from '../kernel/clock.ts';
import { isOver } from '../kernel/window.ts';

const TICKET_SECONDS = 600;
export const TICKET_COOKIE = 'vitrine_ticket';

export class Tickets {
  readonly #key = randomBytes(32);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param path is as it is asked for, without a query */
  issue(path: string, workspaceId: string): { readonly url: string; readonly expires_at: number } {
    const expires = seconds(this.#clock) + TICKET_SECONDS;
    return {
      url: `${path}?access=${expires}.${workspaceId}.${this.#sign(path, workspaceId, expires)}`,
      expires_at: expires,
    };
  }

  /**
   * Sets a ticket as a cookie that the browser sends to that address alone: it stands in no address, no history and no
   * log of a proxy.
   * @param path as it is requested, without a query
   */
  giveCookie(
    { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
    { path, workspaceId }: { readonly path: string; readonly workspaceId: string },
  ): { readonly expires_at: number } {
    const { url, expires_at } = this.issue(path, workspaceId);
    const value = url.slice(url.indexOf('=') + 1);
    const rules = [`Path=${path}`, `Max-Age=${TICKET_SECONDS}`, 'HttpOnly', 'SameSite=Strict'];
    // A browser drops a Secure cookie that comes over plain HTTP, which the network of a store also uses.
    if (isSecure(req)) rules.push('Secure');
    res.setHeader('Set-Cookie', [`${TICKET_COOKIE}=${value}`, ...rules].join('; '));
    return { expires_at };
  }

  /** Returns whose ticket it is. @throws ApiError 401 for one that is forged, expired or of another address */
  open(ticket: string, path: string): { readonly workspaceId: string } {
    const [, expires, workspaceId = '', signature = ''] = /^(\d{1,12})\.([\w-]{1,60})\.([\w-]{43})$/.exec(ticket) ?? [];
    const good = Buffer.from(this.#sign(path, workspaceId, Number(expires)));
    const given = Buffer.from(signature);
    if (
      given.length !== good.length ||
      !timingSafeEqual(given, good) ||
      isOver({ end: Number(expires), now: seconds(this.#clock), length: TICKET_SECONDS })
    ) {
      throw new ApiError(401, 'This address has expired. Load the page again.');
    }
    return { workspaceId };
  }

  #sign(path: string, workspaceId: string, expires: number): string {
    return createHmac('sha256', this.#key).update(`${expires}\n${workspaceId}\n${path}`).digest('base64url');
  }
}

/** Says whether a request came over HTTPS, to this server or to a proxy on this machine in front of it. */
const isSecure = ({ socket, headers }: IncomingMessage): boolean =>
  ('encrypted' in socket && socket.encrypted === true) || headers['x-forwarded-proto'] === 'https';

/** Returns the ticket that a browser brings as a cookie, undefined when it brings none. */
export const ticketIn = ({ headers }: IncomingMessage): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === TICKET_COOKIE)?.[1];
