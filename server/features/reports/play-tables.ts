/**
 * Plays are kept in numbers (`play_log`), but for those of older versions that have not moved there yet (`old_plays`,
 * plays-conversion.ts). What is asked of the plays is asked of both; in words they stand in the view `plays`.
 */

/**
 * What a report is of; all that is named holds at once. Undefined: all of the workspace. Each is resolved where the plays
 * are read, so that thousands of ids need not travel with every chunk of an export.
 */
export interface Which {
  readonly deviceId?: string | undefined;
  readonly contentId?: string | undefined;
  /** JSON array of ids. */
  readonly contentIds?: string | undefined;
  /** Of contents: what `content.folder` says. */
  readonly label?: string | undefined;
  /** With the folders in it. */
  readonly folderId?: string | undefined;
  readonly groupId?: string | undefined;
  /** Of screens. */
  readonly tag?: string | undefined;
  readonly playlistId?: string | undefined;
  /** What it shows, on the screens that it is for. */
  readonly planId?: string | undefined;
}

/** What is read of a table, under the alias `p`; `join` where that takes another table. */
interface Part {
  readonly select: string;
  readonly join?: string;
}

/** SQL for its number in play_subjects. */
export const numberOf = (kind: 'workspace' | 'device' | 'content', ref: string): string =>
  `(SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = '${kind}' AND ref = ${ref})`;

/** SQL for the ids of the contents that are meant, one for each condition. */
const CONTENTS: Partial<Record<keyof Which, string>> = {
  contentIds: 'SELECT value FROM json_each(@contentIds)',
  label: 'SELECT id FROM content WHERE workspace_id = @workspaceId AND folder = @label',
  folderId: `WITH RECURSIVE inside(id) AS (
    SELECT id FROM folders WHERE workspace_id = @workspaceId AND id = @folderId
    UNION SELECT f.id FROM inside JOIN folders f ON f.workspace_id = @workspaceId AND f.parent_id = inside.id
  ) SELECT c.id FROM inside JOIN content c ON c.folder_id = inside.id`,
};
/** The same for devices. */
const DEVICES: Partial<Record<keyof Which, string>> = {
  groupId: 'SELECT device_id FROM group_members WHERE group_id = @groupId',
  tag: 'SELECT device_id FROM device_tags WHERE tag = @tag',
  planId: `SELECT ref FROM plan_targets WHERE plan_id = @planId AND kind = 'device'
    UNION ALL SELECT g.device_id FROM plan_targets t JOIN group_members g ON g.group_id = t.ref WHERE t.plan_id = @planId AND t.kind = 'group'
    UNION ALL SELECT g.device_id FROM plan_targets t JOIN device_tags g ON g.tag = t.ref WHERE t.plan_id = @planId AND t.kind = 'tag'`,
};
const idsIn = (all: typeof CONTENTS, filter: Which): string[] =>
  Object.entries(all).flatMap(([key, sql]) => (filter[key as keyof Which] === undefined ? [] : [sql]));

/** SQL for conditions of devices, by their ids. */
export const ofDevices = (filter: Which, column: string): string[] =>
  idsIn(DEVICES, filter).map((ids) => `${column} IN (${ids})`);

/** SQL for the ids of the contents that are meant; undefined: all are. */
export const contentsOf = (filter: Which): string | undefined => {
  const ids = [...(filter.contentId === undefined ? [] : ['SELECT @contentId']), ...idsIn(CONTENTS, filter)];
  return ids.length === 0 ? undefined : ids.map((sql) => `SELECT * FROM (${sql})`).join(' INTERSECT ');
};

/** SQL for conditions of the numbers of what was shown, or of devices, in play_subjects. */
export const ofNumbers = (kind: 'content' | 'device', filter: Which, column: string): string[] =>
  idsIn(kind === 'content' ? CONTENTS : DEVICES, filter).map(
    (ids) =>
      `${column} IN (SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = '${kind}' AND ref IN (${ids}))`,
  );

export const namesDevices = (filter: Which): boolean =>
  filter.deviceId !== undefined || idsIn(DEVICES, filter).length > 0;
export const namesContents = (filter: Which): boolean =>
  filter.contentId !== undefined || idsIn(CONTENTS, filter).length > 0;
/** Beyond one device and one content, for which there are indexes and sums. */
export const namesMore = ({ deviceId: _d, contentId: _c, ...filter }: Which): boolean =>
  namesDevices(filter) || namesContents(filter) || filter.playlistId !== undefined;

/** What only the turn or the row of a play knows: `playlist` and the other columns are the table's. */
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
 * The index is named, since the planner, knowing nothing of the plays, may take the wrong one; of a device and a
 * content the device is the smaller part. Of several contents or devices the newest can only be found by time; where the
 * order is all the same their own indexes read less.
 */
const indexFor = (filter: Which, inAnyOrder: boolean): 'device' | 'content' | 'time' => {
  if (filter.deviceId !== undefined) return 'device';
  if (filter.contentId !== undefined) return 'content';
  if (inAnyOrder && namesContents(filter)) return 'content';
  return inAnyOrder && namesDevices(filter) ? 'device' : 'time';
};

/**
 * SQL for the plays of a workspace, or of what the filter names of it, that started from `@start` to `@end`.
 * @param parts.old undefined: none is left there
 * @param parts.rest further conditions, and what follows them, of either table
 * @param parts.inAnyOrder they are summed, not listed
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

/** SQL for where they stand: their ids, and when they started. */
export const places = (filter: Which, rest?: string): string => {
  const part = { select: 'p.started_ms, p.id' };
  return plays(filter, { log: part, old: part, ...(rest !== undefined && { rest }) });
};
