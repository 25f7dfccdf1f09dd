/**
 * Says what an error means for the disk. One place knows the words of the system and of SQLite for it, so that a disk
 * that dies is nowhere called full, and nowhere a fault of ours.
 */
import { ApiError, diskFailing, diskFull } from '../../shared/contract/errors.ts';

/** `full` means that there is no room, `failing` that the disk cannot be written or read whatever room there is. */
type DiskTrouble = 'full' | 'failing';

const FULL = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
/**
 * SQLite says these for both: it could not make its shared memory or a log longer. The room that is left tells which.
 */
const EITHER = /^SQLITE_(IOERR_SHMSIZE|IOERR_SHMOPEN|CANTOPEN)/;
const FAILING =
  /^(SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)\w*|EIO|EREMOTEIO|EROFS|ENXIO|ENODEV|ESTALE|EUCLEAN)$/;

/** Returns undefined when the error says nothing of the disk. @param hasRoom says whether anything fits on the disk */
export const diskTrouble = (error: unknown, hasRoom: () => boolean = () => true): DiskTrouble | undefined => {
  if (error instanceof ApiError)
    return error.status === 507 ? 'full' : error.code === diskFailing().code ? 'failing' : undefined;
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string') return undefined;
  if (FULL.has(code) || (EITHER.test(code) && !hasRoom())) return 'full';
  return FAILING.test(code) ? 'failing' : undefined;
};

/** Returns the sentence that people get for it. An error that says nothing of the disk stays what it is. */
export const diskError = (error: unknown): unknown => {
  if (error instanceof ApiError) return error;
  const trouble = diskTrouble(error);
  return trouble === 'full' ? diskFull() : trouble === 'failing' ? diskFailing() : error;
};
