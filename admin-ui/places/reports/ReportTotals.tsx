import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../shared/contract/reports.ts';
import { useFormat } from '../../i18n/useFormat.ts';

export function ReportTotals({ overall }: { overall: Summary['overall'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const totals = [
    [t('reports.plays'), format.number(overall.total_plays)],
    [t('reports.totalTime'), format.span(overall.total_seconds)],
    [t('reports.totalContents'), format.number(overall.unique_content)],
    [t('nav.screens'), format.number(overall.unique_devices)],
    [t('reports.average'), format.span(overall.avg_duration_sec)],
  ] as const;
  return (
    <dl className="report-totals card">
      {totals.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
