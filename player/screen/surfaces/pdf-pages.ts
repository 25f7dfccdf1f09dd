/**
 * Computes the visible page of a document. The pages share the play equally, so that screens with one clock change
 * pages together. Pure.
 */
import type { Cue } from '../../../shared/program/program.ts';

/** Start and end of a play, in epoch milliseconds of the server clock. */
type Turn = Pick<Cue, 'since' | 'until'>;

/**
 * Returns the index of the page at an instant, from 0. Before the play: the first page; after the play: the last page.
 */
export function pageAt({ since, until }: Turn, pages: number, at: number): number {
  const page = Math.floor(((at - since) / (until - since)) * pages);
  return Math.min(pages - 1, Math.max(0, page));
}

/**
 * Returns the page after the page of this instant, and the start of that page; null: not known yet.
 * @param then the same document again, if it follows immediately
 */
export function pageAfter(
  turn: Turn,
  then: Turn | null,
  pages: number,
  at: number,
): { readonly page: number; readonly at: number } | null {
  const page = pageAt(turn, pages, at) + 1;
  if (page < pages) return { page, at: turn.since + ((turn.until - turn.since) * page) / pages };
  return then && { page: 0, at: then.since };
}
