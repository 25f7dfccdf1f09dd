import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Badge, Bone, Notice } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import '../../components/lists/Table.css';
import { useFormat } from '../../i18n/useFormat.ts';
import type { ReportsData } from './useReportsData.ts';

/** Table of single plays, newest first, as in the CSV. */
export function PlaysTable({ data }: { data: ReportsData }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { plays } = data;
  if (!plays.data) return <Unanswered query={plays} bones={<Bone height="12rem" radius="var(--r-l)" />} />;
  const rows = plays.data.pages.flatMap((page) => page.rows);
  const total = plays.data.pages.at(-1)!.total;
  return (
    <>
      {rows.length === 0 ? (
        <Notice tone="info" title={t('reports.noPlays')} />
      ) : (
        <div className="table-box">
          <table className="table stack">
            <caption className="visually-hidden">{t('reports.views.plays')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('reports.contentName')}</th>
                <th scope="col">{t('activity.screen')}</th>
                <th scope="col">{t('reports.started')}</th>
                <th scope="col" className="number">
                  {t('reports.duration')}
                </th>
                <th scope="col">{t('reports.completed')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.content_name}</th>
                  <td data-label={t('activity.screen')}>{row.device_name}</td>
                  <td data-label={t('reports.started')}>
                    {format.date(row.started_at)}, {format.time(row.started_at, true)}
                  </td>
                  <td className="number" data-label={t('reports.duration')}>
                    {format.clock(row.duration_sec)}
                  </td>
                  <td data-label={t('reports.completed')}>
                    {row.completed === 1 ? t('reports.yes') : <Badge tone="warn">{t('reports.cut')}</Badge>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {plays.hasNextPage && (
            <div className="table-more">
              <Button variant="quiet" isPending={plays.isFetchingNextPage} onPress={() => void plays.fetchNextPage()}>
                {t('reports.more', { count: total - rows.length })}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
