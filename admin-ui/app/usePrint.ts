import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { PRINTED, setPrinting } from '../components/printing.ts';
import { withTexts } from '../i18n/i18n.ts';

/** What a list has to fetch until it is whole; then it is printed as it is. */
const FETCHED_MS = 8000;
/** Rows, pictures and words that have not come. */
const MISSING = '#pane .bone, #pane .scaled-busy';

const frame = () => new Promise((next) => requestAnimationFrame(next));
const allThere = async (): Promise<void> => {
  const end = performance.now() + FETCHED_MS;
  await frame();
  await frame();
  while (document.querySelector(MISSING) && performance.now() < end) await frame();
};

/**
 * Draws long lists whole before the page is printed. Ctrl+P waits for what has to be fetched for that; the browser's
 * menu prints what is there. Where there is more than fits on paper, the paper says so.
 */
export const usePrint = (): void => {
  const { t, i18n } = useTranslation();
  useEffect(() => {
    const begin = () => {
      flushSync(() => setPrinting(true));
      const pane = document.getElementById('pane');
      const total = Number(pane?.querySelector('[data-printed]')?.getAttribute('data-printed') ?? 0);
      // Where nobody has left the first page its words may not have come yet.
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
