/** For tests: adds workspaces, devices, and plays that arrive like plays of real players. */
import type { Play } from '../../../../shared/protocol/messages.ts';
import type { Database } from '../../../db/database.ts';
import { Bus } from '../../../kernel/bus.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { PlaysIngestStore } from '../ingest/plays-ingest.store.ts';
import { PlaysIngest } from '../ingest/plays-ingest.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export const addWorkspace = (db: Database, id: string): void => {
  db.write(() => {
    db.raw.prepare('INSERT OR IGNORE INTO organizations (id, name, created_at) VALUES (?, ?, 0)').run(id, id);
    db.raw
      .prepare('INSERT INTO workspaces (id, organization_id, name, created_at) VALUES (?, ?, ?, 0)')
      .run(id, id, id);
  });
};

export const addDevice = (
  db: Database,
  workspaceId: string,
  id: string,
  more: { name?: string; createdAt?: number } = {},
): void => {
  db.write(() =>
    db.raw
      .prepare(
        "INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, created_at, updated_at) VALUES (?, ?, ?, 'UTC', ?, ?, 0)",
      )
      .run(id, workspaceId, more.name ?? id, `hash of ${id}`, more.createdAt ?? 0),
  );
};

let plays = 0;

/** Returns a play of 10 seconds, with the given changes. */
export const playAt = (startedAt: number, more: Partial<Play> = {}): Play => ({
  id: `play-${++plays}`,
  item_id: 1,
  playlist_id: 'playlist',
  content_id: 'photo',
  widget_id: null,
  zone_id: null,
  content_name: 'photo.jpg',
  started_at: startedAt,
  ended_at: startedAt + 10_000,
  completed: true,
  ...more,
});

/** Resolves when the plays are on disk. */
export const takeIn = async (
  db: Database,
  clock: Clock,
  deviceId: string,
  batch: readonly Play[],
): Promise<number | undefined> => {
  const ingest = new PlaysIngest({
    db,
    store: new PlaysIngestStore(db),
    bus: new Bus(() => {}),
    clock,
    activity: { add() {} },
    log: silent,
  });
  const through = ingest.add(ingest, deviceId, 1, batch);
  await ingest.stop();
  return through;
};
