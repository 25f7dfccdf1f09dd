import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CampaignBody, CampaignWhere } from '../../../shared/contract/headquarters/campaigns.ts';
import { civilOf, dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { serverNow } from '../../components/hooks/serverClock.ts';
import type { Times } from '../../domain/time/when.utils.ts';
import { inWords, sentenceOf } from '../../domain/time/words.utils.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { formatList } from '../../i18n/format.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { type Difference, daysOf } from './campaigns.utils.ts';

const whereInWords = ({ regions, tags, store_ids }: CampaignWhere, t: TFunction, locale: string): string => {
  const tagged = tags.length > 0 && t('campaigns.where.tagged', { count: tags.length, tags: formatList(locale, tags) });
  const inRegions = regions.length > 0 && formatList(locale, regions);
  const named = store_ids.length > 0 && t('campaigns.where.named', { count: store_ids.length });
  const first =
    inRegions && tagged
      ? t('campaigns.where.inTagged', { regions: inRegions, tagged })
      : inRegions || (tagged && t('campaigns.where.storesTagged', { tagged }));
  if (first && named) return t('campaigns.where.both', { first, more: named });
  return first || named || t('campaigns.where.all');
};

const yearNow = (): number => new Date(serverNow()).getFullYear();

/** Describes a campaign in words. */
export const useCampaignWords = () => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  return {
    period: ({ start_time, end_time, recurrence, recurrence_end }: Times): string =>
      sentenceOf({ start_time, end_time, recurrence, recurrence_end }, { where: '', year: yearNow(), t, locale }),
    /** Returns the first and the last day in short form, for lists. */
    days: (times: Times): string => {
      const [first, last] = daysOf(times);
      const write = (day: number) => writeDay(locale, day, { day: 'numeric', month: 'short', year: 'numeric' });
      if (last === null) return t('campaigns.from', { date: write(first) });
      return first === last ? write(first) : t('campaigns.fromTo', { from: write(first), to: write(last) });
    },
    rhythm: ({ start_time, recurrence }: Times): string =>
      inWords({ recurrence, recurrence_end: null }, dayOf(parseLocal(start_time)), { t, locale }),
    where: (where: CampaignWhere): string => whereInWords(where, t, locale),
    screens: ({ screen_tags: tags }: Pick<CampaignBody, 'screen_tags'>): string =>
      tags.length === 0 ? t('campaign.screensAll') : t('campaign.screensTagged', { tags: formatList(locale, tags) }),
    differences: (found: readonly Difference[]): string =>
      formatList(
        locale,
        found.map((what) => t(`campaign.difference.${what}`)),
      ),
    /** Returns the start by the clock of a store: only the time if the campaign starts today. */
    begins: ({ start_time }: Pick<Times, 'start_time'>): string => {
      const start = parseLocal(start_time);
      const now = new Date(serverNow());
      const { year, month, day } = civilOf(dayOf(start));
      const isToday = year === now.getFullYear() && month === now.getMonth() + 1 && day === now.getDate();
      const time = writeTime(locale, start);
      return isToday ? time : `${writeDay(locale, dayOf(start), { day: 'numeric', month: 'short' })}, ${time}`;
    },
  };
};
