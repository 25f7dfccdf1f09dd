/**
 * Builds SQL over both tables of plays: `play_log` with numbers, and `old_plays` with plays of older versions that are
 * not moved yet (plays-conversion.ts). The view `plays` returns the plays of both tables with names.
 */

/**
 * Filter of a report. All conditions apply together; undefined means no condition. Conditions are resolved in SQL, so
 * that thousands of ids need not be passed for every chunk of an export.
 */
export interface Which {
  readonly deviceId?: string | undefined;
  readonly contentId?: string | undefined;
  /** Ids of contents, as a JSON array. */
  readonly contentIds?: string | undefined;
  /** Label of contents (column `content.folder`). */
  readonly label?: string | undefined;
  /** Id of a folder. Its subfolders are included. */
  readonly folderId?: string | undefined;
  readonly groupId?: string | undefined;
  /** Tag of screens. */
  readonly tag?: string | undefined;
  readonly playlistId?: string | undefined;
  /** Matches plays of what the plan shows, on the screens of the plan. */
  readonly planId?: string | undefined;
}

/**
 * Part of a query for one table with the alias `p`: the columns to read, and a join if these columns are in another
 * table.
 */
interface Part {
  readonly select: string;
  readonly join?: string;
}

/** Returns SQL for the number of a record in play_subjects. */
export const numberOf = (kind: 'workspace' | 'device' | 'content', ref: string): string =>
  `(SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = '${kind}' AND ref = ${ref})`;

/** SQL for the ids of the matching contents, one query per condition. */
const CONTENTS: Partial<Record<keyof Which, string>> = {
  contentIds: 'SELECT value FROM json_each(@contentIds)',
  label: 'SELECT id FROM content WHERE workspace_id = @workspaceId AND folder = @label',
  folderId: `WITH RECURSIVE inside(id) AS (
    SELECT id FROM folders WHERE workspace_id = @workspaceId AND id = @folderId
    UNION SELECT f.id FROM inside JOIN folders f ON f.workspace_id = @workspaceId AND f.parent_id = inside.id
  ) SELECT c.id FROM inside JOIN content c ON c.folder_id = inside.id`,
};
/** SQL for the ids of the matching devices, one query per condition. */
const DEVICES: Partial<Record<keyof Which, string>> = {
  groupId: 'SELECT device_id FROM group_members WHERE group_id = @groupId',
  tag: 'SELECT device_id FROM device_tags WHERE tag = @tag',
  planId: `SELECT ref FROM plan_targets WHERE plan_id = @planId AND kind = 'device'
    UNION ALL SELECT g.device_id FROM plan_targets t JOIN group_members g ON g.group_id = t.ref WHERE t.plan_id = @planId AND t.kind = 'group'
    UNION ALL SELECT g.device_id FROM plan_targets t JOIN device_tags g ON g.tag = t.ref WHERE t.plan_id = @planId AND t.kind = 'tag'`,
};
const idsIn = (all: typeof CONTENTS, filter: Which): string[] =>
  Object.entries(all).flatMap(([key, sql]) => (filter[key as keyof Which] === undefined ? [] : [sql]));

/** Returns SQL conditions for the devices of the filter. `column` contains device ids. */
export const ofDevices = (filter: Which, column: string): string[] =>
  idsIn(DEVICES, filter).map((ids) => `${column} IN (${ids})`);

/** Returns SQL for the ids of the matching contents; undefined when the filter has no such condition. */
export const contentsOf = (filter: Which): string | undefined => {
  const ids = [...(filter.contentId === undefined ? [] : ['SELECT @contentId']), ...idsIn(CONTENTS, filter)];
  return ids.length === 0 ? undefined : ids.map((sql) => `SELECT * FROM (${sql})`).join(' INTERSECT ');
};

/** Returns SQL conditions for the contents or devices of the filter. `column` contains numbers of play_subjects. */
export const ofNumbers = (kind: 'content' | 'device', filter: Which, column: string): string[] =>
  idsIn(kind === 'content' ? CONTENTS : DEVICES, filter).map(
    (ids) =>
      `${column} IN (SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = '${kind}' AND ref IN (${ids}))`,
  );

export const namesDevices = (filter: Which): boolean =>
  filter.deviceId !== undefined || idsIn(DEVICES, filter).length > 0;
export const namesContents = (filter: Which): boolean =>
  filter.contentId !== undefined || idsIn(CONTENTS, filter).length > 0;
/** Returns whether the filter has conditions beyond one device and one content, which have indexes and sums. */
export const namesMore = ({ deviceId: _d, contentId: _c, ...filter }: Which): boolean =>
  namesDevices(filter) || namesContents(filter) || filter.playlistId !== undefined;

/**
 * Returns SQL conditions for playlists and plans, which only the row of a play or its row in play_turns names.
 * `columns` are the names of the columns in the table.
 */
const ofRows = (filter: Which, columns: { playlist: string; content: string; widget: string }): string[] => {
  const { playlist, content, widget } = columns;
  const planned = (column: string) => `(SELECT ${column} FROM plans WHERE id = @planId)`;
  return [
    ...(filter.playlistId === undefined ? [] : [`${playlist} = @playlistId`]),
    ...(filter.planId === undefined
      ? []
      : [
          `(${playlist} = ${planned('playlist_id')} OR ${content} = ${planned('content_id')} OR ${widget} = ${planned('widget_id')})`,
        ]),
  ];
};
const turnSays = (column: string) => `(SELECT ${column} FROM play_turns WHERE id = p.turn)`;

/**
 * Names the index, because SQLite has no statistics of the plays and may choose a wrong one. For a device and a
 * content, the index by device reads less. For several contents or devices, the newest plays are found only by time;
 * without an order, their own indexes read less.
 */
const indexFor = (filter: Which, inAnyOrder: boolean): 'device' | 'content' | 'time' => {
  if (filter.deviceId !== undefined) return 'device';
  if (filter.contentId !== undefined) return 'content';
  if (inAnyOrder && namesContents(filter)) return 'content';
  return inAnyOrder && namesDevices(filter) ? 'device' : 'time';
};

/**
 * Returns SQL for plays of a workspace that match the filter and started from `@start` to `@end`.
 * @param parts.old undefined when `old_plays` is empty
 * @param parts.rest further conditions and clauses for both tables
 * @param parts.inAnyOrder true when plays are summed, not listed
 */
export const plays = (
  filter: Which,
  {
    log,
    old,
    rest = '',
    inAnyOrder = false,
  }: { log: Part; old?: Part | undefined; rest?: string; inAnyOrder?: boolean },
): string => {
  const index = indexFor(filter, inAnyOrder);
  const [ofDevice, ofContent] = [filter.deviceId !== undefined, filter.contentId !== undefined];
  const inLog = [
    ...(ofDevice ? [`p.device = ${numberOf('device', '@deviceId')}`] : []),
    ...(ofContent ? [`p.shown = ${numberOf('content', '@contentId')}`] : []),
    ...ofNumbers('device', filter, 'p.device'),
    ...ofNumbers('content', filter, 'p.shown'),
    ...ofRows(filter, {
      playlist: turnSays('playlist_id'),
      content: turnSays('content_id'),
      widget: turnSays('widget_id'),
    }),
  ];
  if (index === 'time') inLog.push(`p.workspace = ${numberOf('workspace', "''")}`);
  const period = 'p.started_ms >= @start AND p.started_ms < @end';
  const fromLog = `SELECT ${log.select} FROM play_log AS p INDEXED BY play_log_${index} ${log.join ?? ''} WHERE ${inLog.join(' AND ')} AND ${period} ${rest}`;
  if (!old) return fromLog;
  const inOld = [
    'p.workspace_id = @workspaceId',
    ...(ofDevice ? ['p.device_id = @deviceId'] : []),
    ...(ofContent ? ['p.content_id = @contentId'] : []),
    ...ofDevices(filter, 'p.device_id'),
    ...idsIn(CONTENTS, filter).map((ids) => `p.content_id IN (${ids})`),
    ...ofRows(filter, { playlist: 'p.playlist_id', content: 'p.content_id', widget: 'p.widget_id' }),
  ];
  return `${fromLog}
    UNION ALL SELECT ${old.select} FROM old_plays AS p INDEXED BY plays_${index} ${old.join ?? ''} WHERE ${inOld.join(' AND ')} AND ${period} ${rest}`;
};

/** Returns SQL for the ids and start times of plays. */
export const places = (filter: Which, rest?: string): string => {
  const part = { select: 'p.started_ms, p.id' };
  return plays(filter, { log: part, old: part, ...(rest !== undefined && { rest }) });
};
