/** A program on disk with what is this device's alone, and the documents it is kept in. */
import { z } from 'zod';
import { Placement, Program, type ProgramItem, Sha256 } from '../../shared/program/program.ts';
import { jsonOrUndefined, readDocument } from './documents.ts';
import { ProgramInvalid } from './errors.ts';
import type { Crypto, Documents, Log } from './ports.ts';

/** Which program plays: the one document that switches. */
const Current = z.object({
  format: z.literal(1),
  program_id: Sha256,
  /** Kept complete until the next switch; its files are evicted last. */
  previous_id: Sha256.nullable(),
  placement: Placement,
  /** Live mute changes since the program was compiled; the next program has them inside. */
  mutes: z.array(z.object({ item_id: z.number().int(), muted: z.boolean() })),
});
export type Current = z.infer<typeof Current>;

export interface HeldProgram {
  readonly id: string;
  readonly program: Program;
}

const CURRENT = 'current';
const nameOf = (id: string) => `program-${id}`;

export class ProgramFiles {
  readonly #needs: { documents: Documents; crypto: Crypto; log: Log };

  constructor(needs: { documents: Documents; crypto: Crypto; log: Log }) {
    this.#needs = needs;
  }

  async current(): Promise<Current | undefined> {
    return readDocument(this.#needs, CURRENT, Current);
  }

  /** The atomic switch. */
  async switchTo(current: Current): Promise<void> {
    await this.#needs.documents.write(CURRENT, JSON.stringify(current));
  }

  async find(id: string): Promise<HeldProgram | undefined> {
    const text = await this.#needs.documents.read(nameOf(id));
    if (text === undefined) return undefined;
    try {
      return parseProgram(id, text, this.#needs.crypto);
    } catch (error) {
      this.#needs.log.error(`program ${id} is damaged on disk and is fetched again`, error);
      await this.#needs.documents.setAside(nameOf(id));
      return undefined;
    }
  }

  async insert(id: string, bytes: Uint8Array): Promise<HeldProgram> {
    const text = new TextDecoder().decode(bytes);
    const held = parseProgram(id, text, this.#needs.crypto);
    await this.#needs.documents.write(nameOf(id), text);
    return held;
  }

  async removeOthers(keep: ReadonlySet<string>): Promise<void> {
    for (const name of await this.#needs.documents.list()) {
      const id = /^program-([0-9a-f]{64})$/.exec(name)?.[1];
      if (id && !keep.has(id)) await this.#needs.documents.remove(name);
    }
  }

  async clear(): Promise<void> {
    await this.#needs.documents.remove(CURRENT);
    await this.removeOthers(new Set());
  }
}

function parseProgram(id: string, text: string, crypto: Crypto): HeldProgram {
  if (crypto.sha256(text) !== id) throw new ProgramInvalid('the program does not match its checksum');
  const parsed = Program.safeParse(jsonOrUndefined(text));
  if (parsed.success) return { id, program: parsed.data };
  const issue = parsed.error.issues[0];
  throw new ProgramInvalid(`the program cannot be read: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** The program with live mute changes applied; the same object when there are none. */
export function withMutes(program: Program, mutes: Current['mutes']): Program {
  if (mutes.length === 0) return program;
  const muted = new Map(mutes.map((mute) => [mute.item_id, mute.muted]));
  const apply = (item: ProgramItem): ProgramItem => {
    const change = item.item_id === null ? undefined : muted.get(item.item_id);
    return change === undefined || change === item.muted ? item : { ...item, muted: change };
  };
  return { ...program, playlists: program.playlists.map((playlist) => ({ ...playlist, items: playlist.items.map(apply) })) };
}
