/**
 * Sends plays to headquarters: asks which plays are missing there, and cuts these plays into signed segments. Deletes
 * nothing, so that a lost segment can be built again.
 */
import { createHash } from 'node:crypto';
import { type Cursor, type Epoch, goOn, lastsOf, waiting } from '../../../shared/chain/cursor.ts';
import { firstHead, type SegmentHeader, segmentText } from '../../../shared/chain/segment.ts';
import { bytesOf, type Answer as Made, type Task } from '../../features/reports/report-tasks.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { ChainStore } from '../membership/chain.store.ts';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
/**
 * Maximum number of plays for which the hash chain is computed again to compare it with headquarters. For a longer
 * range, the cursor of headquarters is trusted.
 */
const MAX_COMPARED = 200_000;

export interface Segment {
  readonly file: Buffer;
  readonly end: Cursor;
  readonly plays: number;
}

interface Deps extends Pick<Parts, 'db'> {
  readonly store: ChainStore;
  /** Worker threads that also create the reports. */
  readonly threads: { runTask(task: Task): Promise<Made> };
  readonly workspaceId: string;
  /** Id of this store at headquarters. */
  readonly storeRef: string;
  /** Public key of this server: raw, hex. */
  readonly key: string;
  readonly sign: (text: string) => string;
}

export class SegmentSender {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get epochs(): Epoch[] {
    return this.#deps.store.epochs();
  }

  /** Returns an upper bound for the number of plays that headquarters has not received. */
  get waiting(): number {
    const { store } = this.#deps;
    return waiting(store.epochs(), store.newest(), this.cursors);
  }

  /** Stores the cursors of headquarters. They may also go backwards, after headquarters was restored from a backup. */
  storeCursors(cursors: readonly Cursor[]): void {
    const { db, store, workspaceId } = this.#deps;
    db.write(() => {
      for (const cursor of cursors) store.putCursor(workspaceId, cursor);
    });
  }

  /**
   * Returns the first number at which headquarters may have other plays than this store, because a copy of the store
   * has sent plays; undefined: headquarters and this store have the same plays.
   */
  async forked(cursors: readonly Cursor[]): Promise<{ readonly from: number } | undefined> {
    const { store, workspaceId } = this.#deps;
    const epochs = store.epochs();
    const known = store.cursors(workspaceId);
    const lasts = lastsOf(epochs, store.newest());
    for (const { epoch, through, head } of cursors) {
      const index = epochs.findIndex((one) => one.epoch === epoch);
      const first = epochs[index]?.first;
      if (first === undefined || through < first) continue;
      const isLast = index === epochs.length - 1;
      const last = lasts[index]!;
      // Skips this comparison for a restored database, which has fewer plays than it had sent before: the restore has
      // already begun a new epoch (numbering of plays).
      if (through > last && !isLast) continue;
      const own = through > last ? undefined : await this.#headAt(epochs[index]!, through);
      if (through > last || (own !== undefined && own !== head)) {
        const agreed = known.find((cursor) => cursor.epoch === epoch);
        const isAgreed = agreed !== undefined && agreed.through < through;
        return { from: isAgreed ? Math.max(first, agreed.through + 1) : first };
      }
    }
    return undefined;
  }

  /** Starts a new epoch (numbering of plays) at this number. */
  part(from: number, now: number): void {
    const { db, store } = this.#deps;
    db.write(() => store.beginEpoch(now, from));
  }

  /** Cursors of headquarters, as last reported. */
  get cursors(): Cursor[] {
    const { store, workspaceId } = this.#deps;
    return store.cursors(workspaceId);
  }

  /**
   * Returns the next segment; undefined: headquarters has everything. The end of the segment is on disk when this
   * resolves.
   * @param cursors cursors of headquarters
   */
  async next(cursors: readonly Cursor[] = this.cursors): Promise<Segment | undefined> {
    const { db, store, workspaceId, threads, storeRef, key, sign } = this.#deps;
    const place = goOn(store.epochs(), store.newest(), cursors);
    if (!place) return undefined;
    // The thread reads over its own connection. Plays in an open commit would be missing in the segment, and
    // headquarters would never ask for their numbers again.
    await db.durable();
    const { epoch, first, through } = place;
    const cursor = cursors.find((one) => one.epoch === epoch);
    const prevHead = cursor && cursor.through === first - 1 ? cursor.head : firstHead(sha256, epoch);
    const made = await threads.runTask({
      do: 'segment',
      question: { ask: 'segment', workspaceId, first, last: through, prevHead },
    });
    const { last, head } = made.segment!;
    const body = bytesOf(made);
    const facts = {
      vitrine: 'segment',
      version: 1,
      store: storeRef,
      epoch,
      first,
      last,
      plays: made.plays!,
      prev_head: prevHead,
      head,
    } as const;
    const signature = sign(segmentText(facts, sha256(body)));
    const header: SegmentHeader = { ...facts, bytes: body.length, key, signature };
    const end = { epoch, through: last, head };
    db.write(() => store.addEnd(workspaceId, end));
    await db.durable();
    return { file: Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]), end, plays: made.plays! };
  }

  /**
   * Returns the head of the hash chain of this store's plays up to a number; undefined if the hash is not computed,
   * because some of these plays were deleted or because there are too many.
   */
  async #headAt({ epoch, first }: Epoch, number: number): Promise<string | undefined> {
    const { store, workspaceId, threads } = this.#deps;
    const before = store.endBefore(workspaceId, epoch, number);
    if (before?.last === number) return before.head;
    const from = before ? before.last + 1 : first;
    if (number - from > MAX_COMPARED || store.oldestPlay() > from) return undefined;
    const prevHead = before?.head ?? firstHead(sha256, epoch);
    const question = { ask: 'head', workspaceId, first: from, last: number, prevHead } as const;
    return (await threads.runTask({ do: 'segment', question })).segment!.head;
  }
}
