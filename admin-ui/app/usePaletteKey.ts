import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** As it stands on the keys. */
export const paletteKey = isApple ? '⌘K' : 'Ctrl K';

/** Whether the command palette is open; Ctrl+K or Cmd+K opens and closes it from anywhere. */
export const usePaletteKey = (): [boolean, Dispatch<SetStateAction<boolean>>] => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isApple ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen((now) => !now);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return [open, setOpen];
};
