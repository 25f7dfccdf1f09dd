/**
 * Records everything that was revoked or removed, in a file beside the database that is not part of its backups. A
 * restored backup brings back the store as it was, but must not bring back tokens, sessions, people and screens that
 * were revoked since the backup. Temporary triggers of each writing connection record a revocation in the transaction
 * that revokes, whichever statement does so. Both files contain the number of the newest record. A database with a
 * lower number was restored from a backup (or lost its last commit), and applies the missing revocations before the
 * first request is answered. The deletion of a workspace and its contents is not recorded: restoring a workspace that
 * was deleted by mistake is what backups are for.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { newId } from '../kernel/ids.ts';
import { type Clock, seconds, systemClock } from '../kernel/time/clock.ts';
import { KINDS } from './revocation-kinds.ts';
import { putSetting, readSetting } from './settings-rows.ts';

const FILE = 'revoked.db';
const FORMAT = 1;
/** Retention of records in seconds. Nobody restores an older backup. */
const KEPT_SECONDS = 400 * 86_400;
/** Maximum number of records. They take some tens of megabytes. */
const MAX_RECORDS = 100_000;
/** Key in the table `settings`: number of the newest record that the database has applied. */
const KNOWN = 'revocations';
/** Maximum length of an entry in the activity log, in characters. */
const MAX_DETAILS = 1_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS revoked.revocations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT, until INTEGER NOT NULL, UNIQUE (kind, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS revoked.revocations_until ON revocations (until);
  PRAGMA revoked.user_version = ${FORMAT};`;

interface Revocation {
  readonly seq: number;
  readonly kind: string;
  readonly key: string;
  readonly value: string | null;
}

/**
 * Attaches the record of revocations to a writable connection and applies the records that its database lacks.
 * @param say receives messages for the owner, in sentences
 */
export const joinRevocations = (raw: BetterSqlite3.Database, file: string, say: (sentence: string) => void): void => {
  forgetRevocationsBy(raw, systemClock);
  attach(raw, file === ':memory:' ? file : join(dirname(file), FILE), say);
  takeOver(raw, say);
  for (const trigger of triggers()) raw.exec(trigger);
};

/**
 * Sets the clock for the retention of records. While the clock is untrusted no record is deleted, because the revoked
 * thing would be valid again after the next restore of a backup.
 */
export const forgetRevocationsBy = (raw: BetterSqlite3.Database, clock: Clock): void => {
  raw.function('trusted_epoch', () => seconds(clock));
  raw.function('revocations_end', () => (clock.doubtful ? 0 : seconds(clock)));
};

/**
 * Attaches the file with the records of revocations. A damaged file is renamed and replaced by a new file, so that the
 * start does not fail.
 */
const attach = (raw: BetterSqlite3.Database, file: string, say: (sentence: string) => void): void => {
  try {
    return tryAttach(raw, file);
  } catch (error) {
    if (raw.prepare("SELECT 1 FROM pragma_database_list WHERE name = 'revoked'").get()) raw.exec('DETACH revoked');
    const { code = '', message } = error as { code?: string; message: string };
    // An error about a full or read-only disk does not mean that the file is damaged, so the file is not renamed.
    const isDamaged = code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT') || error instanceof UnknownFormat;
    say(
      `${file}, the record of what was revoked, cannot be used (${message}). ${isDamaged ? 'It was set aside and a new one begun.' : 'What is revoked until the next start is not in it.'}`,
    );
    if (isDamaged) setAside(file);
    tryAttach(raw, isDamaged ? file : ':memory:');
  }
};

class UnknownFormat extends Error {}

const tryAttach = (raw: BetterSqlite3.Database, file: string): void => {
  // Only this user may read the file, because it may contain the hash of a password.
  if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  raw.prepare('ATTACH ? AS revoked').run(file);
  const format = raw.pragma('revoked.user_version', { simple: true }) as number;
  if (format > FORMAT) throw new UnknownFormat('it is of a newer version');
  const state = raw.pragma('revoked.quick_check(1)', { simple: true });
  if (state !== 'ok') throw Object.assign(new Error(String(state).split('\n')[0]), { code: 'SQLITE_CORRUPT' });
  raw.pragma('revoked.journal_mode = WAL');
  raw.pragma('revoked.synchronous = FULL');
  if (format !== FORMAT) raw.exec(TABLES);
};

const setAside = (file: string): void => {
  const name = `${file}.damaged-${Date.now()}`;
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, name + end);
};

const triggers = (): string[] =>
  KINDS.flatMap(({ kind, on, when, key, value = 'NULL', until = `trusted_epoch() + ${KEPT_SECONDS}`, again }) => {
    const name = kind.replaceAll('-', '_');
    const noted = `
      CREATE TEMP TRIGGER IF NOT EXISTS revoked_${name} AFTER ${on} WHEN ${when} BEGIN
        DELETE FROM revocations WHERE kind = '${kind}' AND key = ${key};
        INSERT INTO revocations (kind, key, value, until) VALUES ('${kind}', ${key}, ${value}, ${until});
        -- While it is there: what has expired is forgotten at once, and then there may be none.
        INSERT INTO settings (key, value) VALUES ('${KNOWN}', (SELECT max(seq) FROM revocations)) ON CONFLICT (key) DO UPDATE SET value = excluded.value;
        DELETE FROM revocations WHERE until < revocations_end();
        DELETE FROM revocations WHERE seq <= (SELECT max(seq) FROM revocations) - ${MAX_RECORDS};
      END`;
    if (!again) return [noted];
    const takenBack = `
      CREATE TEMP TRIGGER IF NOT EXISTS again_${name} AFTER INSERT ON ${again.on} BEGIN
        DELETE FROM revocations WHERE kind = '${kind}' AND key = ${again.key};
      END`;
    return [noted, takenBack];
  });

const takeOver = (raw: BetterSqlite3.Database, say: (sentence: string) => void): void => {
  raw
    .transaction(() => {
      const known = Number(readSetting(raw, KNOWN) ?? 0);
      const newest = Number(
        raw.prepare("SELECT seq FROM revoked.sqlite_sequence WHERE name = 'revocations'").pluck().get() ?? 0,
      );
      // The database was moved to this folder without the file of revocations. The next number must be higher than
      // every number in the backups of the database.
      if (newest < known) {
        raw.exec("DELETE FROM revoked.sqlite_sequence WHERE name = 'revocations'");
        raw.prepare("INSERT INTO revoked.sqlite_sequence (name, seq) VALUES ('revocations', ?)").run(known);
      }
      if (newest <= known) return;
      const lacking = raw
        .prepare('SELECT seq, kind, key, value FROM revocations WHERE seq > ? ORDER BY seq')
        .all(known) as Revocation[];
      revoke(raw, lacking, say);
      putSetting(raw, KNOWN, newest);
    })
    .immediate();
};

/**
 * Applies one kind after the other. The order matters, because removing a person also removes rows that other kinds
 * look for.
 */
const revoke = (raw: BetterSqlite3.Database, lacking: readonly Revocation[], say: (sentence: string) => void): void => {
  const keeper = lastAdministrator(raw, lacking);
  const gone = new Map<string, string[]>();
  let changes = 0;
  for (const { kind, names, apply } of KINDS) {
    const find = names === undefined ? undefined : raw.prepare(names);
    const run = raw.prepare(apply);
    for (const { key, value } of lacking.filter((one) => one.kind === kind)) {
      if (key === keeper && (kind === 'user' || kind === 'user-role')) continue;
      const named = (find?.all({ key }) ?? []) as { workspace_id: string; name: string }[];
      if (run.run({ key, value }).changes === 0) continue;
      changes++;
      for (const { workspace_id, name } of named) gone.set(workspace_id, [...(gone.get(workspace_id) ?? []), name]);
    }
  }
  if (changes > 0) say(`The database is older than ${changes} revocations and removals: they were carried out again.`);
  for (const [workspaceId, names] of gone) log(raw, workspaceId, names.join(', '));
  if (keeper) shut(raw, keeper, say);
};

const log = (raw: BetterSqlite3.Database, workspaceId: string, what: string): void => {
  const insert = raw.prepare(
    "INSERT INTO activity (id, workspace_id, user_name, action, details, created_at) SELECT ?, id, '', 'server.revoked_again', ?, unixepoch() FROM workspaces WHERE id = ?",
  );
  insert.run(newId(), what.length > MAX_DETAILS ? `${what.slice(0, MAX_DETAILS)}…` : what, workspaceId);
};

/**
 * Returns the id of the administrator whose account is kept although it was removed or lost the role after the backup.
 * Without this account the server would have no administrator, and only an administrator can appoint administrators.
 * Undefined if another administrator remains.
 */
const lastAdministrator = (raw: BetterSqlite3.Database, lacking: readonly Revocation[]): string | undefined => {
  const admins = raw
    .prepare("SELECT id FROM users WHERE role = 'platform_admin' ORDER BY created_at, id")
    .pluck()
    .all() as string[];
  const removed = new Set(lacking.filter(({ kind }) => kind === 'user').map(({ key }) => key));
  const lowered = new Set(
    lacking.filter(({ kind, value }) => kind === 'user-role' && value !== 'platform_admin').map(({ key }) => key),
  );
  if (admins.some((id) => !removed.has(id) && !lowered.has(id))) return undefined;
  return admins.find((id) => !removed.has(id)) ?? admins[0];
};

/** Locks an account by an unusable password. Only a person at the server's computer can unlock it. */
const shut = (raw: BetterSqlite3.Database, user: string, say: (sentence: string) => void): void => {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  const ofNoPassword = `$argon2id$v=19$m=19456,t=2,p=1$${text(16)}$${text(32)}`;
  raw
    .prepare("UPDATE users SET password_hash = ?, auth_provider = 'local', must_change_password = 1 WHERE id = ?")
    .run(ofNoPassword, user);
  raw.prepare('DELETE FROM sessions WHERE user_id = ?').run(user);
  raw.prepare('UPDATE tokens SET revoked_at = unixepoch() WHERE user_id = ? AND revoked_at IS NULL').run(user);
  const email = raw.prepare('SELECT email FROM users WHERE id = ?').pluck().get(user) as string;
  say(
    `The backup knows no administrator but ${email}, who was removed since. The account was kept without a password. To open it: vitrine reset-password ${email}`,
  );
};
