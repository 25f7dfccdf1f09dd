/**
 * Transfer files between this store and headquarters: a file contains the data that the network connection would carry,
 * and the same modules process it. Loaded together with the link.
 */
import { readFile } from 'node:fs/promises';
import { AlteredBytes, BadBytes } from '../../../shared/chain/bytes.ts';
import { MAX_CAMPAIGN_BYTES } from '../../../shared/chain/campaign.ts';
import type { Cursor } from '../../../shared/chain/cursor.ts';
import {
  NoTransferFile,
  TRANSFER_SEGMENT_BYTES,
  TransferDown,
  type TransferHeader,
} from '../../../shared/chain/transfer-file.ts';
import { MAX_HAS } from '../../../shared/chain/wire.ts';
import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { TransferState } from '../../../shared/contract/headquarters/transfer-files.ts';
import type { Identity } from '../../identity.ts';
import type { Parts as KernelParts } from '../../kernel/parts.ts';
import { Sealer } from '../../kernel/trust/sealing.ts';
import type { MediaStore } from '../../media/media-store.ts';
import {
  type IncomingTransferFile,
  type Landed,
  type ReceivedTransferFile,
  receiveTransferFile,
} from '../../transfer/transfer-reader.ts';
import { type Bringing, transferFileOf } from '../../transfer/transfer-writer.ts';
import type { DesiredState } from '../campaigns/desired-state.ts';
import type { PartialFiles } from '../campaigns/partial-files.ts';
import type { ChainLink } from '../connection/chain-link.ts';
import type { SegmentSender } from '../connection/segment-sender.ts';
import type { ChainStore } from '../membership/chain.store.ts';
import type { Incidents } from '../membership/incidents.ts';

interface Deps extends Pick<KernelParts, 'db' | 'clock'> {
  readonly store: ChainStore;
  readonly incidents: Incidents;
  readonly identity: Pick<Identity, 'publicKey' | 'sign' | 'sealing'>;
  readonly workspaceId: string;
  readonly storeRef: string;
  /** Public key of headquarters: SubjectPublicKeyInfo, hex. */
  readonly key: string;
  readonly segmentSender: Pick<SegmentSender, 'epochs' | 'cursors' | 'next'>;
  readonly desired: Pick<DesiredState, 'rev' | 'has' | 'accept' | 'missing' | 'documentCame'>;
  /** Folder of files for the fetcher. */
  readonly parts: Pick<PartialFiles, 'bring'>;
  readonly link: Pick<
    ChainLink,
    'presenceMessage' | 'receiveAnswer' | 'carried' | 'answeredAt' | 'hurryCampaigns' | 'sendPresence'
  >;
  readonly media: Pick<MediaStore, 'requireRoom'>;
  /** Folder of a transfer file during its upload. */
  readonly folder: string;
}

export class TransferFiles {
  readonly #deps: Deps;
  #coming: { readonly bytes: number; readonly total: number } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the transfer file for headquarters. Its number is already on disk. @throws ApiError 404 */
  async write(number: number): Promise<AsyncGenerator<Buffer, void, undefined>> {
    const { store, workspaceId, storeRef, identity, clock, link, segmentSender, desired } = this.#deps;
    const { seal_key: to, stick_in: taken } = store.find(workspaceId) ?? {};
    // Stops, because the store has left its headquarters meanwhile.
    if (!to || taken === undefined) throw notFound('Headquarters');
    const facts = { direction: 'up', store: storeRef, number, made_ms: clock.now() } as const;
    const { publicKey, sign } = identity;
    const sealer = new Sealer(facts, { to, key: publicKey.slice(-64), sign });
    const presence = { ...(await link.presenceMessage()), has: desired.has.slice(0, MAX_HAS) };
    const enrol = store.proof(workspaceId) ?? null;
    return transferFileOf(
      sealer,
      { what: 'up', taken, presence, epochs: segmentSender.epochs, enrol },
      this.#segments(),
    );
  }

  /** Progress of the transfer file that is being uploaded. */
  get coming(): TransferState['under_way'] {
    return this.#coming ? { what: 'in', bytes: this.#coming.bytes, total: this.#coming.total } : null;
  }

  /**
   * Prepares to receive a transfer file. The `finish` method of the result returns the number of the file.
   * @throws ApiError 409, 507
   */
  async receive(expected: number): Promise<IncomingTransferFile<number>> {
    const { identity, folder, media } = this.#deps;
    if (this.#coming) throw conflict('Another USB stick is being imported. Wait until the import is finished.');
    return receiveTransferFile({
      folder,
      expected,
      requireRoom: (bytes) => media.requireRoom(bytes),
      sealing: identity.sealing,
      state: TransferDown,
      begins: (header) => this.#begins(header),
      told: () => {},
      refused: (error) => this.#refused(error),
      coming: (progress) => (this.#coming = progress),
      carryOut: (transferFile) => this.#carryOut(transferFile),
      over: () => (this.#coming = undefined),
    });
  }

  /** Yields the segments that headquarters lacks, up to the size limit of a transfer file. */
  async *#segments(): AsyncGenerator<Bringing> {
    const { segmentSender } = this.#deps;
    let cursors: readonly Cursor[] = segmentSender.cursors;
    for (let bytes = 0; ; ) {
      const segment = await segmentSender.next(cursors);
      if (!segment) return;
      const { file, end } = segment;
      bytes += file.length;
      if (bytes > TRANSFER_SEGMENT_BYTES) return;
      yield [{ what: 'segment', bytes: file.length }, [file]];
      cursors = [...cursors.filter(({ epoch }) => epoch !== end.epoch), end];
    }
  }

  #begins({ direction, store: ref, key, number }: TransferHeader): void {
    const { store, workspaceId, storeRef, key: headquarters } = this.#deps;
    if (key !== headquarters.slice(-64)) throw new BadBytes('comes from another headquarters');
    if (direction !== 'down') throw new BadBytes('is for headquarters, not for a store');
    if (ref !== storeRef) throw new BadBytes('is for another store');
    const last = store.find(workspaceId)!.stick_in;
    if (number <= last)
      throw new BadBytes(`has the number ${number}, but the file with the number ${last} was already imported`);
  }

  #refused(error: BadBytes): Error {
    const { db, incidents, workspaceId } = this.#deps;
    const sentence = `The file on the USB stick was not imported: the file ${error.message}. Nothing was changed.`;
    if (!(error instanceof NoTransferFile))
      db.write(() => incidents.add(workspaceId, 'stick_refused', sentence, error instanceof AlteredBytes ? 1 : 0));
    return badRequest(sentence);
  }

  /**
   * Applies a verified transfer file. Its number is stored last, so that the same file can be imported again after an
   * interruption.
   */
  async #carryOut({ header, state, pieces }: ReceivedTransferFile<TransferDown>): Promise<number> {
    const { db, store, workspaceId, link, desired } = this.#deps;
    // If headquarters answered over the network after the file was made, the answer in the file is ignored, because it
    // is older.
    if (link.answeredAt === null || link.answeredAt * 1000 <= header.made_ms) {
      link.receiveAnswer(state);
      await link.carried(state.cursors);
    }
    if (state.desired && (state.desired_rev ?? 0) > desired.rev) desired.accept(state.desired);
    await this.#bring(pieces);
    db.write(() => {
      store.setStickTaken(workspaceId, header.number, state.taken);
      store.deleteProof(workspaceId);
    });
    link.hurryCampaigns();
    link.sendPresence();
    return header.number;
  }

  /** Documents come first, because they name the wanted files. The fetcher then verifies each file and stores it. */
  async #bring(pieces: readonly Landed[]): Promise<void> {
    const { desired, parts } = this.#deps;
    const came = new Map(pieces.flatMap((piece) => (piece.what === 'blob' ? [[piece.sha256, piece] as const] : [])));
    for (const missing of desired.missing()) {
      const piece = missing.what === 'document' ? came.get(missing.sha256) : undefined;
      if (missing.what === 'document' && piece && piece.bytes <= MAX_CAMPAIGN_BYTES)
        desired.documentCame(missing.campaign, await readFile(piece.path));
    }
    for (const missing of desired.missing()) {
      const piece = missing.what === 'file' ? came.get(missing.file.sha256) : undefined;
      if (!piece) continue;
      came.delete(piece.sha256);
      await parts.bring(piece.sha256, { path: piece.path, size: piece.bytes });
    }
  }
}
