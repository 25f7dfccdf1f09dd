/**
 * Creates addresses that work without a credential for a limited time, because a browser fetches <video> ranges and
 * downloads without an Authorization header. A ticket is valid for one address in one workspace. The signing key exists
 * only in memory, so a restart ends all tickets.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../shared/contract/errors.ts';
import { type Clock, seconds } from '../kernel/time/clock.ts';
import { isOver } from '../kernel/time/window.ts';

const TICKET_SECONDS = 600;
export const TICKET_COOKIE = 'vitrine_ticket';

export class Tickets {
  readonly #key = randomBytes(32);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param path requested path, without a query */
  issue(path: string, workspaceId: string): { readonly url: string; readonly expires_at: number } {
    const expires = seconds(this.#clock) + TICKET_SECONDS;
    return {
      url: `${path}?access=${expires}.${workspaceId}.${this.#sign(path, workspaceId, expires)}`,
      expires_at: expires,
    };
  }

  /**
   * Sets a ticket as a cookie that the browser sends only to that path, so that the ticket appears in no address,
   * history or proxy log.
   * @param path requested path, without a query
   */
  setCookie(
    { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
    { path, workspaceId }: { readonly path: string; readonly workspaceId: string },
  ): { readonly expires_at: number } {
    const { url, expires_at } = this.issue(path, workspaceId);
    const value = url.slice(url.indexOf('=') + 1);
    const rules = [`Path=${path}`, `Max-Age=${TICKET_SECONDS}`, 'HttpOnly', 'SameSite=Strict'];
    // Sets the attribute Secure only over HTTPS, because a browser drops a Secure cookie that arrives over plain HTTP,
    // which stores also use.
    if (isSecure(req)) rules.push('Secure');
    res.setHeader('Set-Cookie', [`${TICKET_COOKIE}=${value}`, ...rules].join('; '));
    return { expires_at };
  }

  /**
   * Returns the holder of a ticket.
   * @throws ApiError 401 for a forged or expired ticket, or a ticket of another address
   */
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

/** Returns whether a request came over HTTPS, to this server or to a proxy in front of it. */
const isSecure = ({ socket, headers }: IncomingMessage): boolean =>
  ('encrypted' in socket && socket.encrypted === true) || headers['x-forwarded-proto'] === 'https';

/** Returns the ticket in the cookies of a request; undefined when there is none. */
export const ticketIn = ({ headers }: IncomingMessage): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === TICKET_COOKIE)?.[1];
