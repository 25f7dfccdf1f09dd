/** Checks the data folder: database, keys, media, backups. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadIdentity } from '../../identity.ts';
import { listBackups, newestGood } from '../../upkeep/backup/backup-files.ts';
import { backupsFolder } from '../../upkeep/backup/make-backup.ts';
import { poolOf } from '../../upkeep/backup/pool.ts';
import { doubtIn } from '../../upkeep/backup/store-record.ts';
import { isWhole, mediaPath } from '../../upkeep/backup/whole-file.ts';
import { type BadMedia, checkMedia } from '../../upkeep/checks/media-check.ts';
import { RESTORE_MARK } from '../../upkeep/restore/restore-mark.ts';
import { TaskFailed, UpkeepProcess } from '../../upkeep/tasks/process.ts';
import { size } from '../command.ts';
import { type Check, checkOf, type Look } from './check.ts';
import { chosenFolder, examine } from './database.store.ts';

const OLD_MS = 3 * 86_400_000;
const HOLD_MS = 60_000;

export const database: Look = ({ data }) => {
  const check = checkOf('database');
  const file = join(data, 'vitrine.db');
  if (existsSync(join(data, RESTORE_MARK)))
    return [check('bad', `A restore into ${data} was interrupted. Do it again ("vitrine restore").`)];
  try {
    const doubt = doubtIn(data);
    if (doubt) return [check('bad', `${doubt} ${wayBack(data)}`)];
    if (!existsSync(file)) return [check('ok', 'There is no database yet; the first start makes it.')];
    const { damage, users, screens, plays, sealed, bytes } = examine(file);
    if (damage) return [check('bad', `${file} is damaged (${damage}). ${wayBack(data)}`)];
    return [
      check('ok', `The database is whole: ${size(bytes)}, ${users} users, ${screens} screens, ${plays} plays`),
      ...keys(data, sealed),
    ];
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
      check(
        'bad',
        `keys/secrets.key is missing: ${sealed} users with two-factor sign-in cannot use their app. Take it from a backup ("vitrine restore FILE --keys-only").`,
      ),
    );
  }
  return found;
};

const wayBack = (data: string): string => {
  const good = newestGood(backupsFolder(data));
  return good
    ? `The newest good backup: vitrine restore ${good.path} --data ${data}`
    : 'Restore a backup ("vitrine restore FILE").';
};

export const media: Look = ({ data, quick }) => {
  const check = checkOf('media');
  if (!existsSync(join(data, 'vitrine.db'))) return [];
  try {
    const { checked, missing, damaged } = checkMedia(data, { hash: !quick });
    const of = (what: string) => (one: BadMedia) =>
      check('bad', `The file of ${one.names.join(', ')} is ${what}. ${wayToHeal(data, one.sha256)}`);
    const bad = [...missing.map(of('missing')), ...damaged.map(of('damaged'))];
    return bad.length > 0 ? bad : [check('ok', `${checked} media files are ${quick ? 'there' : 'there and whole'}`)];
  } catch (error) {
    return [check('bad', `The media cannot be checked: ${(error as Error).message}`)];
  }
};

const wayToHeal = (data: string, sha256: string): string =>
  isWhole(mediaPath(poolOf(backupsFolder(data)), sha256), sha256)
    ? `The backups in ${backupsFolder(data)} have it whole: the running server brings it back with its next backup, or its next look at the media.`
    : 'Upload it again ("Replace"), or restore a backup. Screens that hold it go on playing.';

export const backups: Look = async (at) => [...ownBackups(at.data), ...(await chosenBackups(at.data))];

/** Lists the chosen folder in a child process, because its disk may hang. */
const chosenBackups = async (data: string): Promise<Check[]> => {
  const check = checkOf('backups');
  const folder = chosenFolder(join(data, 'vitrine.db'));
  if (!folder) return [];
  // This timer keeps the process of the command alive until the answer arrives. The child process alone does not.
  const hold = setInterval(() => {}, HOLD_MS);
  try {
    const all = await new UpkeepProcess().run({ do: 'list', place: { folder, chosen: true, data } });
    const newest = Math.max(0, ...all.map(({ madeAt }) => madeAt ?? 0));
    if (newest === 0) return [check('warn', `There is no backup in ${folder}, the chosen folder.`)];
    const missing = all.find(({ madeAt }) => madeAt === newest)!.mediaMissing;
    const lacks = missing > 0 ? `; ${missing} media files are missing from it` : '';
    return [
      check(
        Date.now() - newest > OLD_MS || missing > 0 ? 'warn' : 'ok',
        `${all.length} backups in ${folder}, the newest from ${new Date(newest).toLocaleString()}${lacks}`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    return [check('bad', error.message)];
  } finally {
    clearInterval(hold);
  }
};

const ownBackups = (data: string): Check[] => {
  const check = checkOf('backups');
  if (!existsSync(join(data, 'vitrine.db'))) return [];
  const folder = backupsFolder(data);
  const all = listBackups(folder);
  const broken = all.filter(({ manifest }) => !manifest).map(({ damage }) => check('warn', damage!));
  const good = newestGood(folder);
  if (!good && chosenFolder(join(data, 'vitrine.db'))) return broken;
  if (!good)
    return [
      ...broken,
      check('warn', `There is no backup in ${folder}. "vitrine backup" makes one; the server makes one each night.`),
    ];
  const at = new Date(good.manifest!.made_at);
  const old = Date.now() - at.getTime() > OLD_MS;
  return [
    ...broken,
    check(
      old ? 'warn' : 'ok',
      `${all.length} backups, the newest good one from ${at.toLocaleString()}${old ? ': it is old. Does the server run at night?' : ''}`,
    ),
  ];
};
