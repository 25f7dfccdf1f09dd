/** Which displays of this computer are screens, and where each keeps what it has. */

export interface KnownDisplay {
  readonly id: number;
  readonly bounds: { readonly x: number; readonly y: number };
}

export interface ChosenDisplay<D> {
  readonly display: D;
  /** Its place: 1 is the first. */
  readonly place: number;
  readonly data: string;
}

/** `all`, `primary`, or places counted from 1: `1,3`. Undefined: it says nothing of the kind. */
export const displaysWanted = (text: string | undefined): 'all' | 'primary' | readonly number[] | undefined => {
  if (text === 'all' || text === 'primary') return text;
  if (!text || !/^[1-9]\d?(,[1-9]\d?)*$/.test(text)) return undefined;
  return [...new Set(text.split(',').map(Number))];
};

/**
 * Displays are counted as they stand, the primary one first, then from left to right and from top to bottom: their own ids change
 * with drivers and sockets, and with the id a screen would lose who it is. The first keeps its data in `data` itself.
 * @param wanted beyond what there is, it is left out; of none that is there, the primary one
 */
export const chooseDisplays = <D extends KnownDisplay>(
  displays: readonly D[],
  primaryId: number,
  wanted: 'all' | 'primary' | readonly number[],
  data: string,
): ChosenDisplay<D>[] => {
  const rank = (display: D) => (display.id === primaryId ? 0 : 1);
  const ordered = displays.toSorted((a, b) => rank(a) - rank(b) || a.bounds.x - b.bounds.x || a.bounds.y - b.bounds.y);
  const all = ordered.map((display, i) => ({ display, place: i + 1, data: i === 0 ? data : `${data}-${i + 1}` }));
  const chosen = wanted === 'all' ? all : wanted === 'primary' ? all.slice(0, 1) : all.filter(({ place }) => wanted.includes(place));
  return chosen.length > 0 ? chosen : all.slice(0, 1);
};
