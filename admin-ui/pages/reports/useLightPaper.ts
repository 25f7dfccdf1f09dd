import { useEffect } from 'react';

/** Switches to the light theme while the page prints, because paper is white. */
export const useLightPaper = (): void => {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let shown: string | undefined;
    const begin = () => {
      shown = dataset['theme'];
      dataset['theme'] = 'light';
    };
    const end = () => {
      if (shown) dataset['theme'] = shown;
    };
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
};
