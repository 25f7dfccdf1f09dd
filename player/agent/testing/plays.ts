/** Plays in the form of the journal and in the form of screen reports. */
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import type { OpenPlay } from '../../core/journal/journal.ts';

/** Returns a play that is visible for ten seconds from `started_at`. */
export const openPlay = (id: string, started_at = 1_000): OpenPlay => ({
  turn: id,
  id,
  item_id: 1,
  playlist_id: null,
  content_id: 'c',
  widget_id: null,
  zone_id: null,
  content_name: 'photo.jpg',
  boot_id: 'boot',
  uncertainty_ms: 1,
  started_at,
  planned_end: started_at + 10_000,
  alive_at: started_at,
});

export const journalRow = (seq: number, more: Partial<JournalRow> = {}): JournalRow => {
  const { turn: _t, planned_end: _p, alive_at: _a, ...kept } = openPlay(`play-${seq}`);
  return { ...kept, seq, prev: 'p', hash: `hash-${seq}`, ended_at: seq * 1_000, completed: true, ...more };
};

/** Returns the screen's report that a play of `ms` milliseconds became visible. The content is named like the play. */
export const shown = (turn: string, started_at: number, ms = 10_000, more: object = {}) => ({
  type: 'shown',
  turn,
  zone_id: 'full',
  item_id: null,
  playlist_id: null,
  content_id: null,
  widget_id: null,
  content_name: turn,
  started_at,
  late_ms: 0,
  planned_end: started_at + ms,
  ...more,
});

export const ended = (turn: string, ended_at: number) => ({ type: 'ended', turn, ended_at, completed: true });

export const ALIVE = { type: 'alive', width: 1920, height: 1080, frames: 1 };

/** Sends reports to this address, like the page at this address does. */
export const report = (url: string, reports: readonly object[], headers: Record<string, string> = {}) =>
  fetch(`${url}report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(reports),
  });
