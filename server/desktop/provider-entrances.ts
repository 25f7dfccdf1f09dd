/** Fetches the addresses of sign-in providers from the server, at the moment when a person wants to sign in there. */
import { z } from 'zod';

const ANSWER_MS = 3_000;
const Entrances = z.object({
  providerAAuthorizationEndpoint: z.string().nullable(),
  providerBAuthorizationEndpoint: z.string().nullable(),
});

export const entrancesOf = async (origin: string): Promise<readonly string[]> => {
  try {
    const answer = await fetch(`${origin}/api/auth/config`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    });
    const { providerAAuthorizationEndpoint: a, providerBAuthorizationEndpoint: b } = Entrances.parse(
      await answer.json(),
    );
    return [a, b].filter((each) => each !== null);
  } catch {
    return [];
  }
};
