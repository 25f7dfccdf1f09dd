/** What lies in the data folder: database, keys, media, backups. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadIdentity } from '../../identity.ts';
import { listBackups, newestGood } from '../../upkeep/backup/backup-files.ts';
import { backupsFolder } from '../../upkeep/backup/make-backup.ts';
import { checkMedia } from '../../upkeep/media-check.ts';
import { RESTORE_MARK } from '../../upkeep/restore-mark.ts';
import { doubtIn } from '../../upkeep/store-record.ts';
import { size } from '../command.ts';
import { type Check, checkOf, type Look } from './check.ts';
import { examine } from './database.store.ts';

const OLD_MS = 3 * 86_400_000;

export const database: Look = ({ data }) => {
  const check = checkOf('database');
  const file = join(data, 'vitrine.db');
  if (existsSync(join(data, RESTORE_MARK))) return [check('bad', `A restore into ${data} was interrupted. Do it again ("vitrine restore").`)];
  try {
    const doubt = doubtIn(data);
    if (doubt) return [check('bad', `${doubt} ${wayBack(data)}`)];
    if (!existsSync(file)) return [check('ok', 'There is no database yet; the first start makes it.')];
    const { damage, users, screens, plays, sealed, bytes } = examine(file);
    if (damage) return [check('bad', `${file} is damaged (${damage}). ${wayBack(data)}`)];
    return [check('ok', `The database is whole: ${size(bytes)}, ${users} users, ${screens} screens, ${plays} plays`), ...keys(data, sealed)];
  } catch (error) {
    return [check('bad', `${file} cannot be read (${(error as Error).message}). ${wayBack(data)}`)];
  }
};

const keys = (data: string, sealed: number): Check[] => {
  const check = checkOf('database');
  const found: Check[] = [];
  try {
    const { fingerprint } = loadIdentity(data, { mayCreate: false });
    found.push(check('ok', `The server's key is there (${fingerprint.slice(0, 16)}…)`));
  } catch (error) {
    const good = newestGood(backupsFolder(data));
    found.push(
      check(
        'bad',
        `${(error as Error).message} ${good ? `To take it from the newest backup: vitrine restore ${good.path} --data ${data} --keys-only` : 'Take it from a backup, or make a new one with "vitrine new-key".'}`,
      ),
    );
  }
  if (sealed > 0 && !existsSync(join(data, 'keys', 'secrets.key'))) {
    found.push(
      check('bad', `keys/secrets.key is missing: ${sealed} users with two-factor sign-in cannot use their app. Take it from a backup ("vitrine restore FILE --keys-only").`),
    );
  }
  return found;
};

const wayBack = (data: string): string => {
  const good = newestGood(backupsFolder(data));
  return good ? `The newest good backup: vitrine restore ${good.path} --data ${data}` : 'Restore a backup ("vitrine restore FILE").';
};

export const media: Look = ({ data, quick }) => {
  const check = checkOf('media');
  if (!existsSync(join(data, 'vitrine.db'))) return [];
  try {
    const { checked, missing, damaged } = checkMedia(data, { hash: !quick });
    const bad = [
      ...missing.map(({ names }) =>
        check('bad', `The file of ${names.join(', ')} is missing. Upload it again ("Replace"), or restore a backup. Screens that hold it go on playing.`),
      ),
      ...damaged.map(({ names }) =>
        check('bad', `The file of ${names.join(', ')} is damaged. Upload it again ("Replace"), or restore a backup. Screens that hold it go on playing.`),
      ),
    ];
    return bad.length > 0 ? bad : [check('ok', `${checked} media files are ${quick ? 'there' : 'there and whole'}`)];
  } catch (error) {
    return [check('bad', `The media cannot be checked: ${(error as Error).message}`)];
  }
};

export const backups: Look = ({ data }) => {
  const check = checkOf('backups');
  if (!existsSync(join(data, 'vitrine.db'))) return [];
  const folder = backupsFolder(data);
  const all = listBackups(folder);
  const broken = all.filter(({ manifest }) => !manifest).map(({ damage }) => check('warn', damage!));
  const good = newestGood(folder);
  if (!good) return [...broken, check('warn', `There is no backup in ${folder}. "vitrine backup" makes one; the server makes one each night.`)];
  const at = new Date(good.manifest!.made_at);
  const old = Date.now() - at.getTime() > OLD_MS;
  return [
    ...broken,
    check(old ? 'warn' : 'ok', `${all.length} backups, the newest good one from ${at.toLocaleString()}${old ? ': it is old. Does the server run at night?' : ''}`),
  ];
};
