/**
 * What an import has made so far, noted with each record in the transaction that makes it: one that was broken off (by
 * a crash, the end of the server, a client that went away) goes on where it ended when the same file is sent again, and
 * nothing is made twice.
 */
import type { Slices } from '../../kernel/slices.ts';
import type { ExchangeStore, MadeKind } from './exchange.store.ts';

/** How many notes are removed at once: a millisecond. */
const AT_ONCE = 200;

export interface Note {
  readonly id: string;
  /** Has, for a layout, the ids of its zones, in order. */
  readonly zones?: readonly string[];
}

export type Progress = Awaited<ReturnType<ImportProgress['begin']>>;

interface Deps {
  readonly store: ExchangeStore;
  readonly write: <T>(work: () => T) => T;
}

export class ImportProgress {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param of the export, and how it is read: other bytes, or another reader, are another import */
  async begin(workspaceId: string, of: string, slices: Slices) {
    const { store, write } = this.#deps;
    const goesOn = store.unfinished(workspaceId) === of;
    if (!goesOn) {
      await this.forget(workspaceId, slices);
      write(() => store.setUnfinished(workspaceId, of));
    }
    /** Returns undefined when it was not made, or was deleted since. */
    const find = (kind: MadeKind, step: number): Note | undefined => {
      const note = goesOn ? (store.note(workspaceId, step) as Note | undefined) : undefined;
      return note && store.exists(kind, workspaceId, note.id) ? note : undefined;
    };
    /** Called within the write that makes it. */
    const note = (step: number, made: Note) => store.putNote(workspaceId, step, made);
    /** Makes the record of a step unless it was made before and is there still. */
    const once = (kind: MadeKind, step: number, make: () => Note): Note =>
      find(kind, step) ??
      write(() => {
        const made = make();
        note(step, made);
        return made;
      });
    /** All is made: the next time it is an import like any other. */
    const end = () => this.forget(workspaceId, slices);
    return { find, note, once, end };
  }

  /** Never to be gone on with. */
  async forget(workspaceId: string, slices: Slices): Promise<void> {
    const { write, store } = this.#deps;
    // First what says that it may be: of notes that are half removed nothing follows.
    write(() => store.setUnfinished(workspaceId, undefined));
    while (write(() => store.forgetNotes(workspaceId, AT_ONCE)) > 0) await slices.next();
    await slices.end();
  }
}
