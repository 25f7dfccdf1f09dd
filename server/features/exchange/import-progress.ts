/**
 * Records the result of each step of an import, in the same transaction as each record that it makes. An import that
 * was interrupted (by a crash, a server stop, or a lost connection) continues when the same file is sent again, and
 * makes no record twice.
 */
import type { Slices } from '../../kernel/threads/slices.ts';
import type { ExchangeStore, MadeKind } from './exchange.store.ts';

/** Number of notes deleted per transaction, which takes a millisecond. */
const AT_ONCE = 200;

export interface Note {
  readonly id: string;
  /** Ids of the zones that were made for a layout, in the order of the export. */
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

  /** @param of identifies the export and the reader's version; other bytes or another version are another import */
  async begin(workspaceId: string, of: string, slices: Slices) {
    const { store, write } = this.#deps;
    const goesOn = store.unfinished(workspaceId) === of;
    if (!goesOn) {
      await this.forget(workspaceId, slices);
      write(() => store.setUnfinished(workspaceId, of));
    }
    /** Returns undefined when the record was not made, or was deleted meanwhile. */
    const find = (kind: MadeKind, step: number): Note | undefined => {
      const note = goesOn ? (store.note(workspaceId, step) as Note | undefined) : undefined;
      return note && store.exists(kind, workspaceId, note.id) ? note : undefined;
    };
    /** Called within the write transaction that makes the record. */
    const note = (step: number, made: Note) => store.putNote(workspaceId, step, made);
    /** Makes the record of a step, unless it was made before and still exists. */
    const once = (kind: MadeKind, step: number, make: () => Note): Note =>
      find(kind, step) ??
      write(() => {
        const made = make();
        note(step, made);
        return made;
      });
    /** Ends a complete import. The same file makes new records the next time. */
    const end = () => this.forget(workspaceId, slices);
    return { find, note, once, end };
  }

  /** Deletes the notes, so that the import cannot be continued. */
  async forget(workspaceId: string, slices: Slices): Promise<void> {
    const { write, store } = this.#deps;
    // Deletes the note of the interrupted import first, so that no import continues from partly deleted notes.
    write(() => store.setUnfinished(workspaceId, undefined));
    while (write(() => store.forgetNotes(workspaceId, AT_ONCE)) > 0) await slices.next();
    await slices.end();
  }
}
