/** Names of unfinished backups, and removal of leftovers of killed backup processes. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf } from './pieces.ts';
import { filesIn, poolOf } from './pool.ts';

export const workName = (): string => `.work-${process.pid}-${randomUUID()}`;
const UNFINISHED = /^\.work-(\d+)-|\.(\d+)\.part$/;

/** Removes leftovers of killed backups in a folder. Called before this process makes a backup. */
export const tidy = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) removeLeft(name, join(folder, name));
};

/**
 * Removes the same leftovers as `tidy`, and also leftovers in the media pool and in the folder of pack files, which
 * takes longer.
 */
export const tidyAll = (folder: string): void => {
  tidy(folder);
  for (const pool of [poolOf(folder), piecesOf(folder)])
    for (const { name, path } of filesIn(pool)) removeLeft(name, path);
};

const removeLeft = (name: string, path: string): void => {
  const found = UNFINISHED.exec(name);
  if (found && !isOtherAlive(Number(found[1] ?? found[2]))) rmSync(path, { recursive: true, force: true });
};

/** Returns whether another process is making or receiving a backup in a folder. */
export const isMadeByOther = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder).some((name) => isOtherAlive(Number(UNFINISHED.exec(name)?.[2] ?? Number.NaN)));

const isOtherAlive = (pid: number): boolean => {
  if (Number.isNaN(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
