/**
 * For tests: the database of a store with screens that sign their journals, and its segment sender without a thread.
 */
import { enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { enrolText } from '../../../shared/chain/wire.ts';
import type { Play } from '../../../shared/protocol/messages.ts';
import { connect } from '../../db/connect.ts';
import type { Database } from '../../db/database.ts';
import { PlaysIngestStore } from '../../features/reports/ingest/plays-ingest.store.ts';
import { PlaysIngest } from '../../features/reports/ingest/plays-ingest.ts';
import { SegmentStore } from '../../features/reports/proof/segment.store.ts';
import { SegmentReader } from '../../features/reports/proof/segment-reader.ts';
import type { Answer, Task } from '../../features/reports/report-tasks.ts';
import { addDevice, addWorkspace, playAt } from '../../features/reports/testing/plays.ts';
import type { Identity } from '../../identity.ts';
import { Bus } from '../../kernel/bus.ts';
import { SegmentSender } from '../connection/segment-sender.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { Journal, type Key } from './journal.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Answers like the worker threads of the reports, over a separate connection that sees only committed rows. */
export const threadsOf = (db: Database) => ({
  runTask: async (task: Task): Promise<Answer> => {
    if (task.do !== 'segment') throw new Error('only segments are asked for here');
    const { question } = task;
    const raw = connect(db.file, { readonly: true, fileMustExist: true });
    try {
      const reader = new SegmentReader(new SegmentStore(raw));
      if (question.ask === 'head')
        return { block: new ArrayBuffer(0), length: 0, segment: { last: question.last, head: reader.head(question) } };
      const { bytes, last, plays, head } = await reader.make(question);
      return { block: Uint8Array.from(bytes).buffer, length: bytes.length, plays, segment: { last, head } };
    } finally {
      raw.close();
    }
  },
});

/**
 * The screens of a store, which sign their plays. Their journals survive a restore of the store's database, as the
 * journals of real players do.
 */
export class Panels {
  readonly #journals = new Map<string, Journal>();
  #clock = Date.UTC(2026, 10, 2, 9);

  add(db: Database, workspaceId: string, id: string): void {
    addDevice(db, workspaceId, id);
    const journal = new Journal();
    db.write(() => db.raw.prepare('UPDATE devices SET signing_key = ? WHERE id = ?').run(journal.key, id));
    this.#journals.set(id, journal);
  }

  /** Adds plays to the journal of a screen. */
  show(id: string, count: number, more: Partial<Play> = {}): void {
    for (let i = 0; i < count; i++) {
      this.#clock += 1_000;
      this.#journals.get(id)!.add(playAt(this.#clock, more));
    }
  }

  /** Sends journal rows of a screen to the store: the unsent rows, or the given rows. */
  async send(db: Database, id: string, { from, through }: { from?: number; through?: number } = {}): Promise<void> {
    const journal = this.#journals.get(id)!;
    const { first, plays, chain } = journal.stretch(from, through);
    if (plays.length === 0) return;
    const ingest = new PlaysIngest({
      db,
      store: new PlaysIngestStore(db),
      bus: new Bus(() => {}),
      clock: { now: () => this.#clock + 60_000 },
      activity: { add() {} },
      log: silent,
    });
    void ingest.add(ingest, id, first, plays, chain);
    await ingest.stop();
  }

  /** Ids of all plays of all screens. */
  get shown(): string[] {
    return [...this.#journals.values()].flatMap(({ rows }) => rows.map(({ id }) => id));
  }
}

/** Enrols a workspace in a headquarters. */
export const enrolled = (db: Database, workspaceId: string): void => {
  if (db.raw.prepare('SELECT 1 FROM workspaces WHERE id = ?').get(workspaceId) === undefined)
    addWorkspace(db, workspaceId);
  db.write(() =>
    db.raw
      .prepare(
        "INSERT INTO chain_links (workspace_id, store, name, address, headquarters, key, certificate, enrolled_at, enrolled_by) VALUES (?, 'store-1', 'Mill', 'https://hq.test:8711', 'HQ', 'k', 'c', 1, 'Owner')",
      )
      .run(workspaceId),
  );
};

export const outboxOf = (db: Database, workspaceId: string, key: Key): SegmentSender =>
  new SegmentSender({
    db,
    store: new ChainStore(db),
    threads: threadsOf(db),
    workspaceId,
    storeRef: 'store-1',
    ...key,
  });

/** Returns the code and the enrolment request of a server. */
export const enrolmentAsk = (code: string, identity: Pick<Identity, 'publicKey' | 'sign'>, name: string) => {
  const { secret } = enrolmentCode(code)!;
  const key = identity.publicKey.slice(-64);
  return {
    secret,
    ask: (hq: string) => ({
      secret,
      key,
      signature: identity.sign(enrolText(secret, key, hq)),
      server_name: name,
      workspace_name: name,
      version: '1',
    }),
  };
};
