import { type Active, type CollisionDetection, closestCenter, pointerWithin } from '@dnd-kit/core';
import type { Content } from '../../../shared/contract/content.ts';

export const LIST_ID = 'list';

/** What is being dragged, when it comes from the library. */
export const libraryContent = (active: Active): Content | undefined =>
  (active.data.current as { content?: Content } | undefined)?.content;

/**
 * A content from the library goes where the pointer is, and nowhere when that is outside the list. An item of the list
 * goes to the nearest place.
 */
export const collide: CollisionDetection = (args) => {
  if (!libraryContent(args.active))
    return closestCenter({ ...args, droppableContainers: args.droppableContainers.filter((c) => c.id !== LIST_ID) });
  const under = pointerWithin(args);
  const rows = under.filter((c) => c.id !== LIST_ID);
  return rows.length > 0 ? rows : under;
};
