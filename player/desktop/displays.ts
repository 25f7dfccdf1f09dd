/**
 * Which displays of this computer are screens, and which screen each is. A screen has a place (1, 2, 3 …) and with it a
 * data folder; its displays are remembered, since a place follows from where a display stands, and where it stands
 * changes with each TV that goes off and on.
 *
 * What Electron tells of a display does not last on any system. `id`: on Windows of the model and its socket, and
 * otherwise counted in Electron 31 and later (electron#43355); on X11 of the model and its output, and of the output
 * alone where the TV does not say what it is; several may share one (electron#10112, #20779); on macOS new with a
 * reboot now and then; -1: not known yet. `label` is the model, mostly. So each alone is believed where it leaves no
 * choice, and both together first. Equal TVs whose cables are swapped cannot be told apart by anything: the sockets
 * decide.
 */
import { z } from 'zod';
import type { Display } from './machine.ts';

/** A display as it was seen. */
export const Seen = z.object({
  id: z.number(),
  label: z.string(),
  internal: z.boolean(),
  x: z.number(),
  y: z.number(),
});
export type Seen = z.infer<typeof Seen>;

/** A screen of this computer. */
export const Seat = z.object({
  place: z.number().int().min(1),
  /** The first is its own; others stood in for it while it was gone. */
  displays: z.array(Seen).min(1),
});
export type Seat = z.infer<typeof Seat>;

export type Wanted = 'all' | 'primary' | 'others' | readonly number[];

/**
 * `all`, `primary`, `others` (than the first), or places counted from 1: `1,3`. Undefined: it says nothing of the kind.
 */
export const displaysWanted = (text: string | undefined): Wanted | undefined => {
  if (text === 'all' || text === 'primary' || text === 'others') return text;
  if (!text || !/^[1-9]\d?(,[1-9]\d?)*$/.test(text)) return undefined;
  return [...new Set(text.split(',').map(Number))];
};

/** The first screen keeps its data in `data` itself. */
export const folderOf = (data: string, place: number): string => (place === 1 ? data : `${data}-${place}`);

const STAND_INS_KEPT = 3;

const seen = ({ id, label, internal, bounds: { x, y } }: Display): Seen => ({ id, label, internal, x, y });
const hasId = ({ id }: Seen): boolean => id !== -1;
const isSameId = (a: Seen, b: Seen): boolean => hasId(a) && a.id === b.id;
const isSameModel = (a: Seen, b: Seen): boolean => a.label !== '' && a.label === b.label && a.internal === b.internal;
const standsSame = (a: Seen, b: Seen): boolean => a.x === b.x && a.y === b.y;
/** Of what says nothing of itself, where it stands is all there is. */
const isSame = (a: Seen, b: Seen): boolean =>
  a.id === b.id && a.label === b.label && (hasId(a) || a.label !== '' || standsSame(a, b));

/**
 * The primary one first, then from left to right and from top to bottom. One that shows what another shows (mirrored)
 * is not another.
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
 * The surest first. A model alone: in another socket. An id alone: another model in the same. Whose own display comes
 * back gets its screen, whoever stood in for it.
 */
const SIGNS: readonly { readonly of: 'own' | 'any'; readonly fits: Fits }[] = [
  ...NAMED.map((fits) => ({ of: 'own' as const, fits })),
  ...NAMED.map((fits) => ({ of: 'any' as const, fits })),
  { of: 'own', fits: isSameId },
  { of: 'any', fits: isSameId },
];

/** Gives each display a screen. */
class Seating<D extends Display> {
  readonly #displays: readonly D[];
  readonly #free: Set<Seat>;
  readonly #left: Set<D>;
  /** What is found. */
  readonly seats = new Map<D, Seat>();

  constructor(known: readonly Seat[], displays: readonly D[]) {
    this.#displays = displays;
    this.#free = new Set(known.toSorted((a, b) => a.place - b.place));
    this.#left = new Set(displays);
    // What is found leaves less to choose from: then the surest sign may tell again.
    while (
      SIGNS.some(({ of, fits }) =>
        this.#match((seat, display) =>
          (of === 'own' ? seat.displays.slice(0, 1) : seat.displays).some((each) => fits(each, seen(display))),
        ),
      )
    );
    // What cannot be told apart is taken as it comes, rather than for one more with each look.
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

  /** Only what leaves no choice, on either side. @returns something was found */
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
   * A display that nobody knows has the screen of one that is gone only where it clearly stands for it: there are as
   * many displays as ever, and it stands where that one stood. Where none is there that is known, there is nothing to
   * compare with, and places count as they do at the first start: after a change of the graphics card, and for the
   * display that Windows makes up while all TVs are off (electron#41372).
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

  /** What is to be remembered. Where a display stands is said only while all are there: alone, each stands first. */
  remembered(known: readonly Seat[]): Seat[] {
    const taken = [...this.seats].map(([display, seat]): Seat => {
      const now = seen(display);
      // By its model alone it may be another one: what was there before is not forgotten.
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
  /** Display by place. */
  readonly places: ReadonlyMap<number, D>;
  readonly remembered: readonly Seat[];
}

/** @param displays as they stand */
export const seatDisplays = <D extends Display>(known: readonly Seat[], displays: readonly D[]): Seated<D> => {
  const seating = new Seating(known, displays);
  return {
    places: new Map([...seating.seats].map(([display, { place }]) => [place, display])),
    remembered: seating.remembered(known),
  };
};

/**
 * Which screens are to be shown, each with its display where that is there. Of what is asked for beyond what was ever
 * there, nothing is shown; of nothing that was ever there, the first screen on the primary display, so that not all is
 * dark.
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
