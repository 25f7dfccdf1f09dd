import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { PRINTED, setPrinting } from '../../components/hooks/printing.ts';
import { withTexts } from '../../i18n/i18n.ts';

/**
 * Maximum time in milliseconds to fetch a complete list for printing. After this time, the list is printed as it is.
 */
const FETCHED_MS = 8000;
/** Selector of rows, pictures and texts that are still loading. */
const MISSING = '#pane .bone, #pane .scaled-busy';

const frame = () => new Promise((next) => requestAnimationFrame(next));
const allThere = async (): Promise<void> => {
  const end = performance.now() + FETCHED_MS;
  await frame();
  await frame();
  while (document.querySelector(MISSING) && performance.now() < end) await frame();
};

/**
 * Renders long lists completely before printing. Ctrl+P waits for missing rows; the print command in the browser's
 * menu prints only the rows that are loaded. A note on the paper says if a list has more rows than the limit.
 */
export const usePrint = (): void => {
  const { t, i18n } = useTranslation();
  useEffect(() => {
    const begin = () => {
      flushSync(() => setPrinting(true));
      const pane = document.getElementById('pane');
      const total = Number(pane?.querySelector('[data-printed]')?.getAttribute('data-printed') ?? 0);
      // Adds the note only if its translation is loaded, which may not be the case on the first page.
      if (pane && total > PRINTED && i18n.exists('find.printedFirst'))
        pane.dataset['printNote'] = t('find.printedFirst', { shown: PRINTED, total });
    };
    const end = () => {
      setPrinting(false);
      delete document.getElementById('pane')?.dataset['printNote'];
    };
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      const ready = withTexts(async () => undefined).catch(() => undefined);
      void ready
        .then(begin)
        .then(allThere)
        .then(() => print());
    };
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    addEventListener('keydown', hear);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      removeEventListener('keydown', hear);
    };
  }, [t, i18n]);
};
