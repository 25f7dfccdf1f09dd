import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, listContent } from '../../../../shared/contract/content/content.ts';
import type { ContentFilter } from '../../../api/files/content.ts';
import { allPages } from '../../../api/requests/pages.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { type Selection, useSelection } from '../../../components/lists/useSelection.ts';
import type { useContentEdits } from '../useContentEdits.ts';
import type { useContentData } from './useContentData.ts';

type ContentData = ReturnType<typeof useContentData>;

/** The selected contents. Only contents that the user may change can be selected. */
export const useLibrarySelection = (
  data: ContentData,
  filter: ContentFilter,
  isOwn: (content: Content) => boolean,
): Selection<Content> & { readonly chooseAll: () => Promise<void> } => {
  const tell = useProblem();
  const ownAt = (index: number) => {
    const content = data.at(index);
    return content && isOwn(content) ? content : undefined;
  };
  const selection = useSelection<Content>(ownAt, async (from, to) => (await data.load(from, to)).filter(isOwn));
  const chooseAll = async () => {
    try {
      selection.choose((await allPages(listContent, undefined, filter)).filter(isOwn));
    } catch (error) {
      tell(error);
    }
  };
  return { ...selection, chooseAll };
};

/**
 * Dragging contents onto folders: `dragged` returns the ids that are dragged with a content, `onMoveTo` moves dropped
 * contents. Both keep their identity, since cells and the folder tree are memoized.
 */
export const useDragToFolder = (
  data: ContentData,
  { chosen, clear }: Selection<Content>,
  edits: ReturnType<typeof useContentEdits>,
) => {
  const { t } = useTranslation();
  const dragged = useCallback(
    (content: Content) => (chosen.has(content.id) ? [...chosen.keys()] : [content.id]),
    [chosen],
  );
  const moveTo = (to: { id: string; name: string } | null, ids: string[]) => {
    const all = new Map([...chosen, ...loaded(data).map((c) => [c.id, c] as const)]);
    const moving = ids.flatMap((id) => all.get(id) ?? []).filter((c) => c.folder_id !== (to?.id ?? null));
    if (moving.length > 0) void edits.move(moving, to?.id ?? null, to?.name ?? t('content.noFolder')).then(clear);
  };
  const move = useRef(moveTo);
  move.current = moveTo;
  const onMoveTo = useCallback<typeof moveTo>((to, ids) => move.current(to, ids), []);
  return { dragged, onMoveTo };
};

/** The contents that are loaded: on the page and around it. */
const loaded = ({ total, at }: Pick<ContentData, 'total' | 'at'>): Content[] =>
  Array.from({ length: total }, (_, i) => at(i)).filter((c) => c !== undefined);
