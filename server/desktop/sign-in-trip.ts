/**
 * Decides where the admin window may navigate: normally only to our own server. To sign in, it may go to the server's
 * sign-in provider, limited to that origin and to the time of a sign-in, until it returns.
 *
 * The alternative, the system's browser with a hand-over, needs a one-time secret between two programs and an address
 * that any program may call. Here nothing leaves the window, and the answer reaches the page that asked, which checks
 * state and nonce as in any browser.
 */
import { isOf } from '../../shared/desktop/pages.ts';

const TRIP_MS = 10 * 60_000;

/**
 * Decision about a navigation. `ask`: only the server knows whether this is the address of its provider; the window
 * stays until the server has answered.
 */
export type Way = 'go' | 'stay' | 'ask';

export class SignInTrip {
  readonly #deps;
  #trip: { readonly origin: string; readonly until: number } | undefined;

  constructor(deps: { home: () => string; now: () => number }) {
    this.#deps = deps;
  }

  /** Decides about a navigation or redirect of the window. @param at present address @param to new address */
  way(at: string, to: string): Way {
    const { home, now } = this.#deps;
    if (isOf(home(), to)) {
      this.#trip = undefined;
      return 'go';
    }
    const trip = this.#trip;
    if (trip && now() < trip.until) return isOf(trip.origin, to) ? 'go' : 'stay';
    this.#trip = undefined;
    return isOf(home(), at) && returnsTo(home(), to) ? 'ask' : 'stay';
  }

  /**
   * Starts a visit to the provider if the address is allowed. Returns whether the window may navigate there.
   * @param entrances authorization endpoints that the server reports now
   */
  depart(to: string, entrances: readonly string[]): boolean {
    const entrance = entrances.map(parsed).find((each) => each && isSafe(each) && samePlace(each, parsed(to)));
    if (!entrance) return false;
    this.#trip = { origin: entrance.origin, until: this.#deps.now() + TRIP_MS };
    return true;
  }

  /**
   * Whether the window may show the sign-in provider now. If this is false while the window shows another site, the
   * window must return to our server.
   */
  get isAway(): boolean {
    return this.#trip !== undefined && this.#deps.now() < this.#trip.until;
  }
}

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/**
 * Returns whether a person may enter a password at this address. Only a provider on this machine may lack encryption.
 */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));

const samePlace = (entrance: URL, to: URL | undefined): boolean =>
  to !== undefined && isOf(entrance.origin, to.href) && to.pathname === entrance.pathname;

/** Returns whether the address leads back to our server, as our sign-in page builds it. */
const returnsTo = (home: string, to: string): boolean => {
  const back = parsed(to)?.searchParams.get('redirect_uri');
  return back != null && isOf(home, back.endsWith('/') ? back : `${back}/`);
};
