import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { UptimeRow } from '../../../shared/contract/server/reports.ts';
import { Badge, Bone, Notice } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import '../../components/lists/Table.css';
import { useFormat } from '../../i18n/useFormat.ts';
import { uptimeTone } from './reports.utils.ts';
import type { ReportsData } from './useReportsData.ts';

/** Table of uptimes. Screens with the longest downtime come first, since users usually look for them. */
export function UptimeTable({ query }: { query: ReportsData['uptime'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!query.data) return <Unanswered query={query} bones={<Bone height="12rem" radius="var(--r-l)" />} />;
  if (query.data.length === 0) return <Notice tone="info" title={t('reports.noUptime')} />;
  const rows = [...query.data].sort(
    (a, b) => a.uptime_pct - b.uptime_pct || a.device_name.localeCompare(b.device_name),
  );
  return (
    <div className="table-box">
      <table className="table stack">
        <caption className="visually-hidden">{t('reports.views.uptime')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('activity.screen')}</th>
            <th scope="col">{t('reports.uptime')}</th>
            <th scope="col" className="number">
              {t('reports.online')}
            </th>
            <th scope="col" className="number">
              {t('reports.outages')}
            </th>
            <th scope="col">{t('reports.lastSeen')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row: UptimeRow) => (
            <tr key={row.device_id}>
              <th scope="row">
                <Link to="/screens/$screenId" params={{ screenId: row.device_id }}>
                  {row.device_name}
                </Link>
              </th>
              <td data-label={t('reports.uptime')}>
                <Badge tone={uptimeTone(row.uptime_pct)} dot>
                  {format.percent(row.uptime_pct / 100, 2)}
                </Badge>
              </td>
              <td className="number" data-label={t('reports.online')}>
                {t('reports.onlineOf', {
                  online: format.span(row.online_seconds),
                  period: format.span(row.period_seconds),
                })}
              </td>
              <td className="number" data-label={t('reports.outages')}>
                {format.number(row.outages)}
              </td>
              <td data-label={t('reports.lastSeen')}>
                {row.last_seen === null ? t('reports.never') : format.dateTime(row.last_seen)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
