/** Places in headquarters' playlists that a store fills, within limits: one rule for the window, the API and screens. */
import type { SlotLimits } from './campaign.ts';

/** What an item takes of its place. */
export interface SlotItem {
  /** As {@link slotKind} has it. */
  readonly kind: string;
  readonly seconds: number;
}

/** Whatever comes of a widget is one, be it a page at an address. */
export const slotKind = ({ widget_id, kind }: { readonly widget_id: string | null; readonly kind: string }): string =>
  widget_id === null ? kind : 'widget';

/** Why an item has no place: its kind is none of those allowed, or what stands before it fills the place. */
export type NoRoom = 'kind' | 'items' | 'seconds';

/**
 * Puts items into a place, in their order, as far as they fit; one that is too long leaves room for those behind it.
 * @returns those that play, and why the others do not
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
