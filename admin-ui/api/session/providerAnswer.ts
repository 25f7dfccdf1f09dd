/**
 * The answer of an identity provider: in the URL fragment, which never leaves the browser. Uses no library (main.tsx).
 */

export interface ProviderAnswer {
  readonly idToken: string | null;
  readonly accessToken: string | null;
  readonly state: string | null;
  /** OAuth error code (RFC 6749 4.2.2.1). */
  readonly error: string | null;
}

/** Returns undefined for an address of the window (`#/…`), and for anything else that is not a provider's answer. */
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

/** Removes the token from the address and the history before other code reads them. */
export const captureProviderAnswer = (): void => {
  held = providerAnswerIn(location.hash);
  if (held) history.replaceState(null, '', `${location.pathname}#/sign-in`);
};

export const isProviderAnswerHeld = (): boolean => held !== undefined;

/** Returns the answer once. */
export const readProviderAnswer = (): ProviderAnswer | undefined => {
  const answer = held;
  held = undefined;
  return answer;
};
