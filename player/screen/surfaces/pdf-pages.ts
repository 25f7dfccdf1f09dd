/**
 * Which page of a document is on: the pages share the turn equally, so that screens with one clock turn them together.
 * Pure.
 */
import type { Cue } from '../../../shared/program/program.ts';

/** Times are the server's clock, epoch milliseconds. */
type Turn = Pick<Cue, 'since' | 'until'>;

/** Counts from 0. Before and after the turn: its first and its last page. */
export function pageAt({ since, until }: Turn, pages: number, at: number): number {
  const page = Math.floor(((at - since) / (until - since)) * pages);
  return Math.min(pages - 1, Math.max(0, page));
}

/**
 * What comes after the page of this instant, and when; null: nothing that is known yet. `then`: the document once more,
 * right after.
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
