/**
 * Archived data of a screen: its program and its opening hours. Both are needed, because the same program plans
 * different plays when the opening hours differ.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import type { Block, Program } from '../../shared/program/program.ts';

interface Archived {
  readonly program: Program;
  readonly hours: readonly Block[];
}

/** Compresses in the thread pool. A program of 20 items becomes 600 bytes in a millisecond. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);

/** @param program bytes as sent to players */
export const archivedOf = (program: Buffer, hours: readonly Block[]): Promise<Buffer> =>
  compress(`{"hours":${JSON.stringify(hours)},"program":${program}}`, QUALITY);

export const readArchived = (body: Buffer): Archived => JSON.parse(brotliDecompressSync(body).toString()) as Archived;
