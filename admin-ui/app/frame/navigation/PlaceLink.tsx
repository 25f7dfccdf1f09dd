import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alertCountsQuery } from '../../../api/alertCounts.ts';
import { useWaitingCount } from '../../../api/requests/pending.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import type { NavigationPlace } from '../pages.ts';

/** Link to a page. The links to screens and alerts show how many players or alerts wait there. */
export function PlaceLink({ path, title, icon: Icon }: NavigationPlace) {
  const { t } = useTranslation();
  return (
    <Link to={path} className="rail-link" activeProps={{ className: 'active' }}>
      <Icon aria-hidden />
      <span>{t(title)}</span>
      {path === '/screens' && <Waiting />}
      {path === '/attention' && <Alerts />}
    </Link>
  );
}

function Count({ count, of, loud = false }: { count: number; of: string; loud?: boolean }) {
  const format = useFormat();
  if (count === 0) return null;
  return (
    <span className={loud ? 'rail-count loud' : 'rail-count'}>
      {format.number(count)}
      <span className="visually-hidden"> {of}</span>
    </span>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return <Count count={useWaitingCount()} of={t('nav.waiting')} />;
}

const useAlerts = () => {
  const { bad = 0, warn = 0, approvals = 0, campaigns = 0 } = useQuery(alertCountsQuery).data ?? {};
  return { count: bad + warn + approvals + campaigns, isLoud: bad + campaigns > 0 };
};

/** Number of alerts, approval requests and campaigns that need attention. */
export function Alerts() {
  const { t } = useTranslation();
  const { count, isLoud } = useAlerts();
  return <Count count={count} of={t('nav.alerting')} loud={isLoud} />;
}

/** Announces to screen readers when the number of alerts grows. */
export function AlertsNews() {
  const { t } = useTranslation();
  const format = useFormat();
  const { count } = useAlerts();
  const [before, setBefore] = useState(count);
  const [news, setNews] = useState(0);
  if (count !== before) {
    setBefore(count);
    setNews(count > before ? count : 0);
  }
  return (
    <p role="status" className="visually-hidden">
      {news > 0 && `${t('nav.attention')}: ${format.number(news)} ${t('nav.alerting')}`}
    </p>
  );
}
