import { useEffect, useState } from 'react';
import { capturedDrop, type Held } from '../../components/fields/capturedDrop.ts';

/**
 * Returns whether files have been dragged over the window. The drop handler is loaded only then. Without it, the
 * browser would leave this page and open the files.
 */
export const useFilesHeld = () => {
  const [held, setHeld] = useState<{ early?: Held }>();
  useEffect(() => {
    const see = (event: DragEvent) => {
      const { type, dataTransfer, defaultPrevented } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (type === 'drop' && !defaultPrevented) setHeld({ early: capturedDrop(dataTransfer) });
      else setHeld((before) => before ?? {});
    };
    const names = ['dragover', 'drop'] as const;
    for (const name of names) addEventListener(name, see);
    return () => {
      for (const name of names) removeEventListener(name, see);
    };
  }, []);
  return held;
};
