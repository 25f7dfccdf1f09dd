/** The item that a player's `log` message is about. The value is in the field `detail` of the message. */
import { z } from 'zod';

export const FaultSubject = z.object({
  /** Playlist item id; null: the item does not belong to a playlist. */
  item_id: z.number().int().nullable(),
  /** SHA-256 of the item's file; null: the item has no file. */
  asset: z.string().max(200).nullable(),
});
export type FaultSubject = z.infer<typeof FaultSubject>;
