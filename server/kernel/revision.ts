import { stale } from '../../shared/contract/errors.ts';

/**
 * Throws 412 unless the client sent no If-Match, `*`, or (among others) the record's present revision.
 * @param revision undefined: there is no such record yet
 * @param what the record in the sentence: `The playlist`
 */
export const checkRevision = (ifMatch: string | undefined, revision: number | undefined, what: string): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (revision === undefined || !tags.includes(`"${revision}"`)) throw stale(what);
};

/** A record with the revision that becomes its ETag. */
export interface Versioned<T> {
  readonly record: T;
  readonly revision: number;
}
