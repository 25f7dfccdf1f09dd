import type { Database } from '../server/db/database.ts';

/** Database columns that a schedule shares with its plan. */
const SHARED =
  'workspace_id, zone_id, content_id, widget_id, layout_id, playlist_id, title, start_time, end_time, timezone, recurrence, recurrence_end, color, priority, enabled, created_at, updated_at';

/** Creates a plan for each schedule that a test inserted without a plan. */
export const planAll = ({ raw }: Pick<Database, 'raw'>): void => {
  raw.exec(`
    INSERT INTO plans (id, ${SHARED}) SELECT id, ${SHARED} FROM schedules WHERE plan_id IS NULL;
    INSERT INTO plan_targets (plan_id, position, kind, ref)
      SELECT id, 0, CASE WHEN device_id IS NULL THEN 'group' ELSE 'device' END, coalesce(device_id, group_id) FROM schedules WHERE plan_id IS NULL;
    UPDATE schedules SET plan_id = id WHERE plan_id IS NULL;`);
};
