/** Deleting and restoring records over HTTP. */
import { must } from '../../../../test/people.ts';
import type { Shop } from '../../../../test/shop.ts';

/** Returns the newest entry of a record in the bin. */
export const binned = async ({ get }: Shop, ref: string) => (await get(`/api/bin?ref=${ref}`))[0];
export const restore = async (shop: Shop, ref: string) => {
  const { id } = await binned(shop, ref);
  return must(await shop.call('POST', `/api/bin/${id}/restore`));
};
export const names = (items: readonly { filename?: string | null; widget_name?: string | null }[]) =>
  items.map((item) => item.filename ?? item.widget_name);
