/** Maintenance of the server: status, backups, and the settings of both. For administrators of the server. */
import { z } from 'zod';
import { endpointsOf, multipart, open, session, sessionOrTicket, stream } from '../endpoint.ts';
import { Epoch, Flag, FlagOut, Int, textOf, whole } from '../fields.ts';
import { Password } from '../people/users.ts';
import { Problem } from '../problems.ts';
import { HttpsStatus } from './tls.ts';

const endpoint = endpointsOf('Server');
const admin = session('platform_admin');

export const Backup = z.object({
  /** A backup file in the folder of backups. */
  name: z.string(),
  made_at: Epoch.nullable(),
  bytes: z.number(),
  /**
   * Whether the backup is complete in this one file. Otherwise its media are in a folder beside the file, which several
   * daily backups share.
   */
  complete: z.boolean(),
  /** Version of the program that made the backup; empty if it cannot be read. */
  version: z.string(),
  media_files: Int,
  /** Number of media files of the database that were missing or damaged when the backup was made. */
  media_missing: Int,
  /** Damage of the file; null: no damage according to its manifest. */
  damage: z.string().nullable(),
  /** 1: a person uploaded the backup. Until `kept_until`, other backups do not replace it. */
  brought_in: FlagOut,
  kept_until: Epoch.nullable(),
  /** 1: the backup comes from another server. It contains the keys, people and screens of that server. */
  foreign: FlagOut,
  /** Name of the server that made the backup; null: the server has no name, or the backup cannot be read. */
  server_name: z.string().nullable(),
});
export type Backup = z.infer<typeof Backup>;

/** Kinds of records that are compared with a backup, in the order of display. */
export const COMPARED_KINDS = [
  'contents',
  'playlists',
  'schedules',
  'plans',
  'layouts',
  'groups',
  'walls',
  'widgets',
  'kiosk_pages',
  'messages',
  'screens',
  'people',
  'workspaces',
] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

export const BackupDifference = z.object({
  kind: z.enum(COMPARED_KINDS),
  /** Number of records made since the backup; a restore removes them. */
  added: Int,
  /** Number of records changed since the backup; a restore undoes the changes. */
  changed: Int,
  /** Number of records deleted since the backup; a restore brings them back. */
  removed: Int,
});
export type BackupDifference = z.infer<typeof BackupDifference>;

/** Result of the newest restore that was requested here. */
export const LastRestore = z.object({
  /** Name of the restored file, and its time; null: the file could not be read. */
  backup: z.string(),
  made_at: Epoch.nullable(),
  /** Time of the request, and the user who sent it. */
  at: Epoch,
  by: z.string(),
  /** Backup that was made just before the restore. */
  safety: z.string(),
  /** Reason why the restore failed and nothing changed; null: the restore succeeded. */
  error: z.string().nullable(),
  /** Folder with the previous database and keys. */
  set_aside: z.string().nullable(),
  /** Number of media files that are missing or damaged everywhere. */
  media_missing: Int,
  /**
   * Records that were made, changed or deleted after the backup, as the test before the restore found them. Empty if
   * the backup was restored without a test.
   */
  differences: z.array(BackupDifference),
  /** Number of plays that arrived after the backup and are only in `safety`. */
  plays: Int,
});
export type LastRestore = z.infer<typeof LastRestore>;

/** Steps of a backup and of a restore, in order. */
export const WorkStep = z.enum([
  /** The server receives a file from a browser. */
  'receiving',
  /** The server copies the database in its state at one instant. */
  'database',
  /** The server writes the copy into the file of the backup. */
  'writing',
  /** The server copies the media files, or checks existing copies. */
  'media',
  /** The server reads the whole file of the backup. */
  'reading',
  'unpacking',
  /** The server checks every page of the database file. */
  'checking',
]);
export type WorkStep = z.infer<typeof WorkStep>;

export const BackupWork = z.object({
  what: z.enum(['backup', 'test', 'bring_in', 'restore']),
  step: WorkStep,
  done_bytes: z.number(),
  /** Total number of bytes; 0: unknown. */
  total_bytes: z.number(),
});
export type BackupWork = z.infer<typeof BackupWork>;

export const BackupsState = z.object({
  folder: z.string(),
  /**
   * Reason why the folder cannot be read now, for example a hanging or missing disk. `backups` is then its last known
   * content.
   */
  folder_error: z.string().nullable(),
  running: z.boolean(),
  /** Progress of the running backup or restore; null: none is running. */
  work: BackupWork.nullable(),
  /** Time of the next daily backup; null: daily backups are off. */
  next_at: Epoch.nullable(),
  /** Reason why the newest attempt failed; null: the newest attempt succeeded. */
  last_error: z.string().nullable(),
  /** Result of the last restore; null: no restore was requested. */
  last_restore: LastRestore.nullable(),
  /**
   * Proof of identity before a restore: none in the first 15 minutes of the session, then the password. Users of a
   * sign-in provider sign in there again.
   */
  proof: z.enum(['none', 'password', 'sign_in']),
  /** The backups, newest first. */
  backups: z.array(Backup),
});
export type BackupsState = z.infer<typeof BackupsState>;

export const listBackups = endpoint('GET /api/server/backups', {
  name: 'listBackups',
  summary: 'The backups in the folder of backups',
  access: admin,
  response: BackupsState,
});

export const makeBackup = endpoint('POST /api/server/backups', {
  name: 'makeBackup',
  summary: 'Make a backup now',
  description:
    'Consistent while the server runs, and read back before it counts. `complete: true` puts the media into the file as well, so that this one file is the whole store; otherwise they are kept beside it, once for all backups. Answers when it is done. 409 while another is being made.',
  access: admin,
  body: z.object({ complete: z.boolean('must be true or false').optional() }),
  status: 201,
  response: Backup,
  errors: [409],
});

const BackupName = z.string().max(130);

export const downloadBackup = endpoint('GET /api/server/backups/{name}', {
  name: 'downloadBackup',
  summary: 'A backup as a file',
  description:
    'It holds the server’s keys: who has it can be this server. The media are in it only if the backup is `complete`: a daily backup has the database and the keys, and its media stay in the folder of backups, where a restore on this server finds them. To take everything to another computer, make one with `complete: true` (`POST /api/server/backups`) and download that. Range requests are answered, also with `If-Range`. A browser that fetches it by itself is let in by the cookie of `POST …/ticket`.',
  access: sessionOrTicket('platform_admin'),
  params: z.object({ name: BackupName }),
  response: stream('application/x-tar', 'named', 'ranges', 'cached'),
});

export const ticketForBackup = endpoint('POST /api/server/backups/{name}/ticket', {
  name: 'ticketForBackup',
  summary: 'Let a browser download a backup by itself',
  description:
    'Sets a cookie that opens this one address for ten minutes: nothing of it stands in an address, a history or a log. It is noted in the activity log.',
  access: admin,
  params: z.object({ name: BackupName }),
  response: z.object({ expires_at: Epoch }),
});

export const bringInBackup = endpoint('POST /api/server/backups/brought-in', {
  name: 'bringInBackup',
  summary: 'Bring in a backup from another computer',
  description:
    'The file as it was downloaded, or as "vitrine backup" made it, in the field `file`. It is written beside the others, read whole and tried as by `/test`, and is in the list after that or not at all: 400 says what is wrong with it, 409 that it is there already or another is coming in, 507 that there is no room. It is `brought_in`, and stays for at least 30 days. One of another server is `foreign`.',
  access: admin,
  body: multipart('file'),
  status: 201,
  response: Backup,
  errors: [409],
});

export const deleteBackup = endpoint('DELETE /api/server/backups/{name}', {
  name: 'deleteBackup',
  summary: 'Delete a backup',
  access: admin,
  params: z.object({ name: BackupName }),
});

export const BackupTest = z.object({
  made_at: Epoch,
  version: z.string(),
  /** Number of media files that a restore would find: in the backup, beside it, or in the media store. */
  media_files: Int,
  media_missing: Int,
  /** Differences between the backup and the current data, by kind. Kinds without a difference are absent. */
  differences: z.array(BackupDifference),
  /** Number of plays that arrived after the backup and would be lost. */
  plays: Int,
});
export type BackupTest = z.infer<typeof BackupTest>;

export const testBackup = endpoint('POST /api/server/backups/{name}/test', {
  name: 'testBackup',
  summary: 'Try a backup, and see what a restore would change',
  description:
    'The file is read whole, its database is unpacked into a folder of its own, opened and checked, its media are looked for, it is compared with the store of now, and what was unpacked is thrown away. Nothing is changed. 409 when it could not be restored; the error says why.',
  access: admin,
  params: z.object({ name: BackupName }),
  response: BackupTest,
  errors: [409],
});

export const restoreBackup = endpoint('POST /api/server/backups/{name}/restore', {
  name: 'restoreBackup',
  summary: 'Go back to a backup',
  description:
    'Tries the backup, makes a backup of the store as it is (`safety`), answers, and restarts the server with the store of the backup; screens go on playing meanwhile. What came of it is `last_restore` of the list of backups; how far it is, and what came of it, is at `/api/server/restores/{watch}`, also while the server restarts. Within 15 minutes after I have signed in nothing else is asked. After that `password` is my own, counted like a failed sign-in when it is wrong (401); who signs in elsewhere has none here and signs in anew (401 `sign_in_again`). A password that is sent is checked in any case. What was revoked or removed since the backup stays so. 409 when it could not be restored, while a backup is being made, and where the server cannot restart itself.',
  access: admin,
  params: z.object({ name: BackupName }),
  body: z.object({ password: Password.optional() }),
  response: z.object({ safety: z.string(), watch: z.string() }),
  errors: [409],
});

export const RestoreProgress = z.object({
  /** Progress; null: the work is not running now. */
  work: BackupWork.nullable(),
  /** Result; null: the work is not finished. */
  outcome: LastRestore.nullable(),
});
export type RestoreProgress = z.infer<typeof RestoreProgress>;

export const watchRestore = endpoint('GET /api/server/restores/{watch}', {
  name: 'watchRestore',
  summary: 'How far a restore is, and what came of it',
  description:
    'Answered while the server restarts, too, and to whoever knows `watch`: a session may not exist in the store that was put in place.',
  access: open,
  params: z.object({ watch: z.string().max(100) }),
  response: RestoreProgress,
});

export const Storage = z.object({
  /** Path of the data folder. */
  path: z.string(),
  total_bytes: z.number(),
  free_bytes: z.number(),
  database_bytes: z.number(),
  media_bytes: z.number(),
  /** Size of backups in bytes, without backups that share their space with the media. */
  backups_bytes: z.number(),
  logs_bytes: z.number(),
  /**
   * Size in bytes of media and releases that no record used at a start of the server. They stay for some days, or until
   * the disk is full.
   */
  aside_bytes: z.number(),
  level: z.enum(['ok', 'low', 'full']),
  /** Growth of the data folder over the last weeks in bytes per day; null: unknown yet. */
  growth_bytes_per_day: z.number().nullable(),
  /** Days until the disk is full at that rate; null: no forecast is possible. */
  full_in_days: z.number().nullable(),
});
export type Storage = z.infer<typeof Storage>;

export const ClockState = z.object({
  /** Current time of the computer's clock. */
  now: Epoch,
  /**
   * Problem of an untrusted clock; null: the clock is trusted. While it is untrusted, nothing is deleted because of
   * its age, and plays wait on the screens.
   */
  doubt: z
    .object({
      /** Id of this jump of the clock, which a confirmation must contain. */
      id: z.string(),
      /** Time that the server's clock should have shown, as the server expected, when it jumped. */
      expected: Epoch,
      /** 1: the server was not running before the jump, so that any later time is possible. */
      at_least: FlagOut,
      /**
       * Number of screens whose own clocks agree with the server's clock, of those that reported. Screens of one
       * address count as one; screens on the server's own computer do not count, because they use its clock.
       */
      screens_agree: Int,
      screens_heard: Int,
    })
    .nullable(),
});
export type ClockState = z.infer<typeof ClockState>;

export const ServerStatus = z.object({
  name: z.string(),
  id: z.string(),
  /** Fingerprint of the key that players trust, hex. */
  fingerprint: z.string(),
  version: z.string(),
  node_version: z.string(),
  platform: z.string(),
  started_at: Epoch,
  uptime_seconds: Int,
  /** Addresses at which other machines on the network reach this server, the most likely address first. */
  addresses: z.array(z.string()),
  https: HttpsStatus,
  screens_online: Int,
  screens_total: Int,
  memory_bytes: z.number(),
  storage: Storage,
  clock: ClockState,
  last_backup_at: Epoch.nullable(),
  problems: z.array(Problem),
  /** The newest lines of the log; within them, the oldest line comes first. */
  log: z.array(z.object({ at: z.string(), level: z.string(), message: z.string() })),
});
export type ServerStatus = z.infer<typeof ServerStatus>;

export const getServerStatus = endpoint('GET /api/server/status', {
  name: 'getServerStatus',
  summary: 'How the server is: storage, backups, addresses, what is wrong, the newest lines of its log',
  access: admin,
  response: ServerStatus,
});

export const confirmClock = endpoint('POST /api/server/clock', {
  name: 'confirmClock',
  summary: 'Say that the server’s clock is right although it jumped',
  description:
    'A clock that jumps by more than a day, while the server runs or since it last did, is doubted: nothing is deleted by it, no backup is rotated away, and plays are not taken in (the screens keep them). That ends when the clock is back, when the screens’ own clocks agree with it, or with this. `doubt` is `clock.doubt.id` of `/api/server/status`; 409 when the clock has jumped again since, or is not doubted.',
  access: admin,
  body: z.object({ doubt: textOf(100) }),
  response: ClockState,
  errors: [409],
});

const address = (...schemes: string[]) =>
  textOf(500)
    .trim()
    .refine(
      (s) => s === '' || (URL.canParse(s) && schemes.includes(new URL(s).protocol)),
      `must be empty or an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );

const Retention = {
  /** Number of days for which single plays are stored. Their sums by quarter-hour and day stay forever. */
  plays_days: whole(30, 3650),
  /** Number of days for which telemetry is stored. Finer values are always reduced after a day. */
  telemetry_days: whole(1, 30),
  activity_days: whole(7, 3650),
  logs_days: whole(1, 365),
};

/** Changes of the settings. Absent fields stay as they are. */
export const UpkeepChange = z
  .object({
    ...Retention,
    backup_daily: Flag,
    backup_hour: whole(0, 23),
    backup_keep: whole(1, 60),
    backup_folder: textOf(500).trim(),
    dark_minutes: whole(0, 10_080),
    dark_mail: Flag,
    webhook_url: address('http:', 'https:'),
    webhook_secret: textOf(200),
    webhook_plays: Flag,
    mqtt_url: address('mqtt:', 'mqtts:', 'ws:', 'wss:'),
    mqtt_username: textOf(200),
    mqtt_password: textOf(200),
    mqtt_topic: z.string().regex(/^[^#+\s/\p{Cc}][^#+\s\p{Cc}]{0,99}$/u, 'must be a topic without spaces, # and +'),
    mqtt_plays: Flag,
  })
  .partial();
export type UpkeepChange = z.output<typeof UpkeepChange>;

export const UpkeepSettings = z.object({
  ...Retention,
  backup_daily: FlagOut,
  /** Hour of the day of the daily backup, by the server's own clock. */
  backup_hour: Int,
  /** Number of daily backups that are kept. */
  backup_keep: Int,
  /** Folder for backups; empty: `backups` in the data folder. */
  backup_folder: z.string(),
  /** Number of minutes after which an offline screen is reported; 0: offline screens are not reported. */
  dark_minutes: Int,
  dark_mail: FlagOut,
  /** Address of the webhook. The part after the host may contain a secret; then `…` replaces the whole part. */
  webhook_url: z.string(),
  webhook_plays: FlagOut,
  /** 1: a secret is set. Secrets can be written, but no answer contains them. */
  webhook_secret_set: FlagOut,
  /** Address with the same rule as `webhook_url`. */
  mqtt_url: z.string(),
  mqtt_username: z.string(),
  mqtt_password_set: FlagOut,
  mqtt_topic: z.string(),
  mqtt_plays: FlagOut,
});
export type UpkeepSettings = z.infer<typeof UpkeepSettings>;

export const getUpkeepSettings = endpoint('GET /api/server/upkeep', {
  name: 'getUpkeepSettings',
  summary: 'Settings for retention, backups and notices',
  access: admin,
  response: UpkeepSettings,
});

export const updateUpkeepSettings = endpoint('PUT /api/server/upkeep', {
  name: 'updateUpkeepSettings',
  necessary: true,
  summary: 'Change how the server looks after itself',
  description:
    'Members that are absent stay as they are. A chosen `backup_folder` must exist and be writable; it gets a mark, and backups are only made where the mark is: an unplugged disk leaves its empty folder behind. Folders that the server uses or hands out itself are 400. Secrets are kept encrypted and never returned: passwords not at all, addresses up to their host, with `…` for the rest (sent back so, an address stays as it is); a secret is forgotten when another host is given without it. Webhooks are POSTs of JSON `{id, type, at, …}` with `X-Vitrine-Signature: t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body">`; types and their members: `webhooks` of `/api/openapi.json`. MQTT: `<topic>/screen/<device id>` (retained status), `<topic>/plays/<device id>`, `<topic>/server` (retained `online` or `offline`), `<topic>/events` (all other notices).',
  access: admin,
  body: UpkeepChange,
  response: UpkeepSettings,
});

export const testNotices = endpoint('POST /api/server/upkeep/test', {
  name: 'testNotices',
  summary: 'Send a test event to the webhook and by MQTT, and a test mail to yourself',
  access: admin,
  response: z.object({ webhook: z.string(), mqtt: z.string(), mail: z.string() }),
});
