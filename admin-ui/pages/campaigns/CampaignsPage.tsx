import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CAMPAIGN_STATES, type Campaign, type PhaseCounts } from '../../../shared/contract/headquarters/campaigns.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Badge, Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { pageOf } from '../../components/lists/pager.utils.ts';
import '../../components/frame/Toolbar.css';
import { CAMPAIGNS_PAGE, campaignsPageQuery } from '../../api/chain/campaigns.ts';
import { useMayPlanChain } from '../../api/session/me.ts';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { Pages } from '../../domain/records/Pages.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../domain/records/StackTable.tsx';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import shopDrawing from '../../drawings/shop-front.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import './campaigns.css';
import { type CampaignState, stateOf, storesIn, storesThatHave, toneOfPhase } from './campaigns.utils.ts';
import { NewCampaign } from './NewCampaign.tsx';
import { PhaseBar } from './PhaseBar.tsx';
import { StateBadges } from './StateBadges.tsx';
import { useCampaignWords } from './useCampaignWords.ts';

/** Milliseconds after the last keystroke until a search is sent. */
const TYPING_MS = 200;

type CampaignsSearch = { readonly [K in 'q' | 'state' | 'page']?: string | undefined };

/** Returns the list of campaigns for the search parameters of the address. */
const useCampaignsData = () => {
  const search: CampaignsSearch = useSearch({ from: '/shell/campaigns' });
  const navigate = useNavigate({ from: '/campaigns' });
  const state = stateOf(search.state);
  const q = search.q?.trim() || undefined;
  const page = pageOf(search);
  const list = useQuery(campaignsPageQuery({ state, q: useDebounced(q, TYPING_MS) }, page));
  /** Changes the filter in the address. A changed filter starts at the first page. */
  const look = (change: CampaignsSearch) => {
    const next = Object.entries({ ...search, page: undefined, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(next), replace: true });
  };
  const { rows = [], total = 0 } = list.data ?? {};
  return { search, state, isNarrowed: state !== undefined || q !== undefined, page, list, rows, total, look };
};
type CampaignsData = ReturnType<typeof useCampaignsData>;

/**
 * Headquarters' page with its campaigns for screens of stores. Works for forty as well as for two thousand
 * campaigns.
 */
export function CampaignsPage() {
  const { t } = useTranslation();
  const data = useCampaignsData();
  const mayPlan = useMayPlanChain();
  const [making, setMaking] = useState(false);
  const make = mayPlan && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('campaigns.new')}
    </Button>
  );
  const { list, total, isNarrowed } = data;
  const isEmpty = list.isSuccess && total === 0 && !isNarrowed;
  return (
    <Page title={t('nav.campaigns')} lead={isEmpty ? undefined : t('campaigns.lead')} actions={!isEmpty && make}>
      {isEmpty ? (
        <Empty
          drawing={shopDrawing}
          title={t('campaigns.emptyTitle')}
          actions={
            <>
              <ButtonLink to="/playlists">{t('campaigns.emptyToPlaylists')}</ButtonLink>
              {make}
            </>
          }
        >
          {mayPlan ? t('campaigns.emptyHelp') : t('campaigns.emptyViewer')}
        </Empty>
      ) : (
        <>
          <Filters data={data} />
          <List data={data} />
        </>
      )}
      {making && <NewCampaign onClose={() => setMaking(false)} />}
    </Page>
  );
}

function Filters({ data: { search, state, look } }: { data: CampaignsData }) {
  const { t } = useTranslation();
  return (
    <div className="toolbar campaigns-toolbar">
      <SearchField label={t('campaigns.search')} value={search.q ?? ''} onChange={(q) => look({ q })} />
      <Select<CampaignState | ''>
        label={t('campaigns.filter')}
        hideLabel
        value={state ?? ''}
        options={[
          { value: '', label: t('campaigns.allStates') },
          ...CAMPAIGN_STATES.map((value) => ({ value, label: t(`campaigns.filters.${value}`) })),
        ]}
        onChange={(next) => look({ state: next })}
      />
    </div>
  );
}

function List({ data: { list, rows, total, page, look } }: { data: CampaignsData }) {
  const { t } = useTranslation();
  if (!list.data) return <Unanswered query={list} bones={<Bone height="24rem" radius="var(--r-l)" />} />;
  if (rows.length === 0)
    return (
      <Empty
        drawing={nothingFoundDrawing}
        title={t('campaigns.noneFound')}
        actions={<Button onPress={() => look({ q: undefined, state: undefined })}>{t('campaigns.clear')}</Button>}
      >
        {t('campaigns.noneFoundHelp')}
      </Empty>
    );
  return (
    <>
      <CampaignTable campaigns={rows} />
      <Pages
        page={page}
        size={CAMPAIGNS_PAGE}
        shown={rows.length}
        total={total}
        onPage={(next) => look({ page: next })}
      />
    </>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  const { t } = useTranslation();
  return (
    <StackTable
      caption={t('campaigns.list')}
      box="campaigns-box"
      table="campaigns-table"
      columns={[
        { name: t('campaigns.column.campaign') },
        { name: t('campaigns.column.state') },
        { name: t('campaigns.column.period') },
        { name: t('campaigns.column.where') },
        { name: t('campaigns.column.arrived') },
      ]}
    >
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.id} campaign={campaign} />
      ))}
    </StackTable>
  );
}

function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const words = useCampaignWords();
  return (
    <tr>
      <th scope="row">
        <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }}>
          {campaign.name}
        </Link>
        <small className="quiet">{t(`campaigns.rank.${campaign.rank}`)}</small>
      </th>
      <td className="campaign-state">
        <StateBadges campaign={campaign} />
      </td>
      <td data-label={t('campaigns.column.period')} className="campaign-words">
        <span>
          {words.days(campaign)}
          {campaign.recurrence !== null && <small className="quiet">{words.rhythm(campaign)}</small>}
        </span>
      </td>
      <td data-label={t('campaigns.column.where')} className="campaign-words">
        <span>
          {words.where(campaign.where)}
          <small className="quiet">{t('campaigns.stores', { count: campaign.stores })}</small>
        </span>
      </td>
      <td className={campaign.phases ? 'campaign-arrived' : 'campaign-arrived wide-only'}>
        {campaign.phases ? <Arrived phases={campaign.phases} /> : <span className="quiet">–</span>}
      </td>
    </tr>
  );
}

/** Phases that the list names. Stores that have received the campaign are only counted in the sentence. */
const NAMED = ['refused', 'unheard', 'told', 'fetching', 'armed'] as const;

function Arrived({ phases }: { phases: PhaseCounts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = storesIn(phases);
  return (
    <>
      <PhaseBar phases={phases} />
      <span className="campaign-counts">
        <span>
          {count === 0 ? t('campaigns.noStores') : t('campaigns.haveIt', { have: storesThatHave(phases), count })}
        </span>
        {NAMED.filter((phase) => phases[phase] > 0).map((phase) => (
          <Badge key={phase} tone={toneOfPhase[phase]}>
            {`${t(`campaigns.phase.${phase}`)}: ${format.number(phases[phase])}`}
          </Badge>
        ))}
      </span>
    </>
  );
}
