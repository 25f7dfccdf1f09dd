import { useEffect, useRef, useState } from 'react';
import { TypeAhead } from './typeAhead.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** Returns the shortcut as it is printed on the keys. */
export const paletteKey = isApple ? '⌘K' : 'Ctrl K';

/** Keys typed while the palette is loading. */
export const typedAhead = new TypeAhead(window);

/**
 * The command palette. Ctrl+K or Cmd+K opens and closes it from anywhere. Keys that are typed while it loads are
 * entered into its field.
 */
export const usePalette = () => {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    typedAhead.begin();
    setOpen(true);
  };
  const close = () => {
    typedAhead.end();
    setOpen(false);
  };
  const toggle = useRef(open);
  toggle.current = isOpen ? close : open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(isApple ? event.metaKey : event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      toggle.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return { isOpen, open, close };
};
