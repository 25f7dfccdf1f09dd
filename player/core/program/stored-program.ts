/** Stores the program and the settings of this device on disk, in several documents. */
import { z } from 'zod';
import { Placement, Program, type ProgramItem, Sha256 } from '../../../shared/program/program.ts';
import { ProgramInvalid } from '../errors.ts';
import { jsonOrUndefined, readDocument } from '../files/documents.ts';
import type { Crypto, Host } from '../ports.ts';

/** The current program. This is the one document whose replacement switches the program. */
const Current = z.object({
  format: z.literal(1),
  program_id: Sha256,
  /** The previous program. It stays complete until the next program begins to play, and its files are evicted last. */
  previous_id: Sha256.nullable(),
  placement: Placement,
  /** Id that the server gave to the placement; null: none. */
  placement_id: z.string().nullable().default(null),
  /** Mute changes since the program was compiled. The next program includes them. */
  mutes: z.array(z.object({ item_id: z.number().int(), muted: z.boolean() })),
});
export type Current = z.infer<typeof Current>;

export interface StoredProgram {
  readonly id: string;
  readonly program: Program;
}

/**
 * The placement is also stored in its own document, so that the picture keeps its orientation when the current program
 * is unknown.
 */
const Placed = z.object({ format: z.literal(1), placement: Placement });

const CURRENT = 'current';
const PLACED = 'placement';
const nameOf = (id: string) => `program-${id}`;

type Deps = Pick<Host, 'crypto' | 'documents' | 'log'>;

export class ProgramFiles {
  readonly #deps: Deps;
  /** Content of the placement document on disk. */
  #placed: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async current(): Promise<Current | undefined> {
    const current = await readDocument(this.#deps, CURRENT, Current);
    const placed = await readDocument(this.#deps, PLACED, Placed);
    this.#placed = JSON.stringify(placed);
    return current;
  }

  /** Returns the last known placement. Default: upright, no wall, the machine's own time zone. */
  async placement(): Promise<Placement> {
    const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
    return (await readDocument(this.#deps, PLACED, Placed))?.placement ?? { orientation: '0', timezone, wall: null };
  }

  /** Makes another program the current one, in one atomic write. */
  async switchTo(current: Current): Promise<void> {
    const { documents, log } = this.#deps;
    await documents.write(CURRENT, JSON.stringify(current));
    const placed = JSON.stringify({ format: 1, placement: current.placement });
    if (placed === this.#placed) return;
    await documents.write(PLACED, placed).then(
      () => (this.#placed = placed),
      (error) => log.warn('the placement could not be kept apart', error),
    );
  }

  async find(id: string): Promise<StoredProgram | undefined> {
    const { documents, crypto, log } = this.#deps;
    const text = await documents.read(nameOf(id), (copy) => crypto.sha256(copy) === id);
    if (text === undefined) return undefined;
    try {
      return parseProgram(id, text, crypto);
    } catch (error) {
      log.error(`program ${id} is damaged on disk and is fetched again`, error);
      await documents.setAside(nameOf(id));
      return undefined;
    }
  }

  /** Returns the newest undamaged program. */
  async newest(): Promise<StoredProgram | undefined> {
    for (const id of await this.#ids()) {
      const held = await this.find(id);
      if (held) return held;
    }
    return undefined;
  }

  async insert(id: string, text: string): Promise<StoredProgram> {
    const held = parseProgram(id, text, this.#deps.crypto);
    await this.#deps.documents.write(nameOf(id), text);
    return held;
  }

  async removeOthers(isKept: (id: string) => boolean): Promise<void> {
    for (const id of await this.#ids()) if (!isKept(id)) await this.#deps.documents.remove(nameOf(id));
  }

  /** Removes the programs first: without the `current` document the newest remaining program would play. */
  async clear(): Promise<void> {
    await this.removeOthers(() => false);
    this.#placed = undefined;
    for (const name of [PLACED, CURRENT]) await this.#deps.documents.remove(name);
  }

  async #ids(): Promise<string[]> {
    return (await this.#deps.documents.list()).flatMap((name) => /^program-([0-9a-f]{64})$/.exec(name)?.[1] ?? []);
  }
}

function parseProgram(id: string, text: string, crypto: Crypto): StoredProgram {
  if (crypto.sha256(text) !== id) throw new ProgramInvalid('the program does not match its checksum');
  const parsed = Program.safeParse(jsonOrUndefined(text));
  if (parsed.success) return { id, program: parsed.data };
  const issue = parsed.error.issues[0];
  throw new ProgramInvalid(`the program cannot be read: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Returns the program with the mute changes applied; the same object when there are none. */
export function withMutes(program: Program, mutes: Current['mutes']): Program {
  if (mutes.length === 0) return program;
  const muted = new Map(mutes.map((mute) => [mute.item_id, mute.muted]));
  const apply = (item: ProgramItem): ProgramItem => {
    const change = item.item_id === null ? undefined : muted.get(item.item_id);
    return change === undefined || change === item.muted ? item : { ...item, muted: change };
  };
  return {
    ...program,
    playlists: program.playlists.map((playlist) => ({ ...playlist, items: playlist.items.map(apply) })),
  };
}
