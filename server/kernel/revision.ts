import { stale } from '../../shared/contract/errors.ts';

/**
 * Checks that the client sent no If-Match, `*`, or (among others) the record's present revision.
 * @param revision is undefined when there is no such record yet
 * @param what names the record in the sentence: `The playlist`
 * @throws 412
 */
export const checkRevision = (ifMatch: string | undefined, revision: number | undefined, what: string): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (revision === undefined || !tags.includes(`"${revision}"`)) throw stale(what);
};

export interface Versioned<T> {
  readonly record: T;
  readonly revision: number;
}
