import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../shared/contract/people/language.ts';
import {
  formatAgo,
  formatBytes,
  formatClock,
  formatDate,
  formatDateTime,
  formatList,
  formatNumber,
  formatPercent,
  formatSpan,
  formatTime,
  formatUnit,
} from './format.ts';
import { localeOf } from './language.ts';

export const useLocaleTag = (): string => {
  const { i18n } = useTranslation();
  return localeOf(i18n.language as Language, navigator.languages);
};

/** The functions of format.ts, bound to the user's locale. */
export const useFormat = () => {
  const locale = useLocaleTag();
  return useMemo(
    () => ({
      locale,
      number: (value: number, digits?: number) => formatNumber(locale, value, digits),
      percent: (share: number, digits?: number) => formatPercent(locale, share, digits),
      unit: (value: number, unit: string) => formatUnit(locale, value, unit),
      bytes: (bytes: number) => formatBytes(locale, bytes),
      clock: formatClock,
      span: (seconds: number) => formatSpan(locale, seconds),
      ago: (at: number, now: number) => formatAgo(locale, at, now),
      dateTime: (at: number) => formatDateTime(locale, at),
      date: (at: number) => formatDate(locale, at),
      time: (at: number, withSeconds?: boolean) => formatTime(locale, at, withSeconds),
      list: (names: readonly string[]) => formatList(locale, names),
    }),
    [locale],
  );
};
