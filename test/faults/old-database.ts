/** Creates a database as the first release left it, with some records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ROOT } from './data-server.ts';

export const oldDatabase = (file: string, plays: number): void => {
  const migrations = join(ROOT, 'server/db/migrations');
  const { entries } = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[];
  };
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(readFileSync(join(migrations, `${entries[0]!.tag}.sql`), 'utf8').replaceAll('--> statement-breakpoint', ''));
  // The table of migrations as the migrator creates it: a start refuses any other table.
  db.exec('CREATE TABLE "__drizzle_migrations" ( id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric )');
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('first', entries[0]!.when);
  db.exec(
    "INSERT INTO organizations (id, name, created_at) VALUES ('o', 'Shop', 1); INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ('w', 'o', 'Default', 1)",
  );
  const play = db.prepare(
    'INSERT INTO plays (play_id, workspace_id, device_id, device_name, content_name, started_ms, ended_ms, completed, seq) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)',
  );
  db.transaction(() => {
    for (let i = 0; i < plays; i++)
      play.run(`old-${i}`, 'w', 'd', 'Till', 'a', 1e12 + i * 10_000, 1e12 + i * 10_000 + 10_000, i + 1);
  })();
  db.close();
};
