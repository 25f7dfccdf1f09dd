import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { restoreBackup } from '../upkeep/backup/restore.ts';
import { readBlobs } from '../upkeep/checks/media-check.store.ts';
import { type Command, DATA_HELP, Exit } from './command.ts';
import { waitingFor } from './waiting.ts';

export const restore: Command = {
  name: 'restore',
  usage: 'restore FILE [--data DIR] [--keys-only] [--json]',
  summary: 'restore a store from a backup, on this or another computer',
  help: `Stop the server first. The backup is checked before anything changes. Existing data is moved aside in the data folder, never
overwritten. Players find the restored server automatically, because the backup contains its keys.
In the same data folder, everything revoked or removed since the backup stays so: access tokens, sessions, accounts, memberships,
roles and the secrets of screens (revoked.db). The next start lists it.
Exit code 3 when the store is restored, but media are missing. The missing media are listed.

  --keys-only  restore only the server's keys; the database and media do not change
${DATA_HELP}`,
  options: { 'keys-only': 'flag' },
  takes: [1, 1],
  async run({ names, isSet, data: folder }, { print }) {
    const [file, data] = [resolve(names[0]!), resolve(folder)];
    const keysOnly = isSet('keys-only');
    const restored = await waitingFor(file, () =>
      restoreBackup({ file, data, now: Date.now(), only: keysOnly ? 'keys' : undefined }),
    );
    const { manifest, set_aside, media_files, media_missing, media_damaged } = restored;
    const lost = [...media_missing, ...media_damaged];
    print(
      `${keysOnly ? 'The keys were' : 'The store was'} restored to ${data}, as of ${new Date(manifest.made_at).toLocaleString()}${keysOnly ? '' : ` (${media_files} media files)`}.`,
    );
    if (set_aside) print(`What was there before is in ${set_aside}.`);
    const name = namesIn(data, lost);
    for (const [what, hashes] of [
      ['missing: no backup here has', media_missing] as const,
      ['damaged, also in the backup:', media_damaged] as const,
    ])
      if (hashes.length > 0)
        print(
          `${hashes.length} media ${hashes.length === 1 ? 'file is' : 'files are'} ${what} ${listOf(hashes.map(name))}.`,
        );
    if (lost.length > 0)
      print(
        'Upload them again ("Replace"), or put the folder "media" of an older backup beside this one and restore once more.',
      );
    print(`Start the server: vitrine serve --data ${data}`);
    return {
      result: {
        data,
        made_at: manifest.made_at,
        version: manifest.version,
        server: manifest.server,
        set_aside,
        media_files,
        media_missing,
        media_damaged,
      },
      exit: lost.length > 0 ? Exit.found : Exit.done,
    };
  },
};

const SHOWN = 20;

const listOf = (names: readonly string[]): string =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');

/**
 * Returns a function that translates the hash of a file into the file's name for people. The function returns the hash
 * if the restored database does not contain the file.
 */
const namesIn = (data: string, lost: readonly string[]): ((sha256: string) => string) => {
  const file = join(data, 'vitrine.db');
  const blobs =
    lost.length > 0 && existsSync(file)
      ? new Map(readBlobs(file).map(({ sha256, names }) => [sha256, names.join(', ')]))
      : undefined;
  return (sha256) => blobs?.get(sha256) ?? sha256;
};
