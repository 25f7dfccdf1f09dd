import { useRef } from 'react';
import type { Design } from '../../../shared/design/design.ts';
import { withElement, withPage } from './edits.ts';

/**
 * Returns the design without the words of the text that is typed into. The result stays the same object while only
 * these words change, so that the page is not drawn again with each key.
 * @param typing id of the element on the page; null: nothing is typed, and the design is returned as it is
 */
export const useWithoutWords = (design: Design, page: number, typing: string | null): Design => {
  const last = useRef<{ readonly json: string; readonly design: Design }>(undefined);
  if (typing === null) {
    last.current = undefined;
    return design;
  }
  const wordless = withPage(design, page, (p) =>
    withElement(p, typing, (element) => (element.type === 'text' ? { ...element, text: [] } : element)),
  );
  const json = JSON.stringify(wordless);
  if (last.current?.json !== json) last.current = { json, design: wordless };
  return last.current.design;
};
