/** Checks that the segment files (single plays, beside the database) exist and are as long as their index says. */
import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type At, type Check, checkOf } from '../doctor/check.ts';
import type { SegmentFileRow } from './headquarters.store.ts';
import { wordsOfMany } from './many.ts';
import { packsOf } from './plays-in.ts';

const check = checkOf('plays');
/** Number of files to check. Each check may access a remote disk. */
const SAMPLE = 500;
const AT_ONCE = 16;

/** @param url PostgreSQL address, if the index is there */
export const plays = async ({ data }: Pick<At, 'data'>, url?: string): Promise<Check[]> => {
  const folder = join(data, 'chain');
  const all = await packsOf({ data }, url);
  if (all.length === 0) return [check('ok', 'Headquarters has no plays yet')];
  const trouble = await access(folder, constants.R_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => error);
  if (trouble) return [check('bad', whyNot(folder, trouble.code))];
  const looked = sampleOf(all);
  const bad: string[] = [];
  for (let i = 0; i < looked.length; i += AT_ONCE)
    bad.push(...(await Promise.all(looked.slice(i, i + AT_ONCE).map((pack) => lackOf(folder, pack)))).flat());
  const of = looked.length < all.length ? `${looked.length} of ${all.length}` : String(all.length);
  if (bad.length === 0) return [check('ok', `${of} files of plays in ${folder} are there, as long as the index says`)];
  return [
    check(
      'bad',
      `Of ${of} files of plays in ${folder}, ${bad.length} are not as the index says: ${wordsOfMany(bad)}. Sums are right, but single plays and proof are missing. Copy the folder from its backup, with headquarters stopped; what stores still keep, they send again by themselves.`,
    ),
  ];
};

/** Returns the newest segment files, and a sample of older files in equal steps. */
const sampleOf = (all: readonly SegmentFileRow[]): readonly SegmentFileRow[] => {
  if (all.length <= SAMPLE) return all;
  const [newest, older] = [all.slice(0, SAMPLE / 2), all.slice(SAMPLE / 2)];
  const step = older.length / (SAMPLE / 2);
  return [...newest, ...Array.from({ length: SAMPLE / 2 }, (_, i) => older[Math.floor(i * step)]!)];
};

const lackOf = async (folder: string, { pack, bytes, store }: SegmentFileRow): Promise<string[]> => {
  try {
    const { size } = await stat(join(folder, pack));
    return size >= bytes ? [] : [`${pack} (${store}) has ${size} of ${bytes} bytes`];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return [code === 'ENOENT' ? `${pack} (${store}) is missing` : `${pack} (${store}) cannot be read (${code})`];
  }
};

const whyNot = (folder: string, code: string | undefined): string =>
  code === 'ENOENT'
    ? `${folder} is missing, and with it the single plays of all stores; sums are right. Copy it from its backup, with headquarters stopped; what stores still keep, they send again by themselves.`
    : `${folder} cannot be read (${code}). Give this user, and that of the server, the right to.`;
