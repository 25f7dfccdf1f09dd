import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Design, MAX_ELEMENTS, type Page } from '../../../shared/design/design.ts';
import type { Element } from '../../../shared/design/elements.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { announce } from '../../components/controls/announce.ts';
import { toast } from '../../components/controls/toasts.ts';
import type { Draft } from '../../components/hooks/useHistory.ts';
import {
  added,
  aligned,
  clipboardText,
  copied,
  type Edge,
  fromClipboard,
  grouped,
  groupOf,
  pasted,
  raised,
  removed,
  spaced,
  ungrouped,
  withElement,
  withPage,
  wordsOfClipboard,
} from './edits.ts';
import { type NewElement, newElement } from './newElement.ts';

/**
 * The open page, the selection, and all edits of the designer. Each edit is one undo step; consecutive edits of the same
 * `kind` are one step together.
 */
export const useDesignEdits = ({ value: design, change }: Draft<Design>, format: PageFormat) => {
  const { t } = useTranslation();
  const [pageAt, setPageAt] = useState(0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** Text element that is being typed into. */
  const [typing, setTyping] = useState<string | null>(null);
  /** The first element that was added last. Its button gets the focus. */
  const [fresh, setFresh] = useState<{ readonly id: string }>();
  const at = Math.min(pageAt, design.pages.length - 1);
  const page = design.pages[at]!;
  // An element may have disappeared by undo or by another person's save.
  const selection: ReadonlySet<string> = new Set(page.elements.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  const onPage = (edit: (page: Page) => Page, kind?: string) => change((d) => withPage(d, at, edit), kind);
  const select = (ids: ReadonlySet<string>) => {
    setTyping(null);
    setChosen(ids);
  };
  /** Returns whether the page has no room for another element, and says so. */
  const isFull = (): boolean => {
    if (page.elements.length < MAX_ELEMENTS) return false;
    toast({ tone: 'problem', text: t('designer.full', { max: MAX_ELEMENTS }) });
    return true;
  };
  const insert = (found: ReturnType<typeof pasted>) => {
    onPage(() => found.page);
    select(found.ids);
    setFresh({ id: [...found.ids][0] ?? '' });
  };
  return {
    page,
    at,
    selection,
    /** The element if exactly one is selected. */
    selected: selection.size === 1 ? page.elements.find(({ id }) => selection.has(id)) : undefined,
    fresh,
    typing: typing !== null && selection.has(typing) ? typing : null,
    /** Opens an element for typing; null closes it. */
    type: setTyping,
    /** @param isMore adds to the selection, or removes what is selected already */
    select: (id: string | null, isMore = false) => {
      if (id === null) return select(new Set());
      const group = groupOf(page, id);
      if (!isMore) return select(group);
      const isIn = selection.has(id);
      select(new Set([...selection].filter((one) => !isIn || !group.has(one)).concat(isIn ? [] : [...group])));
    },
    selectAll: (ids: readonly string[]) => select(new Set(ids)),
    openPage: (index: number) => {
      select(new Set());
      setPageAt(index);
    },
    onPage,
    onDesign: change,
    /** Changes the selected element. */
    onElement: <E extends Element>(id: string, edit: (element: E) => Element, kind?: string) =>
      onPage((p) => withElement(p, id, (element) => edit(element as E)), kind && `${kind} ${id}`),
    add: (what: NewElement) => {
      if (isFull()) return;
      const element = newElement(page, what, t);
      onPage((p) => added(p, element));
      select(new Set([element.id]));
      if (element.type === 'text') setTyping(element.id);
      else setFresh({ id: element.id });
    },
    remove: () => {
      if (selection.size === 0) return;
      onPage((p) => removed(p, selection));
      announce(t('designer.saidRemoved', { count: selection.size }));
      select(new Set());
    },
    duplicate: () => {
      if (selection.size > 0 && !isFull()) insert(pasted(page, copied(page, selection, format), format));
    },
    /** Returns the text of the selected elements for the clipboard. */
    copied: () => {
      announce(t('designer.saidCopied', { count: selection.size }));
      return clipboardText(copied(page, selection, format));
    },
    /** Inserts copied elements. Other text becomes a text element. */
    paste: (text: string) => {
      if (isFull()) return;
      const found = fromClipboard(text);
      if (found) return insert(pasted(page, found, format));
      const words = wordsOfClipboard(text);
      if (words === '') return toast({ tone: 'note', text: t('designer.nothingToPaste') });
      const element = newElement(page, { type: 'text', text: words }, t);
      insert({ page: added(page, element), ids: new Set([element.id]) });
    },
    raise: (by: number) => onPage((p) => raised(p, selection, by)),
    group: () => onPage((p) => grouped(p, selection)),
    ungroup: () => onPage((p) => ungrouped(p, selection)),
    align: (edge: Edge) => onPage((p) => aligned(p, selection, edge, format)),
    space: (axis: 'x' | 'y') => onPage((p) => spaced(p, selection, axis, format)),
  };
};
export type DesignEdits = ReturnType<typeof useDesignEdits>;
