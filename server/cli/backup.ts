import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dailyName } from '../upkeep/backup/backup-files.ts';
import { backupsFolder, makeBackup } from '../upkeep/backup/make-backup.ts';
import { type Command, DATA_HELP, size } from './command.ts';
import { waitingFor } from './waiting.ts';

export const backup: Command = {
  name: 'backup',
  usage: 'backup [--to FILE] [--data DIR] [--json]',
  summary: 'back up the whole store, also while its server runs',
  help: `With --to, one file contains everything: the database, the media and the keys of this server. Without --to, the backup goes to
the folder "backups" of the data folder, like the daily backups, which share their media in a folder next to them.
The backup is checked after it is written. Keep the file where only you can read it: anyone with it can impersonate this server.

  --to FILE    the new file, or a folder for it; existing files are never overwritten
${DATA_HELP}`,
  options: { to: 'text' },
  takes: [0, 0],
  async run({ text, data: folder }, { print }) {
    const now = Date.now();
    const data = resolve(folder);
    const to = text('to');
    const made = await waitingFor(to === undefined ? data : resolve(to), () =>
      makeBackup({ data, target: targetOf(to, data, now), media: to === undefined ? 'beside' : 'inside', now }),
    );
    const { manifest } = made;
    const lost = manifest.media_missing.length + manifest.media_damaged.length;
    print(
      `Saved to ${made.file} (${size(made.bytes)}, ${manifest.media.length} media files${manifest.media_kept === 'beside' ? ' beside it' : ''}).`,
    );
    if (lost > 0)
      print(
        `${lost} media files are missing or damaged on this server and are not in it. "vitrine doctor" names them.`,
      );
    const { media, ...rest } = manifest;
    return { result: { file: made.file, bytes: made.bytes, media_files: media.length, ...rest } };
  },
};

const targetOf = (to: string | undefined, data: string, now: number): string => {
  if (to === undefined) return join(backupsFolder(data), dailyName(now));
  const path = resolve(to);
  return existsSync(path) && statSync(path).isDirectory() ? join(path, dailyName(now)) : path;
};
