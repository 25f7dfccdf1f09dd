import { useTranslation } from 'react-i18next';
import '../../components/lists/Table.css';

import type { Bucket } from '../../domain/time/playsChart.utils.ts';
import { useFormat } from '../../i18n/useFormat.ts';

type Row = { key: number; name: string } & Pick<Bucket, 'plays' | 'seconds' | 'planned'>;

/** Table with the values of a chart. */
export function ChartTable({ title, rows }: { title: string; rows: readonly Row[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isKnown = rows.some((row) => row.planned);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="report-chart-table" tabIndex={0} aria-label={title}>
      <table className="table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('reports.when')}</th>
            {isKnown && (
              <th scope="col" className="number">
                {t('reports.planned')}
              </th>
            )}
            <th scope="col" className="number">
              {t('reports.plays')}
            </th>
            <th scope="col" className="number">
              {t('reports.time')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              {isKnown && <td className="number">{format.number(row.planned?.plays ?? 0)}</td>}
              <td className="number">{format.number(row.plays)}</td>
              <td className="number">{format.span(row.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
