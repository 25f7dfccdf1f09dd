import { ChartColumn, Table } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Delivery, Summary } from '../../../shared/contract/server/reports.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { IconButton } from '../../components/controls/Button.tsx';
import { type ChartRow, PlaysChart, useDayRows } from '../../domain/time/PlaysChart.tsx';
import type { Range } from '../../domain/time/period.utils.ts';
import { bucketsOf, hourMs, type Measure } from '../../domain/time/playsChart.utils.ts';
import { writeHour } from '../../i18n/civil.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ChartTable } from './ChartTable.tsx';

type Props = {
  summary: Summary;
  /** Planned plays by day; undefined if unknown. */
  planned: Delivery['by_day'] | undefined;
  range: Range;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
};

export function ReportCharts({ summary, planned, range, measure, onMeasure }: Props) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const days = useDayRows(bucketsOf(summary.by_day, range, planned));
  const hours = useHourRows(summary.by_hour);
  // A chart with a single bar would only repeat the total.
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
              <PlaysChart title={title} rows={rows} measure={measure} room={room} />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

const useHourRows = (byHour: Summary['by_hour']): ChartRow[] => {
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
