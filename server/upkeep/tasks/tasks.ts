/** Tasks of the upkeep process, and its messages. */
import type { BackupSummary } from '../backup/backup-files.ts';
import type { BackupOrder, LostMedia } from '../backup/make-backup.ts';
import type { Place } from '../backup/place.ts';
import type { PoolFindings } from '../backup/pool.ts';
import type { Tried } from '../backup/try-backup.ts';
import type { MediaFindings } from '../checks/media-check.ts';
import type { Progress } from './progress.ts';

export type Task =
  | { readonly do: 'backup'; readonly place: Place; readonly order: Omit<BackupOrder, 'target'>; readonly name: string }
  | { readonly do: 'list'; readonly place: Place }
  | { readonly do: 'delete'; readonly place: Place; readonly name: string }
  /** Tests whether a backup can be restored. */
  | { readonly do: 'try'; readonly place: Place; readonly name: string }
  /** Reads a file. Answered with size and time, then with a piece for each `more`. */
  | { readonly do: 'read'; readonly place: Place; readonly name: string }
  /**
   * Receives an uploaded file. Answered when there is space, then after each piece, and at the end with the summary.
   */
  | { readonly do: 'bring-in'; readonly place: Place; readonly name: string; readonly expected: number }
  /** Performs a requested restore before the server starts again. */
  | { readonly do: 'restore'; readonly data: string }
  /** Writes the marker file into a folder, which makes it the chosen folder for backups. */
  | { readonly do: 'choose'; readonly place: Place }
  | { readonly do: 'check-media'; readonly data: string }
  | { readonly do: 'check-database'; readonly data: string }
  /** Restores media from the backups in a folder. */
  | { readonly do: 'heal'; readonly place: Place; readonly wanted: readonly string[] }
  | { readonly do: 'check-pool'; readonly place: Place }
  | { readonly do: 'sizes'; readonly data: string };

/** Sizes of folders in bytes, in addition to database and media. */
export interface FolderSizes {
  readonly backups: number;
  readonly logs: number;
  /** Size of media that nothing refers to. */
  readonly aside: number;
}

export interface TaskResult {
  readonly backup: { readonly made: BackupSummary; readonly lost: LostMedia };
  readonly list: BackupSummary[];
  /** Result of `delete`: false if the backup did not exist. */
  readonly delete: boolean;
  /** Undefined when the backup does not exist. */
  readonly try: Tried | undefined;
  /** Undefined when the file does not exist. */
  readonly read: { readonly size: number; readonly changedAt: number } | undefined;
  /** Summary of the new backup; undefined until the file is complete. */
  readonly 'bring-in': BackupSummary | undefined;
  readonly restore: true;
  /** Reason why the folder cannot be used; undefined on success. */
  readonly choose: string | undefined;
  readonly 'check-media': MediaFindings;
  /** Description of the damage; null when the database is intact. */
  readonly 'check-database': { readonly damage: string | null };
  /** SHA-256 of the media files that were restored. */
  readonly heal: string[];
  readonly 'check-pool': PoolFindings;
  readonly sizes: FolderSizes;
}

/**
 * Message of the upkeep process. `aliveFor`: the next message follows within this many milliseconds. `piece`: part of a
 * file that is read; null at the end. `refused`: the input is unusable and the server is not at fault.
 */
export type TaskWord =
  | { readonly aliveFor: number }
  | { readonly progress: Progress }
  | { readonly result: TaskResult[keyof TaskResult] }
  | { readonly error: string; readonly refused?: boolean }
  | { readonly piece: Uint8Array | null };
/** Requests a piece of a file that is read, from this offset. */
export type More = { readonly from: number };
/** Sends a part of an uploaded file: a piece, the end of the file, or the message that the upload was aborted. */
export type Given = { readonly give: Uint8Array | 'end' | 'nothing' };
export type TaskMessage = Task | More | Given;
