import { useTranslation } from 'react-i18next';
import { usePhone } from '../../components/hooks/useMedia.ts';
import { type Bar, BarChart } from '../../components/lists/BarChart.tsx';
import { writeDay } from '../../i18n/civil.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { type Bucket, everyKth, type Measure, scaleOf, unitOf } from './playsChart.utils.ts';

export type ChartRow = { key: number; name: string; short: string } & Pick<Bucket, 'plays' | 'seconds' | 'planned'>;

/**
 * A chart of plays over time. `room`: number of labels that fit under the bars, first in a wide and then in a narrow
 * browser window.
 */
export function PlaysChart({
  title,
  rows,
  measure,
  room: [wide, small],
}: {
  title: string;
  rows: readonly ChartRow[];
  measure: Measure;
  room: readonly [number, number];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const step = everyKth(rows.length, usePhone() ? small : wide);
  const amount = (of: Pick<ChartRow, 'plays' | 'seconds'>) => (measure === 'plays' ? of.plays : of.seconds);
  const largest = Math.max(...rows.flatMap((row) => [amount(row), row.planned ? amount(row.planned) : 0]));
  const { unit, seconds } = unitOf(largest);
  const size = measure === 'plays' ? 1 : seconds;
  const scale = scaleOf(largest / size).map((value) => ({
    value,
    label:
      measure === 'plays'
        ? format.number(value, 1)
        : new Intl.NumberFormat(format.locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  }));
  const bars: Bar[] = rows.map((row, i) => ({
    key: row.key,
    value: amount(row) / size,
    ...(row.planned && { behind: amount(row.planned) / size }),
    text: [
      t('reports.barText', { when: row.name, count: row.plays, time: format.span(row.seconds) }),
      ...(row.planned
        ? [t('reports.barPlanned', { plays: format.number(row.planned.plays), time: format.span(row.planned.seconds) })]
        : []),
    ].join(' '),
    tick: i % step === 0 ? row.short : undefined,
  }));
  return <BarChart title={title} bars={bars} lines={scale} />;
}

/** Returns a row for each bar, with the days of the bar in words. */
export const useDayRows = (buckets: readonly Bucket[]): ChartRow[] => {
  const { locale } = useFormat();
  const months = buckets.some((b) => b.end > b.start);
  const name: Intl.DateTimeFormatOptions = months
    ? { month: 'long', year: 'numeric' }
    : { weekday: 'long', day: 'numeric', month: 'long' };
  const short: Intl.DateTimeFormatOptions = months
    ? { month: 'short' }
    : buckets.length <= 7
      ? { weekday: 'short', day: 'numeric' }
      : { day: 'numeric', month: 'short' };
  return buckets.map((b) => ({
    key: b.start,
    name: writeDay(locale, b.start, name),
    short: writeDay(locale, b.start, short),
    plays: b.plays,
    seconds: b.seconds,
    ...(b.planned && { planned: b.planned }),
  }));
};
