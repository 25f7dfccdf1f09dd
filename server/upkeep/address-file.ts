/**
 * Records the address of the server that uses a data folder, for commands on the same machine, which check the folder's
 * lock first.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readStored } from '../kernel/durable.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';

const FILE = 'server.address';
const Stored = z.object({ origin: z.string() });

interface Deps {
  readonly data: string;
  readonly host: string;
  readonly port: () => number;
}

export class AddressFile implements Lifecycle {
  readonly name = 'address-file';
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const everywhere = ['0.0.0.0', '::', ''].includes(this.#deps.host);
    const host = everywhere ? '127.0.0.1' : this.#deps.host.includes(':') ? `[${this.#deps.host}]` : this.#deps.host;
    try {
      writeFileSync(join(this.#deps.data, FILE), JSON.stringify({ origin: `http://${host}:${this.#deps.port()}` }));
    } catch {
      // The disk may be full. Commands then need the address as an option.
    }
  }

  stop(): void {
    rmSync(join(this.#deps.data, FILE), { force: true });
  }
}

/** Returns the address that the last server of a data folder recorded; undefined when there is none. */
export const addressOf = (data: string): string | undefined => readStored(join(data, FILE), Stored)?.origin;
