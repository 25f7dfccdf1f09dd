/**
 * Classifies errors of the disk. All error codes of the system and of SQLite are listed here, so that a dying disk is
 * never reported as full or as a bug of Vitrine.
 */
import { ApiError, diskFailing, diskFull } from '../../../shared/contract/errors.ts';

/**
 * Kind of a disk error. `full`: no space is left. `failing`: the disk cannot be read or written, regardless of free
 * space.
 */
type DiskTrouble = 'full' | 'failing';

const FULL = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
/**
 * Error codes of SQLite that occur both on a full disk and on a broken disk, when SQLite cannot create its shared
 * memory file or extend the WAL. The free space tells the two cases apart.
 */
const EITHER = /^SQLITE_(IOERR_SHMSIZE|IOERR_SHMOPEN|CANTOPEN)/;
const FAILING =
  /^(SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)\w*|EIO|EREMOTEIO|EROFS|ENXIO|ENODEV|ESTALE|EUCLEAN)$/;

/**
 * Returns the kind of a disk error; undefined when the error does not concern the disk.
 * @param hasRoom returns whether
 * anything fits on the disk
 */
export const diskTrouble = (error: unknown, hasRoom: () => boolean = () => true): DiskTrouble | undefined => {
  if (error instanceof ApiError)
    return error.status === 507 ? 'full' : error.code === diskFailing().code ? 'failing' : undefined;
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string') return undefined;
  if (FULL.has(code) || (EITHER.test(code) && !hasRoom())) return 'full';
  return FAILING.test(code) ? 'failing' : undefined;
};

/** Returns the API error that users see for a disk error. Other errors are returned unchanged. */
export const diskError = (error: unknown): unknown => {
  if (error instanceof ApiError) return error;
  const trouble = diskTrouble(error);
  return trouble === 'full' ? diskFull() : trouble === 'failing' ? diskFailing() : error;
};
