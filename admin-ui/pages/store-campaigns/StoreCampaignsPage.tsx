import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dropCampaign, type StoreCampaign } from '../../../shared/contract/headquarters/managed.ts';
import { dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { storeCampaignsQuery } from '../../api/chain/managed.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { meQuery } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge, Bone, Empty, Notice, Page, Progress, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { SlotFilling } from '../../domain/chain/SlotFilling.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { sentenceOf } from '../../domain/time/words.utils.ts';
import calendarDrawing from '../../drawings/calendar.svg?raw';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './storeCampaigns.css';
import { type Standing, standingOf, TONES } from './storeCampaigns.utils.ts';

/** Page with headquarters' campaigns in this store, and the slots that the store fills. */
export function StoreCampaignsPage() {
  const { t } = useTranslation();
  const query = useQuery(storeCampaignsQuery);
  const campaigns = query.data;
  return (
    <Page title={t('held.title')} lead={t('held.lead')} narrow>
      <Unanswered query={query} bones={<Bone height="14rem" radius="var(--r-l)" />} />
      {campaigns?.length === 0 && (
        <Empty drawing={calendarDrawing} title={t('held.none')}>
          {t('held.noneHelp')}
        </Empty>
      )}
      {campaigns?.map((campaign) => (
        <CampaignHere key={campaign.id} campaign={campaign} />
      ))}
    </Page>
  );
}

function CampaignHere({ campaign }: { campaign: StoreCampaign }) {
  const { t } = useTranslation();
  const now = useNow();
  const standing = standingOf(campaign, now * 1000);
  const { slots, bytes, bytes_left, why } = campaign;
  const state = useStateInWords(campaign, standing);
  const name = campaign.name || t('held.unknown');
  return (
    <Section
      title={name}
      actions={
        <Badge tone={TONES[standing]} dot>
          {t(`held.standing.${standing}`)}
        </Badge>
      }
    >
      <div className="card pad campaign-here">
        {standing === 'refused' ? (
          <Notice tone="bad" title={worded(why)}>
            {state}
          </Notice>
        ) : (
          <p>{state}</p>
        )}
        {standing !== 'refused' && why && <Notice tone="warn" title={worded(why)} />}
        {standing === 'fetching' && bytes > 0 && (
          <Progress share={(bytes - bytes_left) / bytes} label={t('held.standing.fetching')} />
        )}
        <CampaignFacts campaign={campaign} />
        {slots.map((slot) => (
          <SlotFilling key={slot.id} slot={slot} />
        ))}
        {standing === 'stayed' && <Drop id={campaign.id} name={name} />}
      </div>
    </Section>
  );
}

const useStateInWords = (campaign: StoreCampaign, standing: Standing): string => {
  const { t } = useTranslation();
  const format = useFormat();
  const { locale } = format;
  const { bytes, bytes_left, rate, applied, wanted, ready, start_time, end_time, is_whole } = campaign;
  const at = (text: string | null) => {
    if (text === null) return '';
    const local = parseLocal(text);
    const day = writeDay(locale, dayOf(local), { weekday: 'long', day: 'numeric', month: 'long' });
    return t('schedule.said.at', { day, time: writeTime(locale, local) });
  };
  const isOther = applied !== null && wanted !== null && applied !== wanted;
  const sizes = { left: format.bytes(bytes_left), all: format.bytes(bytes) };
  const first = (): string => {
    switch (standing) {
      case 'fetching':
        return rate
          ? t('held.state.fetchingAt', { ...sizes, rate: format.bytes(rate) })
          : t('held.state.fetching', sizes);
      case 'planned':
        return t('held.state.planned', { when: at(start_time) });
      case 'now':
        return t('held.state.now', { when: at(end_time) });
      case 'refused':
        return isOther ? '' : t('held.state.refused');
      default:
        return t(`held.state.${standing}`);
    }
  };
  return [
    first(),
    standing === 'fetching' && applied === wanted && !is_whole && t('held.state.inParts'),
    isOther && t('held.state.before', { edition: applied }),
    standing === 'planned' && ready !== null && ready > 0 && t('held.state.ready', { count: ready }),
  ]
    .filter(Boolean)
    .join(' ');
};

function CampaignFacts({ campaign }: { campaign: StoreCampaign }) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const { rank, start_time, end_time, recurrence, recurrence_end, playlist_id } = campaign;
  const playlist = useQuery(playlistsQuery).data?.find(({ id }) => id === playlist_id);
  const where = useScreensInWords(campaign);
  if (rank === null || start_time === null || end_time === null) return null;
  const times = { start_time, end_time, recurrence, recurrence_end };
  return (
    <dl className="facts">
      <dt>{t('held.facts.when')}</dt>
      <dd>{sentenceOf(times, { t, locale, where: '', year: new Date().getFullYear() })}</dd>
      {rank !== 'offer' && (
        <>
          <dt>{t('held.facts.screens')}</dt>
          <dd>{where}</dd>
        </>
      )}
      <dt>{t('held.facts.rank')}</dt>
      <dd>{t(`held.rank.${rank}`)}</dd>
      {playlist && (
        <>
          <dt>{t('held.facts.shows')}</dt>
          <dd>
            <Link to="/playlists/$playlistId" params={{ playlistId: playlist.id }}>
              {playlist.name}
            </Link>
          </dd>
        </>
      )}
    </dl>
  );
}

const useScreensInWords = ({ screens, screen_tags, screen_names }: StoreCampaign): string => {
  const { t } = useTranslation();
  const format = useFormat();
  const tags = format.list(screen_tags);
  if (screen_tags.length === 0) return screens === 0 ? t('held.noScreens') : t('held.allScreens', { count: screens });
  if (screens === 0) return t('held.taggedNone', { tags });
  const names = format.list([...screen_names, ...(screens > screen_names.length ? ['…'] : [])]);
  return t('held.taggedScreens', { count: screens, tags, names });
};

function Drop({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  const canAdmin = useQuery({ ...meQuery, select: (me) => me.can_admin }).data ?? false;
  const [asking, setAsking] = useState(false);
  if (!canAdmin) return null;
  return (
    <div>
      <Button size="small" variant="danger-quiet" onPress={() => setAsking(true)}>
        {t('held.drop')}
      </Button>
      {asking && (
        <ConfirmEdit
          topics={['chain', 'schedules']}
          run={() => client.call(dropCampaign, { params: { id } })}
          said={() => t('held.dropped', { name })}
          title={t('held.dropAsk', { name })}
          confirm={t('held.drop')}
          danger
          onClose={() => setAsking(false)}
        >
          <p>{t('held.dropHelp')}</p>
        </ConfirmEdit>
      )}
    </div>
  );
}
