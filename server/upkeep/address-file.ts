/** Where the server of a data folder answers right now, for commands on the same machine. Who believes it asks the lock first. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Lifecycle } from '../kernel/lifecycle.ts';

const FILE = 'server.address';
const Stored = z.object({ origin: z.string() });

export class AddressFile implements Lifecycle {
  readonly name = 'address-file';
  readonly #data: string;
  readonly #host: string;
  readonly #port: () => number;

  constructor(deps: { data: string; host: string; port: () => number }) {
    this.#data = deps.data;
    this.#host = deps.host;
    this.#port = deps.port;
  }

  start(): void {
    const everywhere = ['0.0.0.0', '::', ''].includes(this.#host);
    const host = everywhere ? '127.0.0.1' : this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    try {
      writeFileSync(join(this.#data, FILE), JSON.stringify({ origin: `http://${host}:${this.#port()}` }));
    } catch {
      // A full disk; commands then ask for the address.
    }
  }

  stop(): void {
    rmSync(join(this.#data, FILE), { force: true });
  }
}

export const addressOf = (data: string): string | undefined => {
  try {
    return Stored.parse(JSON.parse(readFileSync(join(data, FILE), 'utf8'))).origin;
  } catch {
    return undefined;
  }
};
