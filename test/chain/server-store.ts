/** A store of the chain as a whole server in a separate process, with a screen that uses the player protocol. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { beginEpochIn } from '../../server/db/epochs.ts';
import { Journal } from '../../server/store-link/testing/journal.ts';
import { MAX_PLAYS_PER_MESSAGE } from '../../shared/protocol/messages.ts';
import { ask, type RunningServer, registerOwner, startServer } from '../faults/data-server.ts';
import { callerOf } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { connectPlayer, DEVICE, type PlayerClient, pairPlayer, playOf } from '../player-client.ts';
import type { CutLine } from './cut-line.ts';
import type { Member } from './simulated.ts';

/**
 * Time in milliseconds after a start of the server before the next restart. A started server sends all pending data
 * at once, and the data needs this time to arrive.
 */
const TELLS_MS = 10_000;

export class ServerStore implements Member {
  readonly name: string;
  readonly lines: readonly CutLine[];
  kills = 0;
  restores = 0;
  readonly #t: TestContext;
  readonly #data: string;
  readonly #journal = new Journal();
  #screen = { deviceId: '', secret: '' };
  #token = '';
  #server: RunningServer | undefined;
  #player: PlayerClient | undefined;
  #starting: Promise<void> | undefined;
  #startedAt = 0;

  constructor(t: TestContext, name: string, data: string, lines: readonly CutLine[]) {
    this.#t = t;
    this.name = name;
    this.#data = data;
    this.lines = lines;
  }

  get shown(): readonly string[] {
    return this.#journal.rows.map(({ id }) => id);
  }

  get media(): string {
    return join(this.#data, 'media');
  }

  look<T>(at: (raw: BetterSqlite3.Database) => T): T | undefined {
    const raw = new BetterSqlite3(this.#file, { readonly: true });
    try {
      return raw.transaction(() => at(raw))();
    } finally {
      raw.close();
    }
  }

  async enrol(address: string, code: string): Promise<void> {
    this.#server = await startServer(this.#t, this.#data);
    const site = { origin: this.#server.origin, call: callerOf(this.#server.origin) };
    this.#token = await registerOwner(site.origin);
    this.#screen = await pairPlayer(this.#t, site as never, this.#token);
    await this.#connect();
    must(await callAs(site, this.#token)('POST', '/api/chain', { address, code }), 201);
  }

  async show(count: number): Promise<void> {
    for (let i = 0; i < count; i++) this.#journal.add(playOf());
    this.#send();
  }

  async kill(): Promise<void> {
    this.kills++;
    await this.#again();
  }

  async backUp(): Promise<void> {
    rmSync(this.#backup, { force: true });
    const raw = new BetterSqlite3(this.#file);
    try {
      raw.prepare('VACUUM INTO ?').run(this.#backup);
    } finally {
      raw.close();
    }
  }

  async putBack(how: 'restore' | 'copy'): Promise<void> {
    if (!existsSync(this.#backup)) return;
    this.restores++;
    await this.#again(() => {
      for (const ending of ['-wal', '-shm']) rmSync(this.#file + ending, { force: true });
      copyFileSync(this.#backup, this.#file);
      if (how === 'restore') beginEpochIn(this.#file, 1);
    });
  }

  /** Restarts the server, because only a restart makes the server send pending data at once. */
  hurry(): void {
    if (this.#starting || performance.now() - this.#startedAt < TELLS_MS) return;
    this.#starting = this.#again().finally(() => {
      this.#starting = undefined;
    });
  }

  async isTold(): Promise<boolean> {
    if (this.#starting || this.#through < this.#journal.rows.length) return false;
    const { body } = await ask(this.#server!.origin, 'GET', '/api/chain', { token: this.#token });
    return body?.link.line === 'up' && body.link.waiting === 0;
  }

  async askAnew(): Promise<void> {
    await this.#starting;
    await this.#again();
  }

  async end(): Promise<void> {
    await this.#starting;
    await this.#server!.kill();
  }

  /** @param between changes its files while it does not run */
  async #again(between = () => {}): Promise<void> {
    await this.#server!.kill();
    this.#player!.socket.terminate();
    between();
    this.#server = await startServer(this.#t, this.#data);
    this.#startedAt = performance.now();
    await this.#connect();
    this.#send();
  }

  async #connect(): Promise<void> {
    this.#player = await connectPlayer(this.#t, this.#server!);
    const { deviceId: device_id, secret } = this.#screen;
    this.#player.say({
      type: 'hello',
      protocol: 1,
      device_id,
      secret,
      device: DEVICE,
      signing_key: this.#journal.key,
    });
    await this.#player.next('program');
    this.#journal.sent = this.#through;
  }

  #send(): void {
    const { rows } = this.#journal;
    const { socket } = this.#player!;
    while (this.#journal.sent < rows.length && socket.readyState === socket.OPEN) {
      const last = Math.min(rows.length, this.#journal.sent + MAX_PLAYS_PER_MESSAGE);
      this.#player!.say({ type: 'plays', ...this.#journal.stretch(undefined, last) });
    }
  }

  /**
   * Number of the last play of the screen in the database on disk. A real player keeps later plays and sends them
   * again.
   */
  get #through(): number {
    const raw = new BetterSqlite3(this.#file, { readonly: true });
    try {
      return raw.prepare('SELECT plays_through FROM devices WHERE id = ?').pluck().get(this.#screen.deviceId) as number;
    } finally {
      raw.close();
    }
  }

  get #file(): string {
    return join(this.#data, 'vitrine.db');
  }

  get #backup(): string {
    return join(this.#data, 'backup.db');
  }
}
