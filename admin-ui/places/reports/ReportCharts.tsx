import { ChartColumn, Table } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Delivery, Summary } from '../../../shared/contract/reports.ts';
import { type Bar, BarChart } from '../../components/BarChart.tsx';
import { IconButton } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { usePhone } from '../../components/useMedia.ts';
import { writeDay, writeHour } from '../../i18n/civil.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ChartTable } from './ChartTable.tsx';
import {
  type Bucket,
  bucketsOf,
  everyKth,
  hourMs,
  type Measure,
  type Range,
  scaleOf,
  unitOf,
} from './reports.utils.ts';

type Props = {
  summary: Summary;
  /** By day; undefined: it is not known. */
  planned: Delivery['by_day'] | undefined;
  range: Range;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
};
type Row = { key: number; name: string; short: string } & Pick<Bucket, 'plays' | 'seconds' | 'planned'>;

export function ReportCharts({ summary, planned, range, measure, onMeasure }: Props) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const days = useDayRows(bucketsOf(summary.by_day, range, planned));
  const hours = useHourRows(summary.by_hour);
  // One bar says nothing that the total does not say.
  const charts = [
    ...(days.length > 1 ? [{ title: t('reports.byDay'), rows: days, room: [14, 5] as const }] : []),
    { title: t('reports.byHour'), rows: hours, room: [days.length > 1 ? 6 : 12, 6] as const },
  ];
  return (
    <section className="card report-charts" aria-label={t('reports.charts')}>
      <div className="report-charts-head">
        <Segments
          label={t('reports.measure')}
          value={measure}
          onChange={onMeasure}
          options={[
            { value: 'plays', label: t('reports.plays') },
            { value: 'time', label: t('reports.time') },
          ]}
        />
        <IconButton
          icon={asTable ? ChartColumn : Table}
          label={asTable ? t('reports.asChart') : t('reports.asTable')}
          onPress={() => setAsTable(!asTable)}
        />
      </div>
      <div className={charts.length > 1 ? 'report-chart-pair' : undefined}>
        {charts.map(({ title, rows, room }) => (
          <div key={title}>
            <p className="report-chart-title" aria-hidden>
              {title}
              {!asTable && rows.some((row) => row.planned) && (
                <span className="report-legend">
                  <span>{t('reports.shown')}</span>
                  <span className="planned">{t('reports.planned')}</span>
                </span>
              )}
            </p>
            {asTable ? (
              <ChartTable title={title} rows={rows} />
            ) : (
              <Chart title={title} rows={rows} measure={measure} room={room} />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

function Chart({
  title,
  rows,
  measure,
  room: [wide, small],
}: {
  title: string;
  rows: readonly Row[];
  measure: Measure;
  room: readonly [number, number];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const step = everyKth(rows.length, usePhone() ? small : wide);
  const amount = (of: Pick<Row, 'plays' | 'seconds'>) => (measure === 'plays' ? of.plays : of.seconds);
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

const useDayRows = (buckets: readonly Bucket[]): Row[] => {
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

const useHourRows = (byHour: Summary['by_hour']): Row[] => {
  const { t } = useTranslation();
  const { locale } = useFormat();
  return byHour.map(({ hour, plays, total_seconds: seconds }) => {
    const from = writeHour(locale, hourMs(hour));
    return {
      key: hour,
      name: t('reports.hourName', { from, to: writeHour(locale, hourMs(hour + 1)) }),
      short: from,
      plays,
      seconds,
    };
  });
};
