/**
 * Slots: places in headquarters' playlists that a store fills with its own items, within limits. The API and the
 * compiler of screens' programs use these functions.
 */
import type { SlotLimits } from './campaign.ts';

/** Duration in seconds and kind of an item in a slot. */
export interface SlotItem {
  /** Kind of the item, from {@link slotKind}. */
  readonly kind: string;
  readonly seconds: number;
}

/**
 * Returns the kind of an item, for comparison with the kinds that a slot allows. Every widget has the kind `widget`,
 * even if it shows a web page.
 */
export const slotKind = ({ widget_id, kind }: { readonly widget_id: string | null; readonly kind: string }): string =>
  widget_id === null ? kind : 'widget';

/**
 * Reason why an item is left out. `kind`: the slot does not allow its kind. `items`: the slot has its maximum number of
 * items. `seconds`: the item would exceed the slot's duration.
 */
export type NoRoom = 'kind' | 'items' | 'seconds';

/**
 * Puts items into a slot, in order, as far as they fit. An item that does not fit is left out, and the items after it
 * are still tried.
 * @returns the items that play, and the items that are left out with the reasons
 */
export const fill = <T extends SlotItem>(
  { max_items, max_seconds, kinds }: Pick<SlotLimits, 'max_items' | 'max_seconds' | 'kinds'>,
  items: readonly T[],
): { readonly taken: readonly T[]; readonly left: readonly { readonly item: T; readonly because: NoRoom }[] } => {
  const taken: T[] = [];
  const left: { item: T; because: NoRoom }[] = [];
  let seconds = 0;
  for (const item of items) {
    const because = !(kinds as readonly string[]).includes(item.kind)
      ? 'kind'
      : taken.length >= max_items
        ? 'items'
        : seconds + item.seconds > max_seconds
          ? 'seconds'
          : undefined;
    if (because) left.push({ item, because });
    else {
      taken.push(item);
      seconds += item.seconds;
    }
  }
  return { taken, left };
};
