import { resolve } from 'node:path';
import { restoreBackup } from '../upkeep/backup/restore.ts';
import { type Command, DATA_HELP } from './command.ts';

export const restore: Command = {
  name: 'restore',
  usage: 'restore FILE [--data DIR] [--keys-only] [--json]',
  summary: 'bring a store back from a backup, on this or on another computer',
  help: `The server must be stopped. The backup is checked before anything is touched; what was in the data folder is set aside there,
never overwritten. Players find the restored server by themselves, wherever it runs, since its keys come back with it.
In the same data folder, what was revoked or removed since the backup stays so: access tokens, sessions, accounts, memberships, roles
and the secrets of screens (revoked.db). The next start says what that was.

  --keys-only  only the server's keys; database and media stay as they are
${DATA_HELP}`,
  options: { 'keys-only': 'flag' },
  takes: [1, 1],
  async run({ names, isSet, data: folder }, { say }) {
    const [file, data] = [resolve(names[0]!), resolve(folder)];
    const keysOnly = isSet('keys-only');
    const restored = restoreBackup({ file, data, now: Date.now(), only: keysOnly ? 'keys' : undefined });
    const { manifest, set_aside, media_files, media_missing } = restored;
    say(
      `${keysOnly ? 'The keys were' : 'The store was'} restored to ${data}, as of ${new Date(manifest.made_at).toLocaleString()}${keysOnly ? '' : ` (${media_files} media files)`}.`,
    );
    if (set_aside) say(`What was there before is in ${set_aside}.`);
    if (!keysOnly && media_missing.length > 0) say(`${media_missing.length} media files are not in the backup and not beside it. "vitrine doctor" names them.`);
    say(`Start the server: vitrine serve --data ${data}`);
    return { result: { data, made_at: manifest.made_at, version: manifest.version, server: manifest.server, set_aside, media_files, media_missing } };
  },
};
