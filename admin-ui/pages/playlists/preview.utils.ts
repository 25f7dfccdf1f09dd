import type { Cue, Program, ProgramItem, ProgramLayout, Scene } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import { type Meeting, meetingAt, progressAt, transitionOf } from '../../../shared/program/transition.ts';

/**
 * Returns a program that contains only a draft, as if the draft had been published at `anchor` (epoch milliseconds).
 */
export const draftProgram = (
  playlist: { readonly id: string; readonly name: string; readonly items: readonly ProgramItem[] },
  layout: ProgramLayout | undefined,
  anchor: number,
): Program => ({
  format: 1,
  base: { layout_id: layout?.id ?? null, playlist_id: playlist.id, item: null, source: 'device' },
  fallback: null,
  layouts: layout ? [layout] : [],
  playlists: [{ id: playlist.id, name: playlist.name, anchor_ms: anchor, items: [...playlist.items] }],
  schedules: [],
  assets: [],
});

/** A transition between two items in a zone. */
export interface Change {
  readonly from: Cue;
  readonly meeting: Meeting;
}

/** Returns the transitions in progress, by zone id. @param start the first item has no transition */
export const changesAt = (
  { program, timezone, start }: { readonly program: Program; readonly timezone: string; readonly start: number },
  scene: Scene,
  at: number,
): ReadonlyMap<string, Change> =>
  new Map(
    scene.zones.flatMap(({ zone, cue }) => {
      const transition = cue && cue.since > start ? transitionOf(cue) : null;
      const progress = cue && transition ? progressAt(transition, cue.since, at) : 1;
      if (!cue || !transition || progress >= 1) return [];
      const before = resolve(program, timezone, cue.since - 1).zones.find((other) => other.zone.id === zone.id)?.cue;
      return before ? [[zone.id, { from: before, meeting: meetingAt(transition.kind, progress) }] as const] : [];
    }),
  );

/**
 * Returns the position in a clip after `elapsed` milliseconds of its play. A clip that is shorter than its play
 * repeats.
 */
export const clipPosition = (elapsed: number, mediaMs: number | null): number =>
  (mediaMs === null || mediaMs <= 0 ? elapsed : elapsed % mediaMs) / 1000;

/** Returns an instant by the clock of the browser as a value for a date-time field: `2026-03-10T09:00`. */
export const localText = (instant: number): string => {
  const d = new Date(instant);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`;
};
