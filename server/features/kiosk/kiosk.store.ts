import type { Database } from '../../db/database.ts';
import { eq } from '../../db/drizzle.ts';
import { kioskPages } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type KioskRow = typeof kioskPages.$inferSelect;

export class KioskStore extends RecordsStore<typeof kioskPages> {
  constructor(db: Database) {
    super(db, kioskPages);
  }

  /** Finds a kiosk page in any workspace, because its render page is public. */
  findAnywhere(id: string): KioskRow | undefined {
    return this.db.orm.select().from(kioskPages).where(eq(kioskPages.id, id)).get();
  }
}
