/**
 * Note with the address of a running service and the fingerprint that proves its identity. Everybody can read this
 * note, but only the service and administrators can write it, so no other program at that port is mistaken for the
 * server.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readStored } from '../kernel/disk/durable.ts';
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
      // Makes the note readable by everybody, unlike the server's other files.
      chmodSync(file, 0o644);
    } catch {
      // Ignores a failed write, for example on a full disk. Only desktop windows on this machine then have to wait for
      // the note; screens and browsers are served.
    }
  }

  stop(): void {
    if (this.#deps.file !== undefined) rmSync(this.#deps.file, { force: true });
  }
}

/** Returns the note; undefined when no service is running or the note cannot be read. */
export const readNote = (file: string): Note | undefined => readStored(file, Note);
