/** Composes a transfer file while it is being downloaded. Used by stores and headquarters. */
import type { TransferDown, TransferPiece, TransferUp } from '../../shared/chain/transfer-file.ts';
import type { Sealer } from '../kernel/trust/sealing.ts';

/**
 * A piece of a transfer file, and its bytes. If the number of bytes differs from `piece.bytes`, the file ends early.
 */
export type Bringing = readonly [piece: TransferPiece, bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[]];

export const entryLine = (entry: TransferDown | TransferUp | TransferPiece): Buffer =>
  Buffer.from(`${JSON.stringify(entry)}\n`);

export const transferFileOf = (
  sealer: Sealer,
  state: TransferDown | TransferUp,
  pieces: AsyncIterable<Bringing> | Iterable<Bringing>,
): AsyncGenerator<Buffer, void, undefined> => sealer.seal(entriesOf(state, pieces));

async function* entriesOf(
  state: TransferDown | TransferUp,
  pieces: AsyncIterable<Bringing> | Iterable<Bringing>,
): AsyncGenerator<Uint8Array> {
  yield entryLine(state);
  for await (const [piece, bytes] of pieces) {
    yield entryLine(piece);
    let came = 0;
    for await (const part of bytes) {
      came += part.length;
      yield part;
    }
    // Aborts the download, because the file on disk has changed since its size was announced.
    if (came !== piece.bytes) throw new RangeError();
  }
}
