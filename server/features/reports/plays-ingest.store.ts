import type { Play } from '../../../shared/protocol/messages.ts';
import type { Database } from '../../db/database.ts';
import type { SealsWriter, Stretch } from './play-seals.ts';
import type { Sum, SumsWriter } from './play-sums.ts';
import type { Subject } from './sums.ts';

export interface PlayingDevice {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly signing_key: string | null;
  plays_through: number;
}

export class PlaysIngestStore implements SumsWriter, SealsWriter {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      device: p('SELECT id, workspace_id, name, signing_key, plays_through FROM devices WHERE id = ?'),
      setThrough: p('UPDATE devices SET plays_through = ? WHERE id = ?'),
      insert: p(
        `INSERT INTO plays (play_id, workspace_id, device_id, device_name, content_id, widget_id, content_name, zone_id, playlist_id, item_id, started_ms, ended_ms, completed, seq, boot_id, uncertainty_ms, claimed)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (play_id) DO NOTHING`,
      ),
      latestSeal: p(
        'SELECT id, first, through, head, signing_key FROM play_seals WHERE device_id = ? ORDER BY id DESC LIMIT 1',
      ),
      addSeal: p(
        `INSERT INTO play_seals (workspace_id, device_id, first_play, last_play, first, through, prev, head, signature, signing_key)
           VALUES (@workspaceId, @deviceId, (SELECT id FROM plays WHERE play_id = @firstPlay), (SELECT id FROM plays WHERE play_id = @lastPlay), @first, @through, @prev, @head, @signature, @signingKey)`,
      ),
      extendSeal: p(
        'UPDATE play_seals SET last_play = (SELECT id FROM plays WHERE play_id = @lastPlay), through = @through, head = @head, signature = @signature WHERE id = @id',
      ),
      findSubject: p('SELECT id, name, named_ms FROM play_subjects WHERE workspace_id = ? AND kind = ? AND ref = ?'),
      insertSubject: p('INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES (?, ?, ?, ?, ?)'),
      renameSubject: p('UPDATE play_subjects SET name = ?, named_ms = ? WHERE id = ?'),
      addToSum: p(
        `INSERT INTO play_sums (scope_id, series, bucket, subject_id, plays, ms) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (scope_id, series, bucket, subject_id) DO UPDATE SET plays = plays + excluded.plays, ms = ms + excluded.ms`,
      ),
    };
  }

  device(id: string): PlayingDevice | undefined {
    return this.#statements.device.get(id) as PlayingDevice | undefined;
  }

  setThrough(deviceId: string, through: number): void {
    this.#statements.setThrough.run(through, deviceId);
  }

  /** False when the play is known already. */
  insert(
    play: Play,
    more: { device: PlayingDevice; seq: number; started: number; ended: number; content_name: string },
  ): boolean {
    const { device } = more;
    const result = this.#statements.insert.run(
      play.id,
      device.workspace_id,
      device.id,
      device.name,
      play.content_id,
      play.widget_id,
      more.content_name,
      play.zone_id,
      play.playlist_id,
      play.item_id,
      more.started,
      more.ended,
      play.completed ? 1 : 0,
      more.seq,
      play.boot_id ?? null,
      play.uncertainty_ms ?? null,
      // Whole milliseconds are what the journal's hash covers; only what could not be believed is kept beside what was
      // made of it.
      play.started_at === more.started && play.ended_at === more.ended ? null : claimedOf(play),
    );
    return result.changes > 0;
  }

  latestSeal(deviceId: string): Stretch | undefined {
    return this.#statements.latestSeal.get(deviceId) as Stretch | undefined;
  }

  addSeal(seal: Parameters<SealsWriter['addSeal']>[0]): void {
    this.#statements.addSeal.run(seal);
  }

  extendSeal(id: number, seal: Parameters<SealsWriter['extendSeal']>[1]): void {
    this.#statements.extendSeal.run({ id, ...seal });
  }

  findSubject(workspaceId: string, { kind, ref }: Subject) {
    return this.#statements.findSubject.get(workspaceId, kind, ref) as
      | { id: number; name: string; named_ms: number }
      | undefined;
  }

  insertSubject(workspaceId: string, { kind, ref }: Subject, name: string, namedMs: number): number {
    return Number(this.#statements.insertSubject.run(workspaceId, kind, ref, name, namedMs).lastInsertRowid);
  }

  renameSubject(id: number, name: string, namedMs: number): void {
    this.#statements.renameSubject.run(name, namedMs, id);
  }

  addToSum({ scope, series, bucket, subject, plays, ms }: Sum): void {
    this.#statements.addToSum.run(scope, series, bucket, subject, plays, ms);
  }
}

/** Null where a fraction of a millisecond is all that differs: such a player does not chain its journal. */
const claimedOf = ({ started_at, ended_at }: Play): string | null =>
  Number.isInteger(started_at) && Number.isInteger(ended_at) ? JSON.stringify([started_at, ended_at]) : null;
