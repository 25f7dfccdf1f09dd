import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesCombined } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../shared/contract/headquarters/campaigns.ts';
import { chainSumsQuery, chainTotalsQuery } from '../../api/chain/stores.ts';
import { configQuery } from '../../api/session/me.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { Totals } from '../../domain/records/Totals.tsx';
import { PlaysChart, useDayRows } from '../../domain/time/PlaysChart.tsx';
import { isoDays, todayAt } from '../../domain/time/period.utils.ts';
import { bucketsOf } from '../../domain/time/playsChart.utils.ts';
import { useRangeWords } from '../../domain/time/useRangeWords.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { daysShown } from './campaigns.utils.ts';

/** Recent plays of a campaign. */
export function CampaignPlays({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = useQuery(configQuery).data?.server_time_zone;
  const days = daysShown(campaign, todayAt(useNow(), zone));
  const range = { name: 'custom', ...days } as const;
  const words = useRangeWords(range);
  const of = { ...isoDays(range), campaign_id: campaign.id };
  const totals = useQuery(chainTotalsQuery(of));
  const byDay = useQuery(chainSumsQuery(of, 'day'));
  const shown = (byDay.data?.rows ?? []).map(({ name, plays, seconds }) => ({
    ...{ day: name, plays },
    total_seconds: seconds,
  }));
  const rows = useDayRows(bucketsOf(shown, range));
  const { start: from, end: to } = isoDays(range);
  return (
    <section className="column" aria-label={t('campaign.part.plays')}>
      <p className="note">{words}</p>
      <Unanswered query={totals} bones={<Bone height="5rem" radius="var(--r-l)" />} />
      {totals.data && (
        <Totals
          totals={[
            [t('reports.plays'), format.number(totals.data.plays)],
            [t('reports.totalTime'), format.span(totals.data.seconds)],
            [t('chainPlays.stores'), format.number(totals.data.stores)],
            ...(totals.data.screens === null ? [] : [[t('nav.screens'), format.number(totals.data.screens)] as const]),
          ]}
        />
      )}
      <Unanswered query={byDay} bones={<Bone height="15rem" radius="var(--r-l)" />} />
      {totals.data?.plays === 0 && <p className="note">{t('campaign.playsNone')}</p>}
      {/* A chart with a single bar would only repeat the total. */}
      {totals.data !== undefined && totals.data.plays > 0 && byDay.data && rows.length > 1 && (
        <div className="card campaign-days">
          <PlaysChart title={t('reports.byDay')} rows={rows} measure="plays" room={[14, 5]} />
        </div>
      )}
      <div>
        <ButtonLink icon={ChartNoAxesCombined} to="/plays" search={{ campaign: campaign.id, from, to, view: 'store' }}>
          {t('campaign.playsReport')}
        </ButtonLink>
      </div>
    </section>
  );
}
