/**
 * Where a server that is a service can be found right now, and how it proves who it is. It lies in a folder in which
 * only the service and administrators may write, and everybody may read: so a program that somebody else has put at the
 * port is not taken for it.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Lifecycle } from '../kernel/lifecycle.ts';

const Note = z.object({ port: z.number().int(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });
export type Note = z.infer<typeof Note>;

export class ServiceNote implements Lifecycle {
  readonly name = 'service-note';
  readonly #deps;

  constructor(deps: { file: string | undefined; port: () => number; fingerprint: string }) {
    this.#deps = deps;
  }

  start(): void {
    const { file, port, fingerprint } = this.#deps;
    if (file === undefined) return;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ port: port(), fingerprint } satisfies Note));
      // The server's own files are nobody else's; this one is for everybody.
      chmodSync(file, 0o644);
    } catch {
      // A full disk: windows on this machine wait; screens and browsers are served.
    }
  }

  stop(): void {
    if (this.#deps.file !== undefined) rmSync(this.#deps.file, { force: true });
  }
}

/** Undefined: no service is running, or it cannot say so. */
export const readNote = (file: string): Note | undefined => {
  try {
    return Note.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};
