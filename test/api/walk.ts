/** Calls every endpoint on one store that all tests of a file share. All problems are reported at once. */
import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import type { Answer } from '../people.ts';
import { type Store, startStore } from './site.ts';

export interface Walk {
  readonly store: Store;
  readonly endpoints: readonly Endpoint[];
  /**
   * Sends a request to each endpoint that `among` accepts. Fails with a list of all problems that `fault` and
   * {@link brokenAnswer} find.
   */
  each(
    among: (endpoint: Endpoint) => boolean,
    sends: (endpoint: Endpoint) => Promise<Answer>,
    fault: (answer: Answer, endpoint: Endpoint) => string | false,
  ): Promise<void>;
}

/**
 * Returns whether the body is `{error}` with an optional machine-readable `code` and optional `params` of the message.
 */
export const isError = ({ body }: Pick<Answer, 'body'>): boolean =>
  typeof body?.error === 'string' &&
  body.error.length > 0 &&
  Object.keys(body).every((key) => key === 'error' || key === 'code' || key === 'params');
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
export const shown = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  `answered ${status} ${(JSON.stringify(body) ?? '').slice(0, 160)}`;

/**
 * Returns what is wrong with an answer whatever the request was (status 500 or above, an error of another form than
 * {@link isError}); false if nothing is.
 */
export const brokenAnswer = (answer: Answer): string | false => {
  if (answer.status >= 500) return 'a fault of the server';
  if (answer.status >= 400 && !isError(answer)) return 'no {error}';
  return false;
};

/** Opens a store that exists until all tests of the file have ended. */
export const openWalk = (): Walk => {
  const ends: (() => unknown)[] = [];
  let store: Store | undefined;
  before(async () => {
    store = await startStore({ after: (end: () => unknown) => ends.push(end) } as unknown as TestContext);
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const walk: Walk = {
    get store() {
      if (!store) throw new Error('the store is not open');
      return store;
    },
    get endpoints() {
      return walk.store.site.app.endpoints;
    },
    each: async (among, sends, fault) => {
      const chosen = walk.endpoints.filter(among);
      assert.ok(chosen.length > 0, 'nothing to walk');
      const problems: string[] = [];
      for (const endpoint of chosen) {
        const answer = await sends(endpoint);
        const found = brokenAnswer(answer) || fault(answer, endpoint);
        if (found) problems.push(`${nameOf(endpoint)}: ${found}; ${shown(answer)}`);
      }
      assert.deepEqual(problems, []);
    },
  };
  return walk;
};
