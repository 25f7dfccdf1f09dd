/**
 * Stores which display belongs to which screen, in a small file next to the data folders: two copies, written
 * atomically.
 */
import { z } from 'zod';
import { readDocument } from '../core/files/documents.ts';
import type { Documents, Log, Time } from '../core/ports.ts';
import { asTheyStand, chooseScreens, Seat, seatDisplays, type Wanted } from './displays.ts';
import type { Display, Displays } from './machine.ts';

const NAME = 'displays';
/** Time limit in milliseconds for reading the file. */
const READ_LIMIT_MS = 5_000;
/** Delay before an unknown display becomes a screen, because it may not have reported its data yet. */
const NEW_AFTER_MS = 10_000;

const Kept = z.object({ seats: z.array(Seat) });

interface Deps {
  readonly documents: Documents;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Log;
  /** Number of screens that already have a data folder. */
  readonly folders: number;
}

export class Seats {
  readonly #deps: Deps;
  #known: readonly Seat[];
  /**
   * False while there is no file. Displays are then assigned by position, and saved once as many displays as folders
   * are present. Otherwise a TV that is off at the first run of this version would lose its screen permanently.
   */
  #isSure: boolean;
  #written = '';
  /**
   * The last decision: for each screen, the index of its display among the connected displays. `text` undefined: the
   * next check decides again.
   */
  #last: { readonly text: string | undefined; readonly places: ReadonlyMap<number, number> } = {
    text: undefined,
    places: new Map(),
  };
  /** Time at which each unknown display was first found. */
  #newcomers = new Map<string, number>();

  private constructor(deps: Deps, kept: readonly Seat[] | undefined) {
    this.#deps = deps;
    this.#known = kept ?? [];
    this.#isSure = kept !== undefined;
    this.#written = kept ? JSON.stringify({ seats: kept }) : '';
  }

  /** Opens the file with the assignments. If the file is damaged or unreadable, no assignments are known. */
  static async open(deps: Deps): Promise<Seats> {
    const kept = await Promise.race([
      readDocument(deps, NAME, Kept).catch(
        (error: unknown) => void deps.log.warn('which display is which screen could not be read', error),
      ),
      new Promise<undefined>((late) => deps.time.after(READ_LIMIT_MS, () => late(undefined))),
    ]);
    return new Seats(deps, kept?.seats.length ? kept.seats : undefined);
  }

  /** Returns the display of each screen, by the number of the screen; undefined: the display is missing. */
  choose({ all, primary }: Displays, wanted: Wanted): ReadonlyMap<number, Display | undefined> {
    const standing = asTheyStand(
      all.filter(({ bounds }) => bounds.width > 0 && bounds.height > 0),
      primary,
    );
    if (!this.#isSure && standing.length > 0 && standing.length >= this.#deps.folders) {
      this.#known = [];
      this.#isSure = true;
    }
    // Decides again only when the displays change, so that similar displays are not swapped at each check.
    const text = standing.map(keyOf).join();
    if (text !== this.#last.text) {
      const displays = this.#withoutNewcomers(standing);
      const { places, remembered } = seatDisplays(this.#known, displays);
      this.#known = remembered;
      this.#last = {
        text: displays.length === standing.length ? text : undefined,
        places: new Map([...places].map(([place, display]) => [place, standing.indexOf(display)])),
      };
    }
    this.#keep();
    const places = new Map([...this.#last.places].map(([place, at]) => [place, standing[at]!]));
    return chooseScreens({ places, remembered: this.#known }, standing[0], wanted);
  }

  #withoutNewcomers(displays: readonly Display[]): Display[] {
    const { places } = seatDisplays(this.#known, displays);
    const isNew = new Set(
      [...places]
        .filter(([place]) => this.#known.length > 0 && !this.#known.some((seat) => seat.place === place))
        .map(([, display]) => display),
    );
    const now = this.#deps.time.mono();
    this.#newcomers = new Map(
      [...isNew].map((display) => [keyOf(display), this.#newcomers.get(keyOf(display)) ?? now]),
    );
    return displays.filter(
      (display) => !isNew.has(display) || now - this.#newcomers.get(keyOf(display))! >= NEW_AFTER_MS,
    );
  }

  #keep(): void {
    const text = JSON.stringify({ seats: this.#known });
    if (!this.#isSure || text === this.#written) return;
    this.#written = text;
    this.#deps.documents.write(NAME, text).catch((error) => {
      this.#written = '';
      this.#deps.log.warn('which display is which screen could not be kept', error);
    });
  }
}

const keyOf = ({ id, label, bounds }: Display): string => `${id} ${label} ${bounds.x} ${bounds.y}`;
