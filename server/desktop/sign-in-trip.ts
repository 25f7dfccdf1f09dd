/**
 * Decides where the admin window may go. At home that is our own server, and nothing else. To sign in it may leave for
 * the identity provider that the server names, for as long as a sign-in takes, and be at that provider's origin alone
 * until it is back.
 *
 * This was chosen over the system's browser with a hand-over, which needs a one-time secret between two programs and an
 * address that any program may call. Here nothing leaves the window, and the answer reaches the page that asked, which
 * checks state and nonce as in any browser.
 */
import { isOf } from '../../shared/desktop/pages.ts';

const TRIP_MS = 10 * 60_000;

/** `ask` means that only the server can say whether this is its provider's entrance; until then the window stays. */
export type Way = 'go' | 'stay' | 'ask';

export class SignInTrip {
  readonly #deps;
  #trip: { readonly origin: string; readonly until: number } | undefined;

  constructor(deps: { home: () => string; now: () => number }) {
    this.#deps = deps;
  }

  /** Judges a navigation or a redirect of the window itself. @param at is where it is @param to is where it is led */
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
   * Returns whether the window may go there.
   * @param entrances are the authorization endpoints, as the server names them just now
   */
  depart(to: string, entrances: readonly string[]): boolean {
    const entrance = entrances.map(parsed).find((each) => each && isSafe(each) && samePlace(each, parsed(to)));
    if (!entrance) return false;
    this.#trip = { origin: entrance.origin, until: this.#deps.now() + TRIP_MS };
    return true;
  }

  /**
   * Says that it is at the provider, and its time is not over. Whoever is neither there nor at home is to be brought
   * home.
   */
  get isAway(): boolean {
    return this.#trip !== undefined && this.#deps.now() < this.#trip.until;
  }
}

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/** Says that passwords may go there. A provider on this very machine may do without encryption. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));

const samePlace = (entrance: URL, to: URL | undefined): boolean =>
  to !== undefined && isOf(entrance.origin, to.href) && to.pathname === entrance.pathname;

/** Says that whoever is led there is led back here, as our sign-in page builds it. */
const returnsTo = (home: string, to: string): boolean => {
  const back = parsed(to)?.searchParams.get('redirect_uri');
  return back != null && isOf(home, back.endsWith('/') ? back : `${back}/`);
};
