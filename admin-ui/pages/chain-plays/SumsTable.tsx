import { Link } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainSum, ChainTotals } from '../../../shared/contract/headquarters/stores.ts';
import { parseDate } from '../../../shared/program/civil.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import '../../components/lists/Table.css';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { writeDay } from '../../i18n/civil.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { keyOf, narrowedBy, orderedBy } from './chainPlays.utils.ts';
import type { ChainPlaysData } from './useChainPlaysData.ts';

/** Number of rows that are shown first, and of rows that each click adds. */
const FIRST = 25;
const MORE = 200;

type SumsTableProps = {
  data: ChainPlaysData;
  rows: readonly ChainSum[];
  /** Number of rows of the whole table on the server. */
  count: number;
  totals: ChainTotals;
};

/**
 * Table of the report. Rows with the highest value come first, but days stay in calendar order. Bars show each row's
 * share of the total.
 */
export function SumsTable({ data: { view, measure, show }, rows, count, totals }: SumsTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const keys = useOneStop<HTMLTableSectionElement>();
  const [shown, setShown] = useState(FIRST);
  const amount = (of: Pick<ChainSum, 'plays' | 'seconds'>) => (measure === 'plays' ? of.plays : of.seconds);
  const total = Math.max(1, amount(totals));
  const ordered = orderedBy(rows, view, measure);
  const nameOf = ({ name, campaign_id }: ChainSum) => {
    if (view === 'day')
      return writeDay(format.locale, parseDate(name), {
        weekday: 'short',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      });
    if (name !== '' || view !== 'campaign') return name || t('chainPlays.noRegion');
    return t(campaign_id === null ? 'chainPlays.noCampaign' : 'chainPlays.goneCampaign');
  };
  return (
    <div className="table-box">
      <table className="table stack">
        <caption className="visually-hidden">{t(`chainPlays.views.${view}`)}</caption>
        <thead>
          <tr>
            <th scope="col">{t(`chainPlays.first.${view}`)}</th>
            {view !== 'store' && view !== 'screen' && (
              <th scope="col" className="number">
                {t('chainPlays.stores')}
              </th>
            )}
            {view !== 'screen' && (
              <th scope="col" className="number">
                {t('nav.screens')}
              </th>
            )}
            <th scope="col" className="number">
              {t('reports.plays')}
            </th>
            <th scope="col" className="number">
              {t('reports.time')}
            </th>
            <th scope="col" className="rank-share">
              {t('reports.share')}
            </th>
            {view !== 'screen' && (
              <th scope="col">
                <span className="visually-hidden">{t('reports.only')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...keys}>
          {ordered.slice(0, shown).map((row) => {
            const only = narrowedBy(row, view);
            return (
              <tr key={keyOf(row)}>
                <th scope="row">
                  {view === 'store' && row.store_id !== null ? (
                    <Link to="/stores/$storeId" params={{ storeId: row.store_id }}>
                      {row.name}
                    </Link>
                  ) : (
                    nameOf(row)
                  )}
                  {view === 'screen' && row.store_name !== null && <small className="quiet">{row.store_name}</small>}
                </th>
                {view !== 'store' && view !== 'screen' && (
                  <td className="number" data-label={t('chainPlays.stores')}>
                    {format.number(row.stores)}
                  </td>
                )}
                {view !== 'screen' && (
                  <td className="number" data-label={t('nav.screens')}>
                    {row.screens === null ? '–' : format.number(row.screens)}
                  </td>
                )}
                <td className="number" data-label={t('reports.plays')}>
                  {format.number(row.plays)}
                </td>
                <td className="number" data-label={t('reports.time')}>
                  {format.span(row.seconds)}
                </td>
                <td className="rank-share wide-only">
                  <span className="rank-bar">
                    <span style={{ width: `${Math.min(100, (100 * amount(row)) / total)}%` }} />
                  </span>
                  <span>{format.percent(amount(row) / total, 1)}</span>
                </td>
                {view !== 'screen' && (
                  <td className="actions">
                    {only && (
                      <IconButton
                        icon={ListFilter}
                        size="small"
                        label={t('chainPlays.only', { name: nameOf(row) })}
                        onPress={() => show(only)}
                      />
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {ordered.length > shown && (
        <div className="table-more">
          <Button variant="quiet" onPress={() => setShown(shown + MORE)}>
            {t('reports.more', { count: Math.min(MORE, ordered.length - shown) })}
          </Button>
        </div>
      )}
      {ordered.length <= shown && count > rows.length && (
        <p className="table-more note">{t('chainPlays.firstOf', { shown: rows.length, total: count })}</p>
      )}
    </div>
  );
}
