/**
 * Records the address of the server that uses a data folder, for commands on the same machine, which check the folder's
 * lock first.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readStored } from '../../kernel/disk/durable.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

const FILE = 'server.address';
const Stored = z.object({ origin: z.string(), given: z.array(z.string()).default([]) });
/**
 * Interval of updates in milliseconds: HTTPS starts after this file is written, and addresses of the machine change.
 */
const LOOK_MS = 5_000;

interface Deps {
  readonly data: string;
  readonly host: string;
  readonly port: () => number;
  /** HTTPS addresses `https://host:port` that the server gives to stores and screens. */
  readonly given: () => readonly string[];
}

export class AddressFile implements Lifecycle {
  readonly name = 'address-file';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #written = '';

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#write();
    this.#timer = setInterval(() => this.#write(), LOOK_MS).unref();
  }

  #write(): void {
    const everywhere = ['0.0.0.0', '::', ''].includes(this.#deps.host);
    const host = everywhere ? '127.0.0.1' : this.#deps.host.includes(':') ? `[${this.#deps.host}]` : this.#deps.host;
    const text = JSON.stringify({ origin: `http://${host}:${this.#deps.port()}`, given: this.#deps.given() });
    if (text === this.#written) return;
    try {
      writeFileSync(join(this.#deps.data, FILE), text);
      this.#written = text;
    } catch {
      // Ignores a failed write, for example on a full disk. Commands then need the address as an option.
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    rmSync(join(this.#deps.data, FILE), { force: true });
  }
}

/** Returns the address that the last server of a data folder recorded; undefined when there is none. */
export const addressOf = (data: string): string | undefined => readStored(join(data, FILE), Stored)?.origin;

/** Returns the HTTPS addresses that the running server of a data folder gives to stores; may be empty. */
export const storeAddressesOf = (data: string): readonly string[] => readStored(join(data, FILE), Stored)?.given ?? [];
