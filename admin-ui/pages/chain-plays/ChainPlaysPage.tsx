import { useTranslation } from 'react-i18next';
import { CHAIN_SUMS_BY, type ChainTotals } from '../../../shared/contract/headquarters/stores.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { Totals } from '../../domain/records/Totals.tsx';
import { PlaysChart, useDayRows } from '../../domain/time/PlaysChart.tsx';
import { bucketsOf } from '../../domain/time/playsChart.utils.ts';
import { useRangeWords } from '../../domain/time/useRangeWords.ts';
import reportsDrawing from '../../drawings/reports.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { Behind } from './Behind.tsx';
import { ChainPlaysFilter } from './ChainPlaysFilter.tsx';
import './chain-plays.css';
import { DownloadChainPlays } from './DownloadChainPlays.tsx';
import { SumsTable } from './SumsTable.tsx';
import { type ChainPlaysData, useChainPlaysData } from './useChainPlaysData.ts';

const BONES = <Bone height="22rem" radius="var(--r-l)" />;

/** Headquarters' report about plays in all stores: how often and how long each content was shown. */
export function ChainPlaysPage() {
  const { t } = useTranslation();
  const data = useChainPlaysData();
  const { totals, zone } = data;
  const words = useRangeWords(data.range);
  // The time zone is shown only if it differs from the time zone of the browser, since days may differ then.
  const isElsewhere = zone !== undefined && zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isEmpty = totals.data?.plays === 0;
  return (
    <Page
      title={t('chainPlays.title')}
      lead={isElsewhere ? `${words} · ${t('schedule.zoneOf', { zone: zone.replaceAll('_', ' ') })}` : words}
      actions={<DownloadChainPlays data={data} isDisabled={totals.data === undefined || isEmpty} />}
    >
      <ChainPlaysFilter data={data} />
      <Unanswered query={totals} bones={BONES} />
      {totals.data && !(isEmpty && totals.data.behind.length === 0) && <Behind behind={totals.data.behind} />}
      {totals.data &&
        (isEmpty ? (
          <Empty
            drawing={reportsDrawing}
            title={t('chainPlays.emptyTitle')}
            actions={data.isNarrowed && <Button onPress={data.clear}>{t('chainPlays.clear')}</Button>}
          >
            {t('chainPlays.emptyHelp')}
          </Empty>
        ) : (
          <Numbers data={data} totals={totals.data} />
        ))}
    </Page>
  );
}

function Numbers({ data, totals }: { data: ChainPlaysData; totals: ChainTotals }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { view, show, sums } = data;
  return (
    <>
      <Totals
        totals={[
          [t('reports.plays'), format.number(totals.plays)],
          [t('reports.totalTime'), format.span(totals.seconds)],
          [t('chainPlays.stores'), format.number(totals.stores)],
          ...(totals.screens === null ? [] : [[t('nav.screens'), format.number(totals.screens)] as const]),
          [t('reports.totalContents'), format.number(totals.contents)],
        ]}
      />
      <Days data={data} />
      <section className="section" aria-label={t('reports.details')}>
        <div>
          <Segments
            label={t('chainPlays.by')}
            value={view}
            onChange={(next) => show({ view: next === 'content' ? undefined : next })}
            options={CHAIN_SUMS_BY.map((value) => ({ value, label: t(`chainPlays.views.${value}`) }))}
          />
        </div>
        <Unanswered query={sums} bones={BONES} />
        {sums.data && (
          <SumsTable key={view} data={data} rows={sums.data.rows} count={sums.data.total} totals={totals} />
        )}
        <p className="note">{t('chainPlays.verify')}</p>
      </section>
    </>
  );
}

function Days({ data: { days, range, measure, show } }: { data: ChainPlaysData }) {
  const { t } = useTranslation();
  const rows = useDayRows(
    bucketsOf(
      (days.data?.rows ?? []).map(({ name, plays, seconds }) => ({ day: name, plays, total_seconds: seconds })),
      range,
    ),
  );
  return (
    <section className="card chain-days" aria-labelledby="chain-days">
      <h2 id="chain-days" className="visually-hidden">
        {t('reports.charts')}
      </h2>
      <Segments
        label={t('reports.measure')}
        value={measure}
        onChange={(by) => show({ by: by === 'time' ? by : undefined })}
        options={[
          { value: 'plays', label: t('reports.plays') },
          { value: 'time', label: t('reports.time') },
        ]}
      />
      {/* A chart with a single bar would only repeat the total. */}
      {rows.length > 1 && (
        <>
          <p className="chain-days-title" aria-hidden>
            {t('reports.byDay')}
          </p>
          {days.data ? (
            <PlaysChart title={t('reports.byDay')} rows={rows} measure={measure} room={[14, 5]} />
          ) : (
            <Unanswered query={days} bones={<Bone height="15rem" />} />
          )}
        </>
      )}
    </section>
  );
}
