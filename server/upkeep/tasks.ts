/** Lists the tasks of the upkeep process, and its answers. */
import type { BackupSummary } from './backup/backup-files.ts';
import type { BackupOrder, LostMedia } from './backup/make-backup.ts';
import type { Place } from './backup/place.ts';
import type { PoolFindings } from './backup/pool.ts';
import type { Tried } from './backup/try-backup.ts';
import type { MediaFindings } from './media-check.ts';
import type { Progress } from './progress.ts';

export type Task =
  | { readonly do: 'backup'; readonly place: Place; readonly order: Omit<BackupOrder, 'target'>; readonly name: string }
  | { readonly do: 'list'; readonly place: Place }
  | { readonly do: 'delete'; readonly place: Place; readonly name: string }
  /** Unpacks a backup, looks at everything, and throws it away. */
  | { readonly do: 'try'; readonly place: Place; readonly name: string }
  /** Answered by what it is, then by a piece of it for each `more`. */
  | { readonly do: 'read'; readonly place: Place; readonly name: string }
  /** Answered once there is room, then after each piece, and at the end by what it has become in the list. */
  | { readonly do: 'bring-in'; readonly place: Place; readonly name: string; readonly expected: number }
  /** Puts a backup in place that was ordered, before the server starts anew. */
  | { readonly do: 'restore'; readonly data: string }
  /** Makes a folder the chosen one. */
  | { readonly do: 'choose'; readonly place: Place }
  | { readonly do: 'check-media'; readonly data: string }
  | { readonly do: 'check-database'; readonly data: string }
  /** Brings media back from the backups in a place. */
  | { readonly do: 'heal'; readonly place: Place; readonly wanted: readonly string[] }
  | { readonly do: 'check-pool'; readonly place: Place }
  | { readonly do: 'sizes'; readonly data: string };

/** Counts the bytes of the folders beside database and media. */
export interface FolderSizes {
  readonly backups: number;
  readonly logs: number;
  /** Counts media that nothing refers to. */
  readonly aside: number;
}

export interface TaskResult {
  readonly backup: { readonly made: BackupSummary; readonly lost: LostMedia };
  readonly list: BackupSummary[];
  /** False when there was none. */
  readonly delete: boolean;
  /** Undefined when there is no such file. */
  readonly try: Tried | undefined;
  /** Undefined when there is no such file. */
  readonly read: { readonly size: number; readonly changedAt: number } | undefined;
  /** Undefined until all of it has come. */
  readonly 'bring-in': BackupSummary | undefined;
  readonly restore: true;
  /** Says why it cannot be chosen; undefined when it is. */
  readonly choose: string | undefined;
  readonly 'check-media': MediaFindings;
  /** Says what is wrong; null when it is whole. */
  readonly 'check-database': { readonly damage: string | null };
  /** Lists the SHA-256 of those that are whole again. */
  readonly heal: string[];
  readonly 'check-pool': PoolFindings;
  readonly sizes: FolderSizes;
}

/**
 * `aliveFor` says that nothing is wrong as long as the next word comes within so many milliseconds. `piece` is part of
 * a file that is read; null means that it was all. With `refused` nothing is wrong with the server: what it was given
 * cannot be used.
 */
export type TaskWord =
  | { readonly aliveFor: number }
  | { readonly progress: Progress }
  | { readonly result: TaskResult[keyof TaskResult] }
  | { readonly error: string; readonly refused?: boolean }
  | { readonly piece: Uint8Array | null };
/** Asks for a piece of a file that is read, from this byte on. */
export type More = { readonly from: number };
/** Gives a file that is brought in: a piece of it, its end, or that it will never come. */
export type Given = { readonly give: Uint8Array | 'end' | 'nothing' };
export type TaskMessage = Task | More | Given;
