/**
 * Notes where a server that is a service answers, and how it proves who it is. Everybody may read the note, but only
 * the service and administrators may write it: so no other program at that port is taken for the server.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readStored } from '../kernel/durable.ts';
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
      // The server's own files are nobody else's, but this one is for everybody.
      chmodSync(file, 0o644);
    } catch {
      // The disk may be full. Windows on this machine wait then; screens and browsers are served.
    }
  }

  stop(): void {
    if (this.#deps.file !== undefined) rmSync(this.#deps.file, { force: true });
  }
}

/** Returns undefined when no service is running, or it cannot say so. */
export const readNote = (file: string): Note | undefined => readStored(file, Note);
