/**
 * Assigns the displays of this computer to screens. A screen has a number (its place: 1, 2, 3 …) and a data folder. Its
 * displays are remembered, because the positions of displays change whenever a TV goes off or on. The values that
 * Electron reports for a display are not stable on any system. `id`: on Windows derived from model and output, or a
 * counter in Electron 31 and later (electron#43355); on X11 derived from model and output, or from the output alone if
 * the TV does not identify itself; several displays may share an id (electron#10112, #20779); on macOS sometimes new
 * after a reboot; -1: not known yet. `label`: usually the model. Therefore id and label together are matched first, and
 * each alone only if the match is unique. Equal TVs with swapped cables cannot be distinguished: the outputs decide.
 */
import { z } from 'zod';
import type { Display } from './machine.ts';

/** A display as Electron reports it. */
export const Seen = z.object({
  id: z.number(),
  label: z.string(),
  internal: z.boolean(),
  x: z.number(),
  y: z.number(),
});
export type Seen = z.infer<typeof Seen>;

/** A screen of this computer and the displays that it has used. */
export const Seat = z.object({
  place: z.number().int().min(1),
  /**
   * Displays of the screen. The first is the screen's own display. The other displays replaced it while it was gone.
   */
  displays: z.array(Seen).min(1),
});
export type Seat = z.infer<typeof Seat>;

export type Wanted = 'all' | 'primary' | 'others' | readonly number[];

/**
 * Parses `all`, `primary`, `others` (all but the first), or a list of screen numbers from 1: `1,3`. Undefined: invalid.
 */
export const displaysWanted = (text: string | undefined): Wanted | undefined => {
  if (text === 'all' || text === 'primary' || text === 'others') return text;
  if (!text || !/^[1-9]\d?(,[1-9]\d?)*$/.test(text)) return undefined;
  return [...new Set(text.split(',').map(Number))];
};

/** Returns the data folder of a screen. The first screen uses `data` itself. */
export const folderOf = (data: string, place: number): string => (place === 1 ? data : `${data}-${place}`);

const STAND_INS_KEPT = 3;

const seen = ({ id, label, internal, bounds: { x, y } }: Display): Seen => ({ id, label, internal, x, y });
const hasId = ({ id }: Seen): boolean => id !== -1;
const isSameId = (a: Seen, b: Seen): boolean => hasId(a) && a.id === b.id;
const isSameModel = (a: Seen, b: Seen): boolean => a.label !== '' && a.label === b.label && a.internal === b.internal;
const standsSame = (a: Seen, b: Seen): boolean => a.x === b.x && a.y === b.y;
/**
 * Returns whether two reports are about the same display: id and label are equal, or, for displays without id and
 * label, the position.
 */
const isSame = (a: Seen, b: Seen): boolean =>
  a.id === b.id && a.label === b.label && (hasId(a) || a.label !== '' || standsSame(a, b));

/**
 * Returns the primary display first, then the others from left to right and from top to bottom. Mirrored displays count
 * once.
 */
export const asTheyStand = <D extends Display>(displays: readonly D[], primary: Display | undefined): D[] => {
  const rank = (display: D) =>
    primary && display.id === primary.id && standsSame(seen(display), seen(primary)) ? 0 : 1;
  const ordered = displays.toSorted((a, b) => rank(a) - rank(b) || a.bounds.x - b.bounds.x || a.bounds.y - b.bounds.y);
  return ordered.filter((display, i) => ordered.findIndex((other) => standsSame(seen(other), seen(display))) === i);
};

type Fits = (a: Seen, b: Seen) => boolean;
const here =
  (fits: Fits): Fits =>
  (a, b) =>
    fits(a, b) && standsSame(a, b);
const NAMED = [here(isSame), isSame, here(isSameModel), isSameModel];
/**
 * Criteria for a match, the surest first. Same model only: the display was moved to another output. Same id only:
 * another model is at the same output. A returning display gets its own screen back, even if another display replaced
 * it.
 */
const SIGNS: readonly { readonly of: 'own' | 'any'; readonly fits: Fits }[] = [
  ...NAMED.map((fits) => ({ of: 'own' as const, fits })),
  ...NAMED.map((fits) => ({ of: 'any' as const, fits })),
  { of: 'own', fits: isSameId },
  { of: 'any', fits: isSameId },
];

/** Assigns a screen to each display. */
class Seating<D extends Display> {
  readonly #displays: readonly D[];
  readonly #free: Set<Seat>;
  readonly #left: Set<D>;
  /** The assigned screen of each display. */
  readonly seats = new Map<D, Seat>();

  constructor(known: readonly Seat[], displays: readonly D[]) {
    this.#displays = displays;
    this.#free = new Set(known.toSorted((a, b) => a.place - b.place));
    this.#left = new Set(displays);
    // After each match fewer displays are left, so the surest criterion is tried again.
    while (
      SIGNS.some(({ of, fits }) =>
        this.#match((seat, display) =>
          (of === 'own' ? seat.displays.slice(0, 1) : seat.displays).some((each) => fits(each, seen(display))),
        ),
      )
    );
    // Displays that cannot be distinguished are assigned in order. Otherwise each check would add a new screen.
    for (const display of this.#left)
      this.#takeFirst(display, ({ displays }) => displays.some((each) => isSame(each, seen(display))));
    this.#standIn(known.length);
    this.#addNew(known);
  }

  #take(display: D, seat: Seat): void {
    this.seats.set(display, seat);
    this.#free.delete(seat);
    this.#left.delete(display);
  }

  /** Accepts only pairs that are unique on both sides. @returns true if a pair was found */
  #match(fits: (seat: Seat, display: D) => boolean): boolean {
    const pairs = [...this.#left].flatMap((display) =>
      [...this.#free].filter((seat) => fits(seat, display)).map((seat) => ({ display, seat })),
    );
    const sure = pairs.filter(
      ({ display, seat }) => pairs.filter((pair) => pair.display === display || pair.seat === seat).length === 1,
    );
    for (const { display, seat } of sure) this.#take(display, seat);
    return sure.length > 0;
  }

  /**
   * Assigns an unknown display to the screen of a missing display only if the unknown display clearly replaces it:
   * there are as many displays as before, at the same position. If no display is known, screens are assigned as at the
   * first start: after a change of the graphics card, and for the dummy display that Windows creates while all TVs are
   * off (electron#41372).
   */
  #standIn(known: number): void {
    if (this.seats.size > 0 && this.#displays.length < known) return;
    if (this.seats.size > 0) this.#match((seat, display) => standsSame(seat.displays[0]!, seen(display)));
    else for (const display of this.#left) this.#takeFirst(display);
  }

  #takeFirst(display: D, isRight: (seat: Seat) => boolean = () => true): void {
    const seat = [...this.#free].find(isRight);
    if (seat) this.#take(display, seat);
  }

  #addNew(known: readonly Seat[]): void {
    const used = new Set(known.map(({ place }) => place));
    for (const display of this.#left) {
      const standing = this.#displays.indexOf(display) + 1;
      let place = standing;
      for (let next = 1; used.has(place); next++) place = next;
      used.add(place);
      this.#take(display, { place, displays: [seen(display)] });
    }
  }

  /**
   * Returns the assignments to remember. Positions are updated only while all displays are present, because a single
   * display always stands first.
   */
  remembered(known: readonly Seat[]): Seat[] {
    const taken = [...this.seats].map(([display, seat]): Seat => {
      const now = seen(display);
      // The earlier entry of the screen stays, because a display that was matched by its model alone may be a different
      // display.
      const at = seat.displays.findIndex((each) => isSame(each, now));
      const before = at >= 0 ? seat.displays[at]! : now;
      const entry = this.#free.size > 0 ? { ...now, x: before.x, y: before.y } : now;
      const [own, ...others] = at >= 0 ? seat.displays.with(at, entry) : [...seat.displays, entry];
      return { place: seat.place, displays: [own!, ...others.slice(-STAND_INS_KEPT)] };
    });
    return [...known.filter((seat) => this.#free.has(seat)), ...taken].toSorted((a, b) => a.place - b.place);
  }
}

export interface Seated<D> {
  /** The present display of each screen, by the number of the screen. */
  readonly places: ReadonlyMap<number, D>;
  readonly remembered: readonly Seat[];
}

/** @param displays in order of position */
export const seatDisplays = <D extends Display>(known: readonly Seat[], displays: readonly D[]): Seated<D> => {
  const seating = new Seating(known, displays);
  return {
    places: new Map([...seating.seats].map(([display, { place }]) => [place, display])),
    remembered: seating.remembered(known),
  };
};

/**
 * Returns the screens to show, with their displays if present. Unknown screen numbers show nothing. If no requested
 * screen is known, the first screen is shown on the primary display, so that not everything is dark.
 */
export const chooseScreens = <D extends Display>(
  { places, remembered }: Seated<D>,
  primary: D | undefined,
  wanted: Wanted,
): ReadonlyMap<number, D | undefined> => {
  const known = remembered.map(({ place }) => place);
  const asked =
    wanted === 'all'
      ? known
      : wanted === 'others'
        ? known.filter((place) => place !== 1)
        : wanted === 'primary'
          ? []
          : known.filter((place) => wanted.includes(place));
  if (asked.length === 0) return new Map([[1, primary]]);
  return new Map(asked.map((place) => [place, places.get(place)]));
};
