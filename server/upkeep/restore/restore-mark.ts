/**
 * Marker file in a data folder during a restore. A start that finds the file must finish the restore before it opens
 * anything, so that the server does not run with half of a store.
 */
export const RESTORE_MARK = 'restore-in-progress';
