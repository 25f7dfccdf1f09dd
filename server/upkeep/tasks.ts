/** What the upkeep process is asked, and what it answers. */
import type { BackupFile } from './backup/backup-files.ts';
import type { BackupMade, BackupOrder } from './backup/make-backup.ts';
import type { MediaFindings } from './media-check.ts';

export type Task =
  /** `keep`: of the daily backups in the target's folder, afterwards. */
  | { readonly do: 'backup'; readonly order: BackupOrder; readonly keep?: number }
  | { readonly do: 'list'; readonly folder: string }
  | { readonly do: 'check-media'; readonly data: string }
  | { readonly do: 'check-database'; readonly data: string }
  | { readonly do: 'sizes'; readonly data: string };

/** Bytes of the folders beside database and media. */
export interface FolderSizes {
  readonly backups: number;
  readonly logs: number;
  /** Media that nothing refers to. */
  readonly aside: number;
}

export interface TaskResult {
  readonly backup: BackupMade;
  readonly list: BackupFile[];
  readonly 'check-media': MediaFindings;
  /** What is wrong; null: it is whole. */
  readonly 'check-database': { readonly damage: string | null };
  readonly sizes: FolderSizes;
}

export type TaskAnswer = { readonly result: TaskResult[keyof TaskResult] } | { readonly error: string };
