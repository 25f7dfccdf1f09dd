/**
 * File in a data folder during a restore. A start that finds it must finish the restore before it opens anything, so
 * that it does not run with half of a store.
 */
export const RESTORE_MARK = 'restore-in-progress';
