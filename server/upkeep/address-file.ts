/**
 * Where the server of a data folder answers right now, for commands on the same machine. Who believes it asks the lock
 * first.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
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
      // A full disk; commands then ask for the address.
    }
  }

  stop(): void {
    rmSync(join(this.#deps.data, FILE), { force: true });
  }
}

export const addressOf = (data: string): string | undefined => {
  try {
    return Stored.parse(JSON.parse(readFileSync(join(data, FILE), 'utf8'))).origin;
  } catch {
    return undefined;
  }
};
