import { useTranslation } from 'react-i18next';
import { writeDay, writeDays } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import type { Range } from './period.utils.ts';

const ONE_DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };

/** Returns a period in words: "The last 7 days: 4 – 10 March 2026", "Today: Tuesday, 10 March 2026". */
export const useRangeWords = (range: Range): string => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const days =
    range.start === range.end ? writeDay(locale, range.start, ONE_DAY) : writeDays(locale, range.start, range.end);
  return range.name === 'custom' ? days : t('reports.rangeWords', { range: t(`reports.ranges.${range.name}`), days });
};
