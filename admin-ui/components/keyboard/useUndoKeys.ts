import { useEffect, useRef } from 'react';

/** Returns whether the target is a text field, which handles undo keys itself. */
const inText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;

/** Ctrl+Z or Cmd+Z undoes, with Shift (or Ctrl+Y) redoes, while the page is open. */
export const useUndoKeys = (history: { undo: () => void; redo: () => void }): void => {
  const now = useRef(history);
  now.current = history;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || inText(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) now.current.redo();
      else now.current.undo();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
};
