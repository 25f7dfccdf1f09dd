/**
 * Plays are kept in numbers (`play_log`), but for those of older versions that have not moved there yet (`old_plays`,
 * plays-conversion.ts). What is asked of the plays is asked of both; in words they stand in the view `plays`.
 */

/** Undefined: all of the workspace. */
export interface Which {
  readonly deviceId?: string | undefined;
  readonly contentId?: string | undefined;
}

/** What is read of a table, under the alias `p`; `join` where that takes another table. */
interface Part {
  readonly select: string;
  readonly join?: string;
}

const numberOf = (kind: 'workspace' | 'device' | 'content', ref: string): string =>
  `(SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = '${kind}' AND ref = ${ref})`;

/**
 * The index is named, since the planner, knowing nothing of the plays, may take the wrong one; of a device and a
 * content the device is the smaller part.
 */
const indexFor = ({ deviceId, contentId }: Which): string =>
  deviceId !== undefined ? 'device' : contentId !== undefined ? 'content' : 'time';

/**
 * SQL for the plays of a workspace, or of a device or a content of it, that started from `@start` to `@end`.
 * @param parts.old undefined: none is left there
 * @param parts.rest further conditions, and what follows them, of either table
 */
export const plays = (
  filter: Which,
  { log, old, rest = '' }: { log: Part; old?: Part | undefined; rest?: string },
): string => {
  const index = indexFor(filter);
  const [ofDevice, ofContent] = [filter.deviceId !== undefined, filter.contentId !== undefined];
  const whoseLog = ofDevice ? `p.device = ${numberOf('device', '@deviceId')}` : undefined;
  const whatLog = ofContent ? `p.shown = ${numberOf('content', '@contentId')}` : undefined;
  const inLog = [whoseLog, whatLog].filter((each) => each !== undefined);
  if (inLog.length === 0) inLog.push(`p.workspace = ${numberOf('workspace', "''")}`);
  const period = 'p.started_ms >= @start AND p.started_ms < @end';
  const fromLog = `SELECT ${log.select} FROM play_log AS p INDEXED BY play_log_${index} ${log.join ?? ''} WHERE ${inLog.join(' AND ')} AND ${period} ${rest}`;
  if (!old) return fromLog;
  const inOld = ['p.workspace_id = @workspaceId'];
  if (ofDevice) inOld.push('p.device_id = @deviceId');
  if (ofContent) inOld.push('p.content_id = @contentId');
  return `${fromLog}
    UNION ALL SELECT ${old.select} FROM old_plays AS p INDEXED BY plays_${index} ${old.join ?? ''} WHERE ${inOld.join(' AND ')} AND ${period} ${rest}`;
};

/** SQL for where they stand: their ids, and when they started. */
export const places = (filter: Which, rest?: string): string => {
  const part = { select: 'p.started_ms, p.id' };
  return plays(filter, { log: part, old: part, ...(rest !== undefined && { rest }) });
};
