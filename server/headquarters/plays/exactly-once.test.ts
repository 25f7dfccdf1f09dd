/**
 * Every play is counted once at headquarters, after any restores on both sides and any delays of segments. Uses the
 * real code of a store and of headquarters on separate databases, without a network.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { tempFolder } from '../../../test/harness.ts';
import { runCount } from '../../../test/run-count.ts';
import { beginEpochIn } from '../../db/epochs.ts';
import { openDatabase } from '../../db/open.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { enrolled, outboxOf, Panels } from '../../store-link/testing/store.ts';
import { Refused } from '../stores/refused.ts';
import { ALWAYS, hqOver } from '../testing/rig.ts';

const SCREENS = ['till', 'door'];

/** A database that is copied and restored as a file. */
const filed = (folder: string) => {
  const file = join(folder, 'vitrine.db');
  const kept = join(folder, 'kept.db');
  let db = openDatabase(file);
  return {
    get db() {
      return db;
    },
    keep: async () => {
      await db.durable();
      db.raw.pragma('wal_checkpoint(TRUNCATE)');
      copyFileSync(file, kept);
    },
    /**
     * Replaces the database by the copy. Returns false when there is no copy.
     * @param change edits the file before it is opened
     */
    putBack: (change: (file: string) => void = () => {}): boolean => {
      if (!existsSync(kept)) return false;
      db.close();
      for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
      copyFileSync(kept, file);
      change(file);
      db = openDatabase(file);
      return true;
    },
    close: () => db.close(),
  };
};

class Chain {
  readonly #hqFolder: string;
  readonly #hqFile;
  readonly #storeFile;
  readonly #panels = new Panels();
  readonly #key = newKey();
  /** Segments that were sent but have not arrived yet. The test delivers them later, in any order. */
  readonly #late: Buffer[] = [];
  readonly #known;
  #hq: ReturnType<typeof hqOver>;
  #outbox: ReturnType<typeof outboxOf>;
  #isCompared = false;

  constructor(t: TestContext) {
    this.#hqFolder = tempFolder(t);
    this.#hqFile = filed(this.#hqFolder);
    this.#storeFile = filed(tempFolder(t));
    addWorkspace(this.#hqFile.db, 'hq');
    this.#hq = hqOver(this.#hqFile.db, this.#hqFolder);
    this.#known = this.#hq.addStore('store-1', this.#key);
    enrolled(this.#storeFile.db, 'w');
    for (const id of SCREENS) this.#panels.add(this.#storeFile.db, 'w', id);
    this.#outbox = outboxOf(this.#storeFile.db, 'w', this.#key);
  }

  async show(n: number): Promise<void> {
    const id = SCREENS[n % SCREENS.length]!;
    this.#panels.show(id, 1 + (n % 3));
    await this.#send(id);
  }

  /** Fetches the cursors (last play of each epoch) from headquarters, as ChainLink does. */
  async ask(): Promise<void> {
    const ask = async () => (await this.#hq.writer.through(this.#known, this.#outbox.epochs)).cursors;
    const cursors = await ask();
    const fork = await this.#outbox.forked(cursors);
    if (fork) this.#outbox.part(fork.from, 1);
    this.#outbox.storeCursors(fork ? await ask() : cursors);
    this.#isCompared = true;
  }

  async tell(_n = 0, isHeard = true): Promise<void> {
    const segment = this.#isCompared ? await this.#outbox.next() : undefined;
    if (!segment) return;
    const answer = await this.#hq.writer.storeSegment(this.#known, segment.file).catch((error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    });
    if (!isHeard) return;
    const { epoch } = segment.end;
    if (answer?.verdict === 'taken' && answer.through === segment.end.through)
      this.#outbox.storeCursors([{ epoch, through: answer.through, head: answer.head }]);
    else this.#isCompared = false;
  }

  tellUnheard(): Promise<void> {
    return this.tell(0, false);
  }

  async delay(): Promise<void> {
    const segment = this.#isCompared ? await this.#outbox.next() : undefined;
    if (segment) this.#late.push(segment.file);
  }

  async arrive(n: number): Promise<void> {
    const [file] = this.#late.splice(n % Math.max(1, this.#late.length), 1);
    if (file) await this.#hq.take(this.#known, file);
  }

  backUp(): Promise<void> {
    return this.#storeFile.keep();
  }

  restore(): Promise<void> {
    return this.#putBack((file) => beginEpochIn(file, 1));
  }

  /** Replaces the database file by the copy without the restore command, as a person might do. */
  copyBack(): Promise<void> {
    return this.#putBack();
  }

  hqKeep(): Promise<void> {
    return this.#hqFile.keep();
  }

  async hqPutBack(): Promise<void> {
    if (this.#hqFile.putBack()) await this.hqRestart();
  }

  async hqRestart(): Promise<void> {
    this.#hq = hqOver(this.#hqFile.db, this.#hqFolder);
  }

  /** Sends all plays of all screens and all segments, in two rounds. */
  async settle(): Promise<void> {
    for (const id of SCREENS) await this.#send(id);
    for (let round = 0; round < 2; round++) {
      await this.ask();
      for (let left = 200; this.#outbox.waiting > 0; left--) {
        assert.ok(left > 0, 'it comes to an end');
        if (!this.#isCompared) await this.ask();
        await this.tell();
      }
    }
  }

  async expectEachOnce(): Promise<void> {
    const found: string[] = [];
    const places: string[] = [];
    for await (const piece of this.#hq.plays.all({ ...ALWAYS, stores: this.#hq.registry.all('hq') }))
      for (const { play_id, number, seq, device_id } of piece) {
        found.push(play_id);
        places.push(`${device_id} ${seq} as ${number}`);
      }
    assert.deepEqual(found.toSorted(), this.#panels.shown.toSorted(), places.join(', '));
    const sums = this.#hqFile.db.raw.prepare('SELECT coalesce(sum(plays), 0) FROM hq_sums WHERE scope = 0').pluck();
    assert.equal(sums.get(), found.length);
  }

  close(): void {
    this.#hqFile.close();
    this.#storeFile.close();
  }

  async #send(id: string): Promise<void> {
    const { db } = this.#storeFile;
    const through = db.raw.prepare('SELECT plays_through FROM devices WHERE id = ?').pluck().get(id) as number;
    await this.#panels.send(db, id, { from: through + 1 });
  }

  async #putBack(change?: (file: string) => void): Promise<void> {
    if (!this.#storeFile.putBack(change)) return;
    this.#outbox = outboxOf(this.#storeFile.db, 'w', this.#key);
    this.#isCompared = false;
    for (const id of SCREENS) await this.#send(id);
  }
}

const ACTS = [
  'show',
  'ask',
  'tell',
  'tellUnheard',
  'delay',
  'arrive',
  'backUp',
  'restore',
  'copyBack',
  'hqKeep',
  'hqPutBack',
  'hqRestart',
] as const;

type Act = readonly [name: (typeof ACTS)[number], n: number];
const run = async (t: TestContext, acts: readonly Act[]) => {
  const chain = new Chain(t);
  try {
    for (const [name, n] of acts) await chain[name](n);
    await chain.settle();
    await chain.expectEachOnce();
  } finally {
    chain.close();
  }
};

test('store restored twice while offline starts a new epoch (numbering) at its first difference from headquarters', async (t) => {
  const acts = (...names: Act[0][]): Act[] => names.map((name) => [name, 0]);
  await run(t, [
    ...acts('show', 'ask', 'tell', 'backUp'),
    ['show', 1],
    ['show', 4],
    // The screens send the same plays again in another order, and the database is restored a second time after that.
    ...acts('tell', 'copyBack', 'show', 'backUp', 'restore', 'show', 'ask', 'tell'),
  ]);
});

test('every play is counted once after any restores on either side and any order of segments', async (t) => {
  const often = { weight: 1, arbitrary: fc.constantFrom('show', 'ask', 'tell') };
  const act = fc.oneof(often, { weight: 1, arbitrary: fc.constantFrom(...ACTS) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(20)), { minLength: 5, maxLength: 50 }), (acts) => run(t, acts)),
    { numRuns: runCount(15, 40) },
  );
});
