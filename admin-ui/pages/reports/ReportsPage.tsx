import { useTranslation } from 'react-i18next';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Bone, Empty, Notice, Page } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { useRangeWords } from '../../domain/time/useRangeWords.ts';
import reportsDrawing from '../../drawings/reports.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { PlaysTable } from './PlaysTable.tsx';
import { RankTable } from './RankTable.tsx';
import { ReportActions } from './ReportActions.tsx';
import { ReportCharts } from './ReportCharts.tsx';
import { ReportFilter } from './ReportFilter.tsx';
import { ReportMissing } from './ReportMissing.tsx';
import { ReportTotals } from './ReportTotals.tsx';
import './reports.css';
import { plannedBy, reportViews } from './reports.utils.ts';
import { UptimeTable } from './UptimeTable.tsx';
import { useLightPaper } from './useLightPaper.ts';
import { type ReportsData, useReportsData } from './useReportsData.ts';

const BONES = <Bone height="22rem" radius="var(--r-l)" />;

/** Page with reports of plays by content, screen and time, and of the uptime of screens. */
export function ReportsPage() {
  const { t } = useTranslation();
  const data = useReportsData();
  useLightPaper();
  const { summary, delivery, isWhole, isReady } = data;
  const format = useFormat();
  const words = useRangeWords(data.range);
  // The time zone is shown only if it differs from the time zone of the browser, since days may differ then.
  const zone =
    data.zone === undefined || data.zone === Intl.DateTimeFormat().resolvedOptions().timeZone ? undefined : data.zone;
  const empty = summary.data?.overall.total_plays === 0 && !delivery.data?.overall?.planned_plays;
  return (
    <Page
      title={t('nav.reports')}
      lead={zone === undefined ? words : `${words} · ${t('schedule.zoneOf', { zone: zone.replaceAll('_', ' ') })}`}
      actions={<ReportActions data={data} isEmpty={empty} />}
    >
      <ReportFilter data={data} />
      <Unanswered
        query={summary}
        bones={BONES}
        whenGone={<Button onPress={() => data.narrow([])}>{t('content.showAll')}</Button>}
      />
      {summary.data && !isReady && BONES}
      {summary.data && isReady && (
        <>
          {empty ? (
            <Empty
              drawing={reportsDrawing}
              title={t('reports.emptyTitle')}
              actions={
                data.view !== 'uptime' && (
                  <Button onPress={() => data.show({ view: 'uptime' })}>{t('reports.showUptime')}</Button>
                )
              }
            >
              {t('reports.emptyHelp')}
            </Empty>
          ) : (
            <>
              <ReportTotals
                overall={summary.data.overall}
                delivery={delivery.data}
                isWhole={isWhole}
                hasDay={data.hasDay}
              />
              <ReportCharts
                summary={summary.data}
                planned={isWhole ? delivery.data?.by_day : undefined}
                range={data.range}
                measure={data.measure}
                onMeasure={(by) => data.show({ by })}
              />
              {delivery.data?.known_from != null && !isWhole && (
                <Notice
                  tone="info"
                  title={t(data.hasDay ? 'reports.plannedFrom' : 'reports.plannedSince', {
                    when: format.dateTime(delivery.data.known_from),
                  })}
                />
              )}
              <ReportMissing shortfalls={delivery.data?.shortfalls ?? []} />
            </>
          )}
          {(!empty || data.view === 'uptime') && <Details data={data} />}
        </>
      )}
    </Page>
  );
}

function Details({ data }: { data: ReportsData }) {
  const { t } = useTranslation();
  const { view, measure, summary, delivery } = data;
  return (
    <section className="section" aria-label={t('reports.details')}>
      <div>
        <Segments
          label={t('reports.details')}
          value={view}
          onChange={(next) => data.show({ view: next })}
          options={reportViews.map((value) => ({ value, label: t(`reports.views.${value}`) }))}
        />
      </div>
      {view === 'content' && (
        <RankTable
          label={t('reports.views.content')}
          first={t('reports.contentName')}
          measure={measure}
          rows={plannedBy(
            summary.data!.by_content,
            delivery.data?.by_content,
            (row) => row.content_id ?? row.widget_id ?? row.content_name,
            data,
          ).map(({ key, row, ...amounts }) => ({ key, name: row.content_name, content: row.content_id, ...amounts }))}
          onPlays={(id) =>
            data.narrow([...data.filters.filter(({ kind }) => kind !== 'content'), { kind: 'content', id }], {
              view: 'plays',
            })
          }
        />
      )}
      {view === 'screens' && (
        <RankTable
          label={t('reports.views.screens')}
          first={t('activity.screen')}
          measure={measure}
          rows={plannedBy(summary.data!.by_device, delivery.data?.by_device, (row) => row.device_id, data).map(
            ({ key, row, ...amounts }) => ({ key, name: row.device_name, screen: row.device_id, ...amounts }),
          )}
        />
      )}
      {(view === 'content' || view === 'screens') && delivery.data?.overall && (
        <p className="report-means">{t('reports.deliveredHelp')}</p>
      )}
      {view === 'uptime' && <UptimeTable query={data.uptime} />}
      {view === 'plays' && <PlaysTable data={data} />}
    </section>
  );
}
