import { useEffect, useRef } from 'react';
import type { DesignEdits } from './useDesignEdits.ts';

/** Parts of the window in which copied and pasted text is text. */
const TEXT = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]';

/**
 * Copies, cuts and pastes elements, also to other designs and browser tabs. Uses the events of the browser, because
 * `navigator.clipboard` does not exist on a server without HTTPS.
 */
export const useDesignClipboard = (edits: DesignEdits, canEdit: boolean): void => {
  const now = useRef({ edits, canEdit });
  now.current = { edits, canEdit };
  useEffect(() => {
    const listen = (event: ClipboardEvent) => {
      const { edits: open, canEdit: mayEdit } = now.current;
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || !event.clipboardData || open.typing !== null || target.closest(TEXT)) return;
      if (event.type === 'paste') {
        if (!mayEdit) return;
        event.preventDefault();
        open.paste(event.clipboardData.getData('text/plain'));
        return;
      }
      // Text that somebody has marked on the page is copied as text.
      if (open.selection.size === 0 || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', open.copied());
      if (event.type === 'cut' && mayEdit) open.remove();
    };
    const events = ['copy', 'cut', 'paste'] as const;
    for (const type of events) document.addEventListener(type, listen);
    return () => {
      for (const type of events) document.removeEventListener(type, listen);
    };
  }, []);
};
