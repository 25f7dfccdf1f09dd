import type { Message } from '../../../shared/contract/screens/messages.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { Database } from '../../db/database.ts';
import type { messages } from '../../db/schema.ts';

/** The stored part of a message, without the list of its targets. */
export interface StoredMessage
  extends Pick<Message, 'template' | 'title' | 'text' | 'content_id' | 'colors' | 'position' | 'duration'> {
  /** Asset that screens show: the page, or the picture. */
  readonly asset: Asset;
  /** State of each targeted screen, one character per screen (message-states.ts). */
  readonly marks: string;
  /** Failure reasons by screen. */
  readonly errors: Readonly<Record<string, string>>;
}
export type TargetWords = Message['targets'];

export interface MessageRow
  extends Pick<
    typeof messages.$inferSelect,
    'id' | 'workspace_id' | 'user_id' | 'user_name' | 'created_at' | 'until_ms' | 'withdrawn_at'
  > {
  readonly message: StoredMessage;
  readonly words: TargetWords;
}

/** A message that a device still has to show. */
export interface DueMessage {
  readonly id: string;
  readonly device_id: string;
  readonly status: 'waiting' | 'sent' | 'shown' | 'failed';
}

type Raw = Omit<MessageRow, 'message' | 'words'> & { readonly message: string; readonly words: string };

// Columns of a message without the screen ids, which have 74 KB for two thousand screens. Lists do not need the ids.
const COLUMNS =
  "id, workspace_id, user_id, user_name, created_at, until_ms, withdrawn_at, message, json_extract(targets, '$.words') AS words";

const toRow = ({ message, words, ...row }: Raw): MessageRow => ({
  ...row,
  message: JSON.parse(message) as StoredMessage,
  words: JSON.parse(words) as TargetWords,
});

export class MessagesStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      insert: p(
        'INSERT INTO messages (id, workspace_id, message, targets, user_id, user_name, created_at, until_ms) VALUES (@id, @workspace_id, @message, @targets, @user_id, @user_name, @created_at, @until_ms)',
      ),
      find: p(`SELECT ${COLUMNS} FROM messages WHERE id = ? AND workspace_id = ?`),
      findAnywhere: p(`SELECT ${COLUMNS} FROM messages WHERE id = ?`),
      newest: p(
        `SELECT ${COLUMNS} FROM messages WHERE workspace_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      ),
      among: p(
        `SELECT ${COLUMNS} FROM messages WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC, id DESC`,
      ),
      count: p('SELECT count(*) FROM messages WHERE workspace_id = ?'),
      trim: p(
        'DELETE FROM messages WHERE workspace_id = @workspace_id AND id IN (SELECT id FROM messages WHERE workspace_id = @workspace_id ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET @keep)',
      ),
      deviceIds: p("SELECT json_extract(targets, '$.ids') FROM messages WHERE id = ?"),
      setMessage: p('UPDATE messages SET message = ? WHERE id = ?'),
      withdraw: p('UPDATE messages SET withdrawn_at = ? WHERE id = ?'),
      // Leaves out a message that was not shown until `begin_by`, because it is too late for this message.
      held: p(
        `SELECT o.pip_id AS id, o.device_id, o.status FROM devices d JOIN overlays o ON o.device_id = d.id
           WHERE d.workspace_id = @workspace_id AND o.message LIKE '{"type":"device:pip-show"%' AND (o.until_ms IS NULL OR o.until_ms > @now)
             AND (o.status = 'shown' OR o.until_ms IS NULL OR json_extract(o.message, '$.begin_by') > @now)`,
      ),
      byAsset: p(
        "SELECT message FROM messages WHERE workspace_id = ? AND json_extract(message, '$.asset.sha256') = ? AND json_extract(message, '$.content_id') IS NULL LIMIT 1",
      ),
      devices: p('SELECT id FROM devices WHERE workspace_id = ? ORDER BY vitrine_order(name), id'),
      tagged: p(
        'SELECT d.id FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE t.tag = ? AND d.workspace_id = ? ORDER BY vitrine_order(d.name), d.id',
      ),
      names: p(
        'SELECT d.id, d.name FROM json_each(?) j CROSS JOIN devices d ON d.id = j.value WHERE +d.workspace_id = ?',
      ),
      picture: p(
        "SELECT b.sha256, b.size, b.mime FROM content c JOIN blobs b ON b.sha256 = c.sha256 WHERE c.id = ? AND c.workspace_id = ? AND c.kind = 'image'",
      ),
      hasContent: p('SELECT 1 FROM content WHERE id = ? AND workspace_id = ?'),
    };
  }

  insert({
    message,
    words,
    deviceIds,
    ...row
  }: Omit<MessageRow, 'withdrawn_at'> & { deviceIds: readonly string[] }): void {
    this.#statements.insert.run({
      ...row,
      message: JSON.stringify(message),
      targets: JSON.stringify({ words, ids: deviceIds.join(' ') }),
    });
  }

  find(workspaceId: string, id: string): MessageRow | undefined {
    const row = this.#statements.find.get(id, workspaceId) as Raw | undefined;
    return row && toRow(row);
  }

  /** Finds a message in any workspace, because its page is public for everybody who knows the message's id. */
  findAnywhere(id: string): MessageRow | undefined {
    const row = this.#statements.findAnywhere.get(id) as Raw | undefined;
    return row && toRow(row);
  }

  /** Returns messages, newest first. */
  newest(workspaceId: string, { limit, offset }: { limit: number; offset: number }): MessageRow[] {
    return (this.#statements.newest.all(workspaceId, limit, offset) as Raw[]).map(toRow);
  }

  /** Returns the messages with these ids, newest first. */
  among(workspaceId: string, ids: readonly string[]): MessageRow[] {
    return (this.#statements.among.all(workspaceId, JSON.stringify(ids)) as Raw[]).map(toRow);
  }

  count(workspaceId: string): number {
    return this.#statements.count.pluck().get(workspaceId) as number;
  }

  /** Deletes all messages except the newest. */
  trim(workspace_id: string, keep: number): void {
    this.#statements.trim.run({ workspace_id, keep });
  }

  /** Returns the ids of the targeted screens, in the order of the characters in `marks`. */
  deviceIds(id: string): string[] {
    const ids = this.#statements.deviceIds.pluck().get(id) as string | undefined;
    return ids ? ids.split(' ') : [];
  }

  setMessage(id: string, message: StoredMessage): void {
    this.#statements.setMessage.run(JSON.stringify(message), id);
  }

  withdraw(id: string, at: number): void {
    this.#statements.withdraw.run(at, id);
  }

  /**
   * Returns the messages that screens of a workspace should show now.
   * @param now epoch milliseconds
   */
  listDue(workspace_id: string, now: number): DueMessage[] {
    return this.#statements.held.all({ workspace_id, now }) as DueMessage[];
  }

  /** Returns the message whose page has this hash. */
  byAsset(workspaceId: string, sha256: string): StoredMessage | undefined {
    const message = this.#statements.byAsset.pluck().get(workspaceId, sha256) as string | undefined;
    return message === undefined ? undefined : (JSON.parse(message) as StoredMessage);
  }

  devices(workspaceId: string): string[] {
    return this.#statements.devices.pluck().all(workspaceId) as string[];
  }

  tagged(workspaceId: string, tag: string): string[] {
    return this.#statements.tagged.pluck().all(tag, workspaceId) as string[];
  }

  /** Returns the names of the given devices that exist. */
  names(workspaceId: string, deviceIds: readonly string[]): Map<string, string> {
    const found = this.#statements.names.all(JSON.stringify(deviceIds), workspaceId) as { id: string; name: string }[];
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** Returns the file of a stored picture. */
  picture(workspaceId: string, contentId: string): Asset | undefined {
    return this.#statements.picture.get(contentId, workspaceId) as Asset | undefined;
  }

  hasContent(workspaceId: string, contentId: string): boolean {
    return this.#statements.hasContent.get(contentId, workspaceId) !== undefined;
  }
}
