/**
 * Answer of a sign-in provider after sign-in. The answer is in the URL fragment, which never leaves the browser.
 * This file imports no library, since main.tsx needs it first.
 */

export interface ProviderAnswer {
  readonly idToken: string | null;
  readonly accessToken: string | null;
  readonly state: string | null;
  /** OAuth error code (RFC 6749 4.2.2.1). */
  readonly error: string | null;
}

/**
 * Returns the provider's answer in a URL fragment. Returns undefined for an address of the admin window (`#/…`) and
 * for any other text.
 */
export const providerAnswerIn = (hash: string): ProviderAnswer | undefined => {
  if (!hash.startsWith('#') || hash.startsWith('#/')) return undefined;
  const said = new URLSearchParams(hash.slice(1));
  const one = (name: string) => said.get(name) || null;
  const answer = {
    idToken: one('id_token'),
    accessToken: one('access_token'),
    state: one('state'),
    error: one('error'),
  };
  return answer.idToken || answer.accessToken || answer.error ? answer : undefined;
};

let held: ProviderAnswer | undefined;

/**
 * Stores the provider's answer, and removes the token from the address and the browser history before other code
 * reads them.
 */
export const captureProviderAnswer = (): void => {
  held = providerAnswerIn(location.hash);
  if (held) history.replaceState(null, '', `${location.pathname}#/sign-in`);
};

export const isProviderAnswerHeld = (): boolean => held !== undefined;

/** Returns the provider's answer once; undefined on later calls. */
export const readProviderAnswer = (): ProviderAnswer | undefined => {
  const answer = held;
  held = undefined;
  return answer;
};
