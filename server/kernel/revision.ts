import { stale } from '../../shared/contract/errors.ts';

/**
 * Checks the header If-Match: absent, `*`, or a list with the record's current revision.
 * @param revision undefined when
 * the record does not exist yet
 * @param what names the record in the error: `The playlist`
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
