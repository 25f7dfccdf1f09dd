/** What a player's `log` message about an item is about. Stands in `detail` of the message. */
import { z } from 'zod';

export const FaultSubject = z.object({
  /** Playlist item id; null: the item is not a playlist's. */
  item_id: z.number().int().nullable(),
  /** SHA-256 of its file; null: it has none. */
  asset: z.string().max(200).nullable(),
});
export type FaultSubject = z.infer<typeof FaultSubject>;
