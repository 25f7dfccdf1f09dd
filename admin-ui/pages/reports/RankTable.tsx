import { Link } from '@tanstack/react-router';
import { ListVideo } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import '../../components/lists/Table.css';
import type { Measure } from '../../domain/time/playsChart.utils.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { type Amounts, deliveredTone } from './reports.utils.ts';

type Row = Amounts & { key: string; name: string; content?: string | null; screen?: string };
type Props = {
  label: string;
  first: string;
  measure: Measure;
  rows: readonly Row[];
  onPlays?: (content: string) => void;
};

/** Number of rows that are shown first, and of rows that each click adds. */
const FIRST = 25;
const MORE = 200;

/**
 * Table of sums, sorted by the measured value, then by the planned value. A bar shows each row's share of the total.
 * If the plan is known, a row also says how much of the planned time was shown.
 */
export function RankTable({ label, first, measure, rows, onPlays }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState(FIRST);
  const amount = (of: Pick<Row, 'plays' | 'seconds'>) => (measure === 'plays' ? of.plays : of.seconds);
  const meant = (row: Row) => (row.planned ? amount(row.planned) : 0);
  const ordered = [...rows].sort((a, b) => amount(b) - amount(a) || meant(b) - meant(a));
  const isPlanned = rows.some((row) => row.planned !== undefined);
  const isKnown = rows.some((row) => row.delivered !== undefined);
  const total = Math.max(
    1,
    rows.reduce((sum, row) => sum + amount(row), 0),
  );
  return (
    <div className="table-box">
      <table className="table stack">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {isPlanned && (
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
            {isKnown && <th scope="col">{t('reports.delivered')}</th>}
            <th scope="col" className={isKnown ? 'number' : 'rank-share'}>
              {t('reports.share')}
            </th>
            {onPlays && (
              <th scope="col">
                <span className="visually-hidden">{t('reports.views.plays')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, shown).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <RowName row={row} />
              </th>
              {isPlanned && (
                <td className="number" data-label={t('reports.planned')}>
                  {measure === 'plays'
                    ? format.number(row.planned?.plays ?? 0)
                    : format.span(row.planned?.seconds ?? 0)}
                </td>
              )}
              <td className="number" data-label={t('reports.plays')}>
                {format.number(row.plays)}
              </td>
              <td className="number" data-label={t('reports.time')}>
                {format.span(row.seconds)}
              </td>
              {isKnown && (
                <td data-label={t('reports.delivered')}>
                  {row.delivered == null ? (
                    <span className="quiet">–</span>
                  ) : (
                    <Badge tone={deliveredTone(row.delivered)} dot>
                      {format.percent(row.delivered / 100, 1)}
                    </Badge>
                  )}
                </td>
              )}
              <td className={isKnown ? 'number wide-only' : 'rank-share wide-only'}>
                {!isKnown && (
                  <span className="rank-bar">
                    <span style={{ width: `${(100 * amount(row)) / total}%` }} />
                  </span>
                )}
                <span>{format.percent(amount(row) / total, 1)}</span>
              </td>
              {onPlays && (
                <td className="actions">
                  {row.content && (
                    <IconButton
                      icon={ListVideo}
                      size="small"
                      label={t('reports.playsOf', { name: row.name })}
                      onPress={() => onPlays(row.content!)}
                    />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {ordered.length > shown && (
        <div className="table-more">
          <Button variant="quiet" onPress={() => setShown(shown + MORE)}>
            {t('reports.more', { count: ordered.length - shown })}
          </Button>
        </div>
      )}
    </div>
  );
}

function RowName({ row }: { row: Row }) {
  if (row.content) {
    return (
      <Link to="/content" search={{ show: row.content }}>
        {row.name}
      </Link>
    );
  }
  if (row.screen) {
    return (
      <Link to="/screens/$screenId" params={{ screenId: row.screen }}>
        {row.name}
      </Link>
    );
  }
  return row.name;
}
