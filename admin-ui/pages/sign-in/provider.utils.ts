/** Redirect to a sign-in provider and back (OpenID Connect Core 3.2: implicit flow). */
import { z } from 'zod';
import type { ProviderAnswer } from '../../api/session/providerAnswer.ts';

export type Which = 'a' | 'b';

/** The sent request. It is stored in this tab until the user comes back, and contains no secret of the provider. */
const Departure = z.object({
  which: z.enum(['a', 'b']),
  state: z.string(),
  nonce: z.string(),
  next: z.string().optional(),
  at: z.number(),
});
export type Departure = z.infer<typeof Departure>;

/** Milliseconds after which a stored request expires. Users who need longer at the provider have to begin again. */
const PATIENCE_MS = 30 * 60_000;

export const departureIn = (stored: string | null, now: number): Departure | undefined => {
  try {
    const { success, data } = Departure.safeParse(JSON.parse(stored ?? 'null'));
    return success && now - data.at < PATIENCE_MS ? data : undefined;
  } catch {
    return undefined;
  }
};

export const addressAt = (
  endpoint: string,
  clientId: string,
  origin: string,
  { which, state, nonce }: Departure,
): string => {
  const url = new URL(endpoint);
  const asked = {
    client_id: clientId,
    // The response type `token` alone is not OpenID Connect: nothing in the answer would contain the nonce.
    response_type: which === 'a' ? 'id_token' : 'id_token token',
    response_mode: 'fragment',
    scope: 'openid email profile',
    redirect_uri: `${origin}/`,
    state,
    nonce,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
};

export type Verdict =
  | { readonly is: 'token'; readonly which: Which; readonly token: string }
  | { readonly is: 'unexpected' | 'denied' | 'failed' };

/** Returns whether the answer belongs to the request of this tab. The server verifies the token itself. */
export const judge = (answer: ProviderAnswer, departure: Departure | undefined): Verdict => {
  if (!departure || answer.state !== departure.state) return { is: 'unexpected' };
  if (answer.error) return { is: answer.error === 'access_denied' ? 'denied' : 'failed' };
  const { which } = departure;
  const token = which === 'a' ? answer.idToken : answer.accessToken;
  if (!token || !answer.idToken) return { is: 'failed' };
  if (nonceOf(answer.idToken) !== departure.nonce) return { is: 'unexpected' };
  return { is: 'token', which, token };
};

const nonceOf = (idToken: string): unknown => {
  try {
    const claims = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { nonce?: unknown }).nonce;
  } catch {
    return undefined;
  }
};
