/** Stores the screen's size in pixels and its touch support, because hello is sent before the page has loaded. */
import { z } from 'zod';
import { readDocument } from './files/documents.ts';
import type { Host, Undo } from './ports.ts';

const NAME = 'screen';
const Size = z.object({
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
  touch: z.boolean().default(false),
});
type Size = z.infer<typeof Size>;

type Deps = Pick<Host, 'documents' | 'log' | 'time'>;

export class ScreenSize {
  readonly #deps: Deps;
  #size: Size | undefined;
  #waiting: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#size = await readDocument(this.#deps, NAME, Size);
  }

  /** Returns the size of the screen; 0 × 0 while the size is unknown. */
  get(): Size {
    return this.#size ?? { width: 0, height: 0, touch: false };
  }

  set({ width, height, touch }: Size): void {
    if (this.#size?.width === width && this.#size.height === height && this.#size.touch === touch) return;
    this.#size = { width, height, touch };
    this.#waiting?.();
    void this.#deps.documents
      .write(NAME, JSON.stringify(this.#size))
      .catch((error) => this.#deps.log.warn('the screen size could not be saved', error));
  }

  /** Calls `run` once: at once if the size is known, otherwise when it becomes known or after `most` milliseconds. */
  whenKnown(most: number, run: () => void): Undo {
    if (this.#size || most === 0) {
      run();
      return () => {};
    }
    const cancel = this.#deps.time.after(most, () => this.#waiting?.());
    this.#waiting = () => {
      cancel();
      this.#waiting = undefined;
      run();
    };
    return () => {
      cancel();
      this.#waiting = undefined;
    };
  }
}
