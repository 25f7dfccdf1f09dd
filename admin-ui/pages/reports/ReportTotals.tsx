import { useTranslation } from 'react-i18next';
import type { Delivery, Summary } from '../../../shared/contract/server/reports.ts';
import { Bone } from '../../components/frame/Page.tsx';
import { type Total, Totals } from '../../domain/records/Totals.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** @param delivery undefined while loading */
export function ReportTotals({
  overall,
  delivery,
  isWhole,
  hasDay,
}: {
  overall: Summary['overall'];
  delivery: Delivery | undefined;
  /** Whether the plan is known for the whole period. */
  isWhole: boolean;
  /** Whether the plan is known for at least one whole day of the period. */
  hasDay: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const planned = isWhole ? delivery?.overall : null;
  const of = (amount: string) => t('reports.ofPlanned', { amount });
  const totals: Total[] = [
    [t('reports.plays'), format.number(overall.total_plays), planned && of(format.number(planned.planned_plays))],
    [t('reports.totalTime'), format.span(overall.total_seconds), planned && of(format.span(planned.planned_seconds))],
    [t('reports.totalContents'), format.number(overall.unique_content)],
    [t('nav.screens'), format.number(overall.unique_devices)],
    [t('reports.average'), format.span(overall.avg_duration_sec)],
  ];
  return (
    <Totals totals={totals}>
      <div className="report-delivered">
        <dt>{t('reports.delivered')}</dt>
        <dd>
          {delivery ? <Delivered delivery={delivery} isWhole={isWhole} hasDay={hasDay} /> : <Bone width="4rem" />}
        </dd>
      </div>
    </Totals>
  );
}

type DeliveredProps = { delivery: Delivery; isWhole: boolean; hasDay: boolean };

function Delivered({ delivery: { overall, known_from: from }, isWhole, hasDay }: DeliveredProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (overall === null || from === null)
    return (
      <>
        <span className="quiet">{t('reports.notKnown')}</span>
        <small>{t('reports.notKnownYet')}</small>
      </>
    );
  if (!hasDay)
    return (
      <>
        <span className="quiet">–</span>
        <small>{t('reports.fromFirstDay')}</small>
      </>
    );
  if (overall.delivered_pct === null) return <span className="quiet">{t('reports.nothingPlanned')}</span>;
  return (
    <>
      {format.percent(overall.delivered_pct / 100, 1)}
      <small>{isWhole ? t('reports.ofPlannedTime') : t('reports.since', { when: format.dateTime(from) })}</small>
    </>
  );
}
