/**
 * Measures how well the panels of a video wall agree, from outside, by the clock of the one machine that runs all
 * panels. The clocks and timelines of Vitrine are not used.
 */
import { type InStep, inStep, type Picture, type Stretch, stretchesOf } from '../../shared/protocol/wall/in-step.ts';

/** Reports of the browser of one panel. All times are epoch milliseconds. */
export interface Seen {
  /** Frames of the visible clip: the time of presentation, and the time in the clip. */
  readonly frames: readonly { readonly at: number; readonly media: number; readonly clip: string }[];
  /**
   * New items: when the browser had presented the first frame of the item (in steps of 4 ms), and when this frame
   * began.
   */
  readonly changes: readonly { readonly at: number; readonly began: number; readonly item: string }[];
}

export interface WallFigures {
  /** Milliseconds between the first and the last panel that shows a new still; ascending. */
  readonly stills: readonly number[];
  /** Figures of the clip; null if no clip was visible. */
  readonly clip: InStep | null;
}

/**
 * Longest time in milliseconds between two frames of a clip. After a longer time without a frame, the clip has ended or
 * changed.
 */
const GAP_MS = 500;
/**
 * Longest time in milliseconds between the panels' reports of one and the same still. Reports further apart belong to
 * different turns of the still.
 */
const SAME_TURN_MS = 1_500;

export const rank = (ascending: readonly number[], p: number): number =>
  ascending[Math.max(0, Math.ceil(p * ascending.length) - 1)] ?? Number.NaN;

/** @param clipMs length of the clip, which loops */
export const figuresOf = (seen: readonly Seen[], clipMs: number): WallFigures => {
  const clips = new Set(seen.flatMap(({ frames }) => frames.map(({ clip }) => clip)));
  return { stills: stillsOf(seen, clips), clip: inStep(clipOf(seen, clipMs)) };
};

function stillsOf(seen: readonly Seen[], clips: ReadonlySet<string>): number[] {
  const all = seen.map(({ changes }) => changes.filter(({ item }) => !clips.has(item)));
  const found = (all[0] ?? []).flatMap((one) => {
    const mates = all.map(
      (changes) =>
        changes.find(({ item, began }) => item === one.item && Math.abs(began - one.began) < SAME_TURN_MS)?.at,
    );
    return mates.every((at) => at !== undefined) ? [Math.max(...mates) - Math.min(...mates)] : [];
  });
  return found.sort((a, b) => a - b);
}

function clipOf(seen: readonly Seen[], clipMs: number): Stretch[] {
  const first = Math.min(...seen.flatMap(({ frames }) => frames.map(({ at, media }) => at - media)));
  const panels = seen.map(({ frames }) =>
    frames
      .map(
        ({ at, media }): Picture => ({
          at,
          meant: first + media + Math.round((at - media - first) / clipMs) * clipMs,
          moves: true,
        }),
      )
      .sort((a, b) => a.at - b.at),
  );
  return showings(panels[0] ?? []).flatMap(([from, to]) => {
    const within = panels.map((pictures) => pictures.filter(({ at }) => at > from - GAP_MS && at < to + GAP_MS));
    // Only times at which all panels show the clip are counted.
    const end = Math.min(to, ...within.map((pictures) => pictures.at(-1)?.at ?? -Infinity));
    return stretchesOf(within, from, end);
  });
}

/** First and last frame of each showing of the clip. */
function showings(pictures: readonly Picture[]): [number, number][] {
  const found: [number, number][] = [];
  for (const { at } of pictures) {
    const last = found.at(-1);
    if (last && at - last[1] < GAP_MS) last[1] = at;
    else found.push([at, at]);
  }
  return found;
}
