import type { Database } from '../../db/database.ts';

interface WaitingCommand {
  /** Primary key: command id and device id, because a command goes to many devices. */
  readonly id: string;
  readonly command: string;
  /** Parameters of the command as JSON text. */
  readonly payload: string;
  /** Expiry of the command in epoch seconds. */
  readonly expires_at: number;
}

interface OverlayRow {
  readonly pip_id: string;
  /** JSON text of the message to the player: show or clear. */
  readonly message: string;
  /** Epoch milliseconds; null: the overlay stays until it is cleared. */
  readonly until_ms: number | null;
  readonly status: 'waiting' | 'sent' | 'shown' | 'failed';
}

/** Stores commands and overlays that devices have not received yet, and the newest screenshot of each device. */
export class DeliveryStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      keepCommand: p(
        'INSERT INTO commands (id, device_id, command, payload, created_at, expires_at, status) SELECT @id, d.id, @command, @payload, @created_at, @expires_at, @status FROM devices d WHERE d.id = @device_id',
      ),
      waitingCommands: p(
        "SELECT id, command, payload, expires_at FROM commands WHERE device_id = ? AND expires_at > ? AND status IN ('waiting', 'sent') ORDER BY id",
      ),
      devicesWithCommands: p(
        "SELECT DISTINCT device_id AS id FROM commands WHERE expires_at > ? AND status IN ('waiting', 'sent')",
      ),
      devicesWithOverlay: p('SELECT device_id AS id FROM overlays'),
      commandResult: p(
        "UPDATE commands SET status = @status, error = @error WHERE id = @id AND status IN ('waiting', 'sent')",
      ),
      dropCommands: p('DELETE FROM commands WHERE expires_at < ?'),
      setOverlay: p(
        `INSERT INTO overlays (device_id, pip_id, message, until_ms, status, created_at) SELECT d.id, @pip_id, @message, @until_ms, 'waiting', @created_at FROM devices d WHERE d.id = @device_id
           ON CONFLICT (device_id) DO UPDATE SET pip_id = excluded.pip_id, message = excluded.message, until_ms = excluded.until_ms, status = excluded.status, created_at = excluded.created_at`,
      ),
      overlay: p('SELECT pip_id, message, until_ms, status FROM overlays WHERE device_id = ?'),
      overlayStatus: p('UPDATE overlays SET status = @status WHERE device_id = @device_id AND pip_id = @pip_id'),
      dropOverlay: p('DELETE FROM overlays WHERE device_id = ? AND pip_id = ?'),
      dropOverlays: p('DELETE FROM overlays WHERE until_ms < ?'),
      saveScreenshot: p(
        `INSERT INTO screenshots (device_id, mime, data, taken_at) SELECT d.id, @mime, @data, @taken_at FROM devices d WHERE d.id = @device_id
           ON CONFLICT (device_id) DO UPDATE SET mime = excluded.mime, data = excluded.data, taken_at = excluded.taken_at`,
      ),
      screenshot: p('SELECT mime, data, taken_at FROM screenshots WHERE device_id = ?'),
    };
  }

  storeCommand(row: WaitingCommand & { device_id: string; created_at: number; status: 'waiting' | 'sent' }): void {
    this.#statements.keepCommand.run(row);
  }

  waitingCommands(deviceId: string, now: number): WaitingCommand[] {
    return this.#statements.waitingCommands.all(deviceId, now) as WaitingCommand[];
  }

  devicesWithCommands(now: number): string[] {
    return this.#statements.devicesWithCommands.pluck().all(now) as string[];
  }

  devicesWithOverlay(): string[] {
    return this.#statements.devicesWithOverlay.pluck().all() as string[];
  }

  commandResult(id: string, status: 'done' | 'failed' | 'unsupported', error: string | null): void {
    this.#statements.commandResult.run({ id, status, error });
  }

  /** Replaces the overlay of the device. */
  setOverlay(row: {
    device_id: string;
    pip_id: string;
    message: string;
    until_ms: number | null;
    created_at: number;
  }): void {
    this.#statements.setOverlay.run(row);
  }

  overlay(deviceId: string): OverlayRow | undefined {
    return this.#statements.overlay.get(deviceId) as OverlayRow | undefined;
  }

  overlayStatus(device_id: string, pip_id: string, status: OverlayRow['status']): void {
    this.#statements.overlayStatus.run({ device_id, pip_id, status });
  }

  dropOverlay(deviceId: string, pipId: string): void {
    this.#statements.dropOverlay.run(deviceId, pipId);
  }

  /** Deletes expired commands and overlays. */
  dropPast(nowMs: number): void {
    this.#statements.dropCommands.run(Math.floor(nowMs / 1000) - 86_400);
    this.#statements.dropOverlays.run(nowMs);
  }

  saveScreenshot(device_id: string, mime: string, data: Buffer, taken_at: number): void {
    this.#statements.saveScreenshot.run({ device_id, mime, data, taken_at });
  }

  screenshot(deviceId: string) {
    return this.#statements.screenshot.get(deviceId) as { mime: string; data: Buffer; taken_at: number } | undefined;
  }
}
