import type { Play } from '../../../../shared/protocol/messages.ts';
import type { Database } from '../../../db/database.ts';
import { newestNumber } from '../../../db/epochs.ts';
import type { NumbersWriter, Turn, Whose } from './play-numbers.ts';
import type { SealsWriter, Stretch } from './play-seals.ts';
import type { Sum } from './play-sums.ts';
import type { Subject } from './sums.ts';

export interface PlayingDevice {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly signing_key: string | null;
  plays_through: number;
}

/** A play as it is stored in the database. */
export interface KeptPlay extends Whose {
  readonly id: number;
  /** Number of the content in play_subjects. */
  readonly shown: number;
  readonly turn: number;
  readonly boot: number | null;
  readonly seq: number;
  readonly started_ms: number;
  readonly lasted_ms: number;
  readonly completed: boolean;
  readonly uncertainty_ms: number | null;
  /** Id that the player assigned to the play. */
  readonly play_id: string;
  /** The player's own times, if the server corrected them. */
  readonly claimed: readonly [started_at: number, ended_at: number] | null;
}

interface Used {
  readonly id: number;
  readonly used_day: number;
}

const NUMBER =
  "(SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = 'device' AND ref = @deviceId)";
/**
 * Milliseconds before and after a repeated row in which the stored row is searched. A player repeats a row unchanged.
 * If a player ever computed the time again, the difference would hardly be larger than this.
 */
const AROUND_MS = 3_600_000;
const DAY_MS = 86_400_000;

export class PlaysIngestStore implements NumbersWriter, SealsWriter {
  readonly #raw: Database['raw'];
  readonly #statements;

  constructor(db: Database) {
    this.#raw = db.raw;
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      device: p('SELECT id, workspace_id, name, signing_key, plays_through FROM devices WHERE id = ?'),
      setThrough: p('UPDATE devices SET plays_through = ? WHERE id = ?'),
      setNewest: p('UPDATE play_epochs SET through = ? WHERE id = (SELECT max(id) FROM play_epochs)'),
      // Finds a play by device and start time, by journal number near that time, by its id when its time was corrected,
      // or in the table of older versions.
      known: p(
        `SELECT id, play_id FROM play_log INDEXED BY play_log_device
           WHERE device = ${NUMBER} AND started_ms IN (SELECT value FROM json_each(@times))
         UNION ALL SELECT id, play_id FROM play_log INDEXED BY play_log_device
           WHERE @first <= @through AND device = ${NUMBER} AND started_ms BETWEEN @from AND @to AND seq BETWEEN @first AND @last
         UNION ALL SELECT id, play_id FROM play_log INDEXED BY play_log_claimed
           WHERE claimed IS NOT NULL AND play_id IN (SELECT value FROM json_each(@ids))
         UNION ALL SELECT id, play_id FROM old_plays WHERE play_id IN (SELECT value FROM json_each(@ids))`,
      ).raw(),
      insert: p('INSERT INTO play_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      latestSeal: p(
        'SELECT id, first, through, head, signing_key FROM play_seals WHERE device_id = ? ORDER BY id DESC LIMIT 1',
      ),
      addSeal: p(
        `INSERT INTO play_seals (workspace_id, device_id, first_play, last_play, first, through, prev, head, signature, signing_key)
           VALUES (@workspaceId, @deviceId, @firstPlay, @lastPlay, @first, @through, @prev, @head, @signature, @signingKey)`,
      ),
      extendSeal: p(
        'UPDATE play_seals SET last_play = @lastPlay, through = @through, head = @head, signature = @signature WHERE id = @id',
      ),
      findSubject: p('SELECT id, name, named_ms FROM play_subjects WHERE workspace_id = ? AND kind = ? AND ref = ?'),
      insertSubject: p('INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES (?, ?, ?, ?, ?)'),
      renameSubject: p('UPDATE play_subjects SET name = ?, named_ms = ? WHERE id = ?'),
      findTurn: p(
        `SELECT id, used_day FROM play_turns WHERE device = @device AND shown = @shown AND device_name = @device_name AND content_name = @content_name
           AND content_id IS @content_id AND widget_id IS @widget_id AND zone_id IS @zone_id AND playlist_id IS @playlist_id AND item_id IS @item_id`,
      ),
      insertTurn: p(
        `INSERT INTO play_turns (device, shown, device_name, content_id, widget_id, content_name, zone_id, playlist_id, item_id, used_day)
           VALUES (@device, @shown, @device_name, @content_id, @widget_id, @content_name, @zone_id, @playlist_id, @item_id, @day)`,
      ),
      useTurn: p('UPDATE play_turns SET used_day = ? WHERE id = ?'),
      findBoot: p('SELECT id, used_day FROM play_boots WHERE boot_id = ?'),
      insertBoot: p('INSERT INTO play_boots (boot_id, used_day) VALUES (?, ?)'),
      useBoot: p('UPDATE play_boots SET used_day = ? WHERE id = ?'),
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

  /** Returns the highest id that a play ever had; 0 when there was no play. */
  newest(): number {
    return newestNumber(this.#raw);
  }

  setNewest(id: number): void {
    this.#statements.setNewest.run(id);
  }

  /**
   * Returns the ids of plays that are stored already, by the player's ids. No index contains all of the player's ids:
   * the ids are random, so each play would change an index page anywhere on the disk. So a play is searched at its
   * start time.
   */
  known(
    { id, workspace_id, plays_through }: PlayingDevice,
    first: number,
    plays: readonly Pick<Play, 'id' | 'started_at'>[],
  ): Map<string, number> {
    const times = plays.map(({ started_at }) => Math.round(started_at));
    const found = this.#statements.known.all({
      workspaceId: workspace_id,
      deviceId: id,
      times: JSON.stringify(times),
      // Searches little more than a day, so that a wrong clock does not cause a read of the whole history.
      from: Math.max(Math.min(...times), Math.max(...times) - DAY_MS) - AROUND_MS,
      to: Math.max(...times) + AROUND_MS,
      first,
      last: first + plays.length - 1,
      through: plays_through,
      ids: JSON.stringify(plays.map((play) => play.id)),
    }) as [id: number, playId: Buffer | string][];
    return new Map(found.map(([id, playId]) => [typeof playId === 'string' ? playId : uuidOf(playId), id]));
  }

  insert(play: KeptPlay): void {
    this.#statements.insert.run(
      play.id,
      play.workspace,
      play.device,
      play.shown,
      play.turn,
      play.boot,
      play.seq,
      play.started_ms,
      play.lasted_ms,
      play.completed ? 1 : 0,
      play.uncertainty_ms === null ? null : inTenths(play.uncertainty_ms),
      // The player's id is saved as text when the time was corrected, so that the play can be found by its id.
      (play.claimed === null && bytesOf(play.play_id)) || play.play_id,
      play.claimed && JSON.stringify(play.claimed),
    );
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

  turnOf(turn: Turn & { device: number; shown: number }, day: number): number {
    const { findTurn, insertTurn, useTurn } = this.#statements;
    const found = findTurn.get(turn) as Used | undefined;
    if (!found) return Number(insertTurn.run({ ...turn, day }).lastInsertRowid);
    if (found.used_day < day) useTurn.run(day, found.id);
    return found.id;
  }

  bootOf(bootId: string, day: number): number {
    const { findBoot, insertBoot, useBoot } = this.#statements;
    const found = findBoot.get(bootId) as Used | undefined;
    if (!found) return Number(insertBoot.run(bootId, day).lastInsertRowid);
    if (found.used_day < day) useBoot.run(day, found.id);
    return found.id;
  }

  addToSum({ scope, series, bucket, subject, plays, ms }: Sum): void {
    this.#statements.addToSum.run(scope, series, bucket, subject, plays, ms);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the 16 bytes of a UUID; undefined when the id is not a UUID in the usual form. */
const bytesOf = (id: string): Buffer | undefined =>
  UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : undefined;

const uuidOf = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/**
 * Players send durations with tenths of a millisecond. An integer needs one or two bytes instead of eight, and the
 * driver stores only a BigInt as an integer.
 */
const inTenths = (ms: number): bigint | number => {
  const tenths = Math.round(ms * 10);
  return tenths / 10 === ms && Number.isSafeInteger(tenths) ? BigInt(tenths) : ms;
};
