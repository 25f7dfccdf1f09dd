/** What is archived of a screen: its program, and when its panel is on. With other hours the same program plans something else. */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import type { Block, Program } from '../../shared/program/program.ts';

interface Archived {
  readonly program: Program;
  readonly hours: readonly Block[];
}

/** A program of 20 items is 600 bytes then, made in a millisecond by a thread of its own. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);

/** @param program as players have it */
export const archivedOf = (program: Buffer, hours: readonly Block[]): Promise<Buffer> =>
  compress(`{"hours":${JSON.stringify(hours)},"program":${program}}`, QUALITY);

export const readArchived = (body: Buffer): Archived => JSON.parse(brotliDecompressSync(body).toString()) as Archived;
