import type { PlaylistItem } from '../../../../shared/contract/content/playlists.ts';

let nextDraft = -1;

/** Maps the server's item numbers to the temporary ones and back, so that an item keeps its identity on the page. */
export class ItemNumbers {
  readonly #numbers = new Map<number, number>();
  readonly #drafts = new Map<number, number>();

  /** Returns a temporary number for an item that the server does not know yet. */
  draft(): number {
    return nextDraft--;
  }

  /** Stores the server's number of an item with a temporary number. */
  learn(draft: number, number: number): void {
    this.#numbers.set(draft, number);
    this.#drafts.set(number, draft);
  }

  /** Returns the server's number of a drawn item. */
  numberOf = (drawn: number): number => this.#numbers.get(drawn) ?? drawn;

  /** Returns the number that an item had first on this page. */
  keyOf = (item: PlaylistItem): number => this.#drafts.get(item.id) ?? item.id;
}
