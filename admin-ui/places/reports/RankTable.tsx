import { Link } from '@tanstack/react-router';
import { ListVideo } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../components/Button.tsx';
import '../../components/Table.css';
import { useFormat } from '../../i18n/useFormat.ts';
import type { Measure } from './reports.utils.ts';

type Row = { key: string; name: string; content?: string | null; screen?: string; plays: number; seconds: number };
type Props = {
  label: string;
  first: string;
  measure: Measure;
  rows: readonly Row[];
  onPlays?: (content: string) => void;
};

/** As many as one reads. */
const FIRST = 25;
const MORE = 200;

/** Most played first; the bar is the part of the whole that stands beside it. */
export function RankTable({ label, first, measure, rows, onPlays }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState(FIRST);
  const amount = (row: Row) => (measure === 'plays' ? row.plays : row.seconds);
  const ordered = [...rows].sort((a, b) => amount(b) - amount(a));
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
            <th scope="col" className="number">
              {t('reports.plays')}
            </th>
            <th scope="col" className="number">
              {t('reports.time')}
            </th>
            <th scope="col" className="rank-share">
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
              <td className="number" data-label={t('reports.plays')}>
                {format.number(row.plays)}
              </td>
              <td className="number" data-label={t('reports.time')}>
                {format.span(row.seconds)}
              </td>
              <td className="rank-share wide-only">
                <span className="rank-bar">
                  <span style={{ width: `${(100 * amount(row)) / total}%` }} />
                </span>
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
