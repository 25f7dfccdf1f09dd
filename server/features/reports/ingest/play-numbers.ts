/**
 * Finds or assigns the numbers under which names and fields of plays are stored and summed. Used for one transaction
 * only: a rollback would make new numbers invalid.
 */
import { DAY_MS } from '../../../../shared/program/civil.ts';
import { type Subject, subjectOf } from './sums.ts';

/** Workspace and device of a play, as numbers in play_subjects. */
export interface Whose {
  readonly workspace: number;
  readonly device: number;
}

/**
 * Values that plays of one playlist item on one device share, with the names at that time. Stored once in play_turns.
 */
export interface Turn {
  readonly device_name: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly zone_id: string | null;
  readonly playlist_id: string | null;
  readonly item_id: number | null;
}

/** Writes these numbers within the transaction that writes the plays. */
export interface NumbersWriter {
  findSubject(
    workspaceId: string,
    subject: Subject,
  ): { readonly id: number; readonly name: string; readonly named_ms: number } | undefined;
  insertSubject(workspaceId: string, subject: Subject, name: string, namedMs: number): number;
  renameSubject(id: number, name: string, namedMs: number): void;
  /**
   * `shown`: number of the content in play_subjects. `day`: day on which the play arrived, in days since 1970-01-01.
   */
  turnOf(turn: Turn & { readonly device: number; readonly shown: number }, day: number): number;
  bootOf(bootId: string, day: number): number;
}

interface Named {
  readonly id: number;
  name: string;
  namedMs: number;
}

export class PlayNumbers {
  readonly #writer: NumbersWriter;
  readonly #day: number;
  readonly #subjects = new Map<string, Named>();
  readonly #turns = new Map<string, { readonly subject: Named; readonly turn: number }>();
  readonly #boots = new Map<string, number>();

  /** @param now epoch milliseconds at which the plays arrived */
  constructor(writer: NumbersWriter, now: number) {
    this.#writer = writer;
    this.#day = Math.floor(now / DAY_MS);
  }

  /** @param newestMs start of the newest play of the device */
  whose(
    device: { readonly id: string; readonly workspace_id: string; readonly name: string },
    newestMs: number,
  ): Whose {
    const { id, workspace_id, name } = device;
    const whole = this.#subject(workspace_id, { kind: 'workspace', ref: '' }, '', 0);
    const subject = this.#subject(workspace_id, { kind: 'device', ref: id }, name, newestMs);
    this.#name(subject, name, newestMs);
    return { workspace: whole.id, device: subject.id };
  }

  /** Returns the numbers of the shown content in play_subjects and of the row in play_turns. */
  shown(workspaceId: string, { device }: Whose, turn: Turn, startedMs: number): { shown: number; turn: number } {
    const { device_name, content_id, widget_id, content_name, zone_id, playlist_id, item_id } = turn;
    const fields = { device, device_name, content_id, widget_id, content_name, zone_id, playlist_id, item_id };
    const known = remembered(this.#turns, JSON.stringify(Object.values(fields)), () => {
      const subject = this.#subject(workspaceId, subjectOf(turn), content_name, startedMs);
      return { subject, turn: this.#writer.turnOf({ ...fields, shown: subject.id }, this.#day) };
    });
    this.#name(known.subject, content_name, startedMs);
    return { shown: known.subject.id, turn: known.turn };
  }

  boot(id: string): number {
    return remembered(this.#boots, id, () => this.#writer.bootOf(id, this.#day));
  }

  #subject(workspaceId: string, subject: Subject, name: string, startedMs: number): Named {
    return remembered(this.#subjects, `${workspaceId} ${subject.kind} ${subject.ref}`, () => {
      const found = this.#writer.findSubject(workspaceId, subject);
      return found
        ? { id: found.id, name: found.name, namedMs: found.named_ms }
        : { id: this.#writer.insertSubject(workspaceId, subject, name, startedMs), name, namedMs: startedMs };
    });
  }

  /**
   * Stores the name that the record had in the newest play. Plays from weeks ago, with an earlier name, may arrive
   * later.
   */
  #name(subject: Named, name: string, startedMs: number): void {
    if (subject.name === name || startedMs < subject.namedMs) return;
    this.#writer.renameSubject(subject.id, name, startedMs);
    subject.name = name;
    subject.namedMs = startedMs;
  }
}

const remembered = <V>(known: Map<string, V>, key: string, find: () => V): V => {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = find()));
  return value;
};
