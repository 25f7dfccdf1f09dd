/**
 * Transfer files for stores without a connection, and transfer files that come back from these stores
 * (shared/chain/transfer-file.ts). People carry the files on USB sticks. A file contains the data that a connection
 * would carry, and the same code processes this data.
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AlteredBytes, BadBytes } from '../../../shared/chain/bytes.ts';
import {
  NoTransferFile,
  type TransferDown,
  type TransferHeader,
  TransferUp,
  transferBytes,
  transferFileName,
} from '../../../shared/chain/transfer-file.ts';
import { ApiError, badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type {
  TakenIn,
  TransferState,
  WrittenTransferFile,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import type { Identity } from '../../identity.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { Sealer } from '../../kernel/trust/sealing.ts';
import type { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import {
  type IncomingTransferFile,
  type ReceivedTransferFile,
  receiveTransferFile,
} from '../../transfer/transfer-reader.ts';
import { type Bringing, entryLine, transferFileOf } from '../../transfer/transfer-writer.ts';
import type { KnownStore, Writer } from '../plays/segment-writer.ts';
import type { Warehouse } from '../plays/warehouse.ts';
import type { HqIncidents } from '../stores/hq-incidents.ts';
import { Refused } from '../stores/refused.ts';
import { requireEdited } from '../stores/region-rights.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { hashOfSecret, type StoresService } from '../stores/stores.service.ts';
import type { StoresStore } from '../stores/stores.store.ts';
import type { DesiredStates } from './desired-states.ts';
import type { FileEndpoints } from './file-endpoints.ts';
import type { RequestHandlers } from './request-handlers.ts';

/** Maximum number of incidents that a transfer file acknowledges to its store. */
const INCIDENTS = 500;
/** Maximum number of transfer files that are imported at the same time, over all stores. */
const MAX_COMING = 4;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: StoresStore;
  readonly registry: Pick<StoreRegistry, 'byRef' | 'refresh'>;
  readonly stores: Pick<StoresService, 'find'>;
  readonly incidents: HqIncidents;
  readonly identity: Pick<Identity, 'publicKey' | 'sign' | 'sealing'>;
  readonly handlers: Pick<RequestHandlers, 'enrol' | 'names' | 'carried'>;
  readonly writer: Pick<Writer, 'through' | 'storeSegment'>;
  readonly warehouse: Pick<Warehouse, 'cursors'>;
  readonly desiredStates: Pick<DesiredStates, 'newer' | 'blobs' | 'idle'>;
  readonly blobs: Pick<FileEndpoints, 'find'>;
  readonly outgoing: OutgoingTransferFiles;
  /** Folder for transfer files during an import. */
  readonly folder: string;
  readonly requireRoom: (bytes: number) => Promise<void>;
}

export class TransferFilesService {
  readonly #deps: Deps;
  /** Imports in progress, by store number. */
  readonly #coming = new Map<number, { readonly bytes: number; readonly total: number }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 404 */
  state(actor: Actor, ref: string): TransferState {
    const found = this.#deps.stores.find(actor, ref);
    const coming = this.#coming.get(found.id);
    return {
      written: found.stick_out,
      taken: found.stick_in,
      can: found.key !== null && found.seal_key !== null,
      under_way: coming ? { what: 'in', ...coming } : this.#deps.outgoing.sent(ref),
    };
  }

  /** @throws ApiError 403, 404, 409 */
  async write(actor: Actor, ref: string): Promise<WrittenTransferFile> {
    const { db, store, registry, activity, outgoing, clock, desiredStates } = this.#deps;
    const found = this.#edited(actor, ref);
    const { key, seal_key: to } = found;
    if (key === null)
      throw conflict(`${found.name} is not enrolled yet. Import the first USB stick from this store first.`);
    if (to === null)
      throw conflict(`${found.name} has not sent its encryption key for USB sticks yet. Update Vitrine in that store.`);
    outgoing.requireFree(ref);
    const known = { id: found.id, ref, workspaceId: found.workspace_id, key };
    // Waits until all pending desired states are signed, so that the transfer file includes campaigns that were
    // started a moment ago.
    await desiredStates.idle();
    const state = await this.#stateFor(known, found.stick_in);
    const pieces = await this.#pieces(found);
    const number = db.write(() => {
      const next = store.nextStick(found.id);
      registry.refresh(found.id);
      const details = `${found.name} (${next})`;
      activity.add({ workspaceId: found.workspace_id, actor, action: 'store.stick_written', details });
      this.#announce(found);
      return next;
    });
    const sealer = this.#sealer({ direction: 'down', store: ref, number, made_ms: clock.now() }, to);
    const plain = pieces.reduce((sum, [piece]) => sum + entryLine(piece).length + piece.bytes, entryLine(state).length);
    const bytes = transferBytes(Buffer.byteLength(sealer.line) + 1, plain);
    const filename = transferFileName(found.name, number);
    const write = async () => transferFileOf(sealer, state, pieces);
    return { number, filename, bytes, expires_at: outgoing.offer(ref, number, { filename, bytes, write }) };
  }

  /** Prepares an import. @throws ApiError 403, 404, 409, 507 */
  async receive(actor: Actor, ref: string, expected: number): Promise<IncomingTransferFile<TakenIn>> {
    const { identity, requireRoom } = this.#deps;
    const found = this.#edited(actor, ref);
    const { id } = found;
    if (this.#coming.has(id)) throw conflict('Another USB stick is being imported. Wait until the import is finished.');
    if (this.#coming.size >= MAX_COMING) throw conflict('Too many USB sticks are being imported. Try again later.');
    return receiveTransferFile({
      folder: join(this.#deps.folder, ref),
      expected,
      requireRoom,
      sealing: identity.sealing,
      state: TransferUp,
      begins: (header) => this.#begins(ref, header),
      told: (header, state) => this.#told(ref, header, state),
      refused: (error) => this.#refused(found, error),
      coming: (progress) => this.#coming.set(id, progress),
      carryOut: (transferFile) => this.#carryOut(actor, ref, transferFile),
      over: () => this.#coming.delete(id),
    });
  }

  /** @throws ApiError 403, 404 */
  requireEdited(actor: Actor, ref: string): void {
    this.#edited(actor, ref);
  }

  #edited(actor: Actor, ref: string): StoreNow {
    const found = this.#deps.stores.find(actor, ref);
    requireEdited(actor, found);
    return found;
  }

  #sealer(facts: ConstructorParameters<typeof Sealer>[0], to: string): Sealer {
    const { publicKey, sign } = this.#deps.identity;
    try {
      return new Sealer(facts, { to, key: publicKey.slice(-64), sign });
    } catch {
      throw conflict(
        'The store sent an encryption key that is not valid, so no USB stick can be written for the store.',
      );
    }
  }

  async #stateFor(known: KnownStore, taken: number): Promise<TransferDown> {
    const { store, handlers, warehouse, desiredStates } = this.#deps;
    const cursors = await warehouse.cursors(known);
    return {
      what: 'down',
      taken,
      ...handlers.names(known),
      desired: desiredStates.newer(known, 0),
      cursors: cursors.map(({ epoch, through, head }) => ({ epoch, through, head })),
      incidents: store.incidents(known.id, { limit: INCIDENTS, offset: 0 }).map(({ id }) => id),
    };
  }

  /**
   * Returns the files that the store needs and that, by its last report, it does not have yet.
   * @throws ApiError 503 when a file is missing on
   * the disk
   */
  async #pieces(found: StoreNow): Promise<Bringing[]> {
    const { desiredStates, blobs } = this.#deps;
    const has = new Set(found.presence?.has);
    const pieces: Bringing[] = [];
    for (const sha256 of desiredStates.blobs(found).filter((one) => !has.has(one))) {
      const blob = blobs.find(sha256);
      if (!blob) continue;
      if ('text' in blob) {
        pieces.push([{ what: 'blob', sha256, bytes: blob.text.length }, [blob.text]]);
        continue;
      }
      const there = await stat(blob.path).catch(() => undefined);
      if (there?.size !== blob.size)
        throw new ApiError(503, 'A file of a campaign is missing on the disk of headquarters.');
      pieces.push([{ what: 'blob', sha256, bytes: blob.size }, opened(blob.path)]);
    }
    return pieces;
  }

  #begins(ref: string, { direction, store, key, number }: TransferHeader): void {
    const found = this.#now(ref);
    if (direction !== 'up') throw new BadBytes('is for a store, not for headquarters');
    if (store !== ref) throw new BadBytes('belongs to another store');
    if (key === found.key && number <= found.stick_in)
      throw new BadBytes(
        `has the number ${number}, but the file with the number ${found.stick_in} was already imported`,
      );
  }

  /** Checks the sender. A server that is not the store's server must prove the enrolment code of the store. */
  #told(ref: string, { key }: TransferHeader, { enrol }: TransferUp): void {
    const { store, clock } = this.#deps;
    const found = this.#now(ref);
    if (key === found.key) return;
    if (!enrol || enrol.key !== key) throw new BadBytes('comes from a server that does not belong to this store');
    if (store.byCode(hashOfSecret(enrol.secret), seconds(clock)) !== found.id)
      throw new BadBytes(
        'contains an enrolment code that is not valid: the code may be used up or too old. Create a new file for the store',
      );
  }

  #refused(found: StoreNow, error: BadBytes): Error {
    const { incidents } = this.#deps;
    const sentence = `The file on the USB stick was not imported: the file ${error.message}. Nothing was changed.`;
    const whose = { id: found.id, workspaceId: found.workspace_id };
    if (!(error instanceof NoTransferFile))
      incidents.add(whose, 'stick_refused', sentence, error instanceof AlteredBytes ? 1 : 0);
    return badRequest(sentence);
  }

  /**
   * Imports a verified transfer file. Its number is stored last, so that an interrupted import can be repeated with the
   * same file.
   */
  async #carryOut(
    actor: Actor,
    ref: string,
    { header, state, pieces }: ReceivedTransferFile<TransferUp>,
  ): Promise<TakenIn> {
    const { db, store, registry, activity, handlers, clock } = this.#deps;
    // Checks the store again, because it may have changed since the import began.
    this.#begins(ref, header);
    this.#told(ref, header, state);
    if (this.#now(ref).key !== header.key) handlers.enrol(state.enrol!);
    const now = this.#now(ref);
    const known = { id: now.id, ref, workspaceId: now.workspace_id, key: header.key };
    handlers.carried(known, state.presence, Math.min(header.made_ms, clock.now()));
    const trouble = await this.#takePlays(known, state, pieces);
    db.write(() => {
      store.setStickTaken(now.id, header.number, state.taken);
      registry.refresh(now.id);
      const details = `${now.name} (${header.number})`;
      activity.add({ workspaceId: now.workspace_id, actor, action: 'store.stick_taken', details });
      this.#announce(now);
    });
    return { number: header.number, trouble };
  }

  /**
   * @returns the reason why not all plays were imported; null: all were
   * @throws ApiError 503 when the same stick can be imported later
   */
  async #takePlays(
    known: KnownStore,
    { epochs }: TransferUp,
    pieces: ReceivedTransferFile<TransferUp>['pieces'],
  ): Promise<string | null> {
    const { writer } = this.#deps;
    try {
      await writer.through(known, epochs);
      for (const { what, path } of pieces)
        if (what === 'segment') await writer.storeSegment(known, await readFile(path));
      return null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'busy') throw new ApiError(503, `${error.message} Then import the USB stick again.`);
      return error.message;
    }
  }

  #now(ref: string): StoreNow {
    const found = this.#deps.registry.byRef(ref);
    if (!found) throw notFound('Store');
    return found;
  }

  #announce({ workspace_id: workspaceId, ref }: Pick<StoreNow, 'workspace_id' | 'ref'>): void {
    announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores', ids: [ref] });
  }
}

/** Opens each file only when it is about to be read. */
async function* opened(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
}
