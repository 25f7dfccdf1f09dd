/**
 * Names the file that lies in a data folder while a restore is under way: whoever finds it there must
 * finish it before anything is opened, or not start with half of a store.
 */
export const RESTORE_MARK = 'restore-in-progress';
