/** Composes a transfer file (stick) while it is being downloaded, for stores and headquarters. */
import type { StickDown, StickPiece, StickUp } from '../../shared/chain/stick.ts';
import type { Sealer } from '../kernel/sealing.ts';

/** A piece and its bytes. A wrong number of bytes ends the transfer file early. */
export type Bringing = readonly [piece: StickPiece, bytes: AsyncIterable<Uint8Array> | readonly Uint8Array[]];

export const entryLine = (entry: StickDown | StickUp | StickPiece): Buffer => Buffer.from(`${JSON.stringify(entry)}\n`);

export const stickOf = (
  sealer: Sealer,
  state: StickDown | StickUp,
  pieces: AsyncIterable<Bringing> | Iterable<Bringing>,
): AsyncGenerator<Buffer, void, undefined> => sealer.seal(entriesOf(state, pieces));

async function* entriesOf(
  state: StickDown | StickUp,
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
    // The file on disk has changed, so the answer is aborted.
    if (came !== piece.bytes) throw new RangeError();
  }
}
