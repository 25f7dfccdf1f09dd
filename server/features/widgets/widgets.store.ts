import type { Owner } from '../../../shared/contract/people/owner.ts';
import type { Database } from '../../db/database.ts';
import { eq } from '../../db/drizzle.ts';
import { widgets } from '../../db/schema.ts';
import { ofOwner, RecordsStore } from '../records.store.ts';

export type WidgetRow = typeof widgets.$inferSelect;
/** Fields of a widget from which its page and data are made. */
export type WidgetSource = Pick<WidgetRow, 'id' | 'workspace_id' | 'widget_type' | 'config'>;

export class WidgetsStore extends RecordsStore<typeof widgets> {
  constructor(db: Database) {
    super(db, widgets);
  }

  list(workspaceId: string, owner?: Owner): WidgetRow[] {
    return this.oldestFirst(ofOwner(widgets, 'widgets', { workspaceId, owner }));
  }

  /** Finds a widget in any workspace, because its render page is public. */
  findAnywhere(id: string): WidgetRow | undefined {
    return this.db.orm.select().from(widgets).where(eq(widgets.id, id)).get();
  }

  /** Returns widgets that some screen may show: in a published playlist, or in an enabled schedule. */
  onScreens(): WidgetSource[] {
    const rows = this.db.raw
      .prepare(
        `SELECT id, workspace_id, widget_type, config FROM widgets w
         WHERE EXISTS (SELECT 1 FROM published_items i WHERE i.widget_id = w.id) OR EXISTS (SELECT 1 FROM schedules s WHERE s.widget_id = w.id AND s.enabled = 1)`,
      )
      .all() as (Omit<WidgetSource, 'config'> & { config: string })[];
    return rows.map((row) => ({ ...row, config: JSON.parse(row.config) as WidgetSource['config'] }));
  }

  /** Returns the schedules that name the widget, because deleting the widget changes these schedules. */
  schedulesWith(id: string): string[] {
    return (this.db.raw.prepare('SELECT id FROM schedules WHERE widget_id = ?').all(id) as { id: string }[]).map(
      (row) => row.id,
    );
  }
}
