/** Which display is which screen, kept in a small file beside the data folders: twice, and written whole. */
import { z } from 'zod';
import { readDocument } from '../core/documents.ts';
import type { Documents, Log, Time } from '../core/ports.ts';
import { asTheyStand, chooseScreens, Seat, seatDisplays, type Wanted } from './displays.ts';
import type { Display, Displays } from './machine.ts';

const NAME = 'displays';
/** A disk that does not answer for so long is not waited for. */
const READ_LIMIT_MS = 5_000;
/** A display that nobody knows may be one that has not yet said what it is. */
const NEW_AFTER_MS = 10_000;

const Kept = z.object({ seats: z.array(Seat) });

interface Deps {
  readonly documents: Documents;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Log;
  /** How many screens have a data folder here already. */
  readonly folders: number;
}

export class Seats {
  readonly #deps: Deps;
  #known: readonly Seat[];
  /**
   * False: there is no file. Which display is which follows from where they stand then, and is kept once as many are
   * there as there are folders: a TV that is off when this version runs for the first time would otherwise lose its
   * screen to another for ever.
   */
  #isSure: boolean;
  #written = '';
  /**
   * Where each screen's display stands among those that were there; undefined: it may be otherwise at the next look.
   */
  #last: { readonly text: string | undefined; readonly places: ReadonlyMap<number, number> } = {
    text: undefined,
    places: new Map(),
  };
  /** Since when those are there that nobody knows. */
  #newcomers = new Map<string, number>();

  private constructor(deps: Deps, kept: readonly Seat[] | undefined) {
    this.#deps = deps;
    this.#known = kept ?? [];
    this.#isSure = kept !== undefined;
    this.#written = kept ? JSON.stringify({ seats: kept }) : '';
  }

  /** Of a file that is damaged, or cannot be read, nothing is taken. */
  static async open(deps: Deps): Promise<Seats> {
    const kept = await Promise.race([
      readDocument(deps, NAME, Kept).catch(
        (error: unknown) => void deps.log.warn('which display is which screen could not be read', error),
      ),
      new Promise<undefined>((late) => deps.time.after(READ_LIMIT_MS, () => late(undefined))),
    ]);
    return new Seats(deps, kept?.seats.length ? kept.seats : undefined);
  }

  /** Screens by place; undefined: its display is not there. */
  choose({ all, primary }: Displays, wanted: Wanted): ReadonlyMap<number, Display | undefined> {
    const standing = asTheyStand(
      all.filter(({ bounds }) => bounds.width > 0 && bounds.height > 0),
      primary,
    );
    if (!this.#isSure && standing.length > 0 && standing.length >= this.#deps.folders) {
      this.#known = [];
      this.#isSure = true;
    }
    // Decided anew only when the displays change, so that similar ones are not swapped at each look.
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
