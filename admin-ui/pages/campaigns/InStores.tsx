import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Campaign, CampaignStore, PhaseCounts } from '../../../shared/contract/headquarters/campaigns.ts';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Badge, Bone } from '../../components/frame/Page.tsx';
import { pageOf } from '../../components/lists/pager.utils.ts';
import { StatFilter } from '../../components/lists/StatFilter.tsx';
import '../../components/frame/Toolbar.css';
import { CAMPAIGN_STORES_PAGE, campaignStoresQuery, type PhaseFilter } from '../../api/chain/campaigns.ts';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { StoreHead } from '../../domain/chain/StoreHead.tsx';
import { Pages } from '../../domain/records/Pages.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../domain/records/StackTable.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { type Phase, phaseOf, storesIn, toneOfPhase, WORST_FIRST } from './campaigns.utils.ts';
import { PhaseBar } from './PhaseBar.tsx';
import { useCampaignWords } from './useCampaignWords.ts';

/** Milliseconds after the last keystroke until a search is sent. */
const TYPING_MS = 200;

type InStoresSearch = { readonly [K in 'part' | 'phase' | 'q' | 'page']?: string | undefined };

/** Section with the progress of a campaign in each store, stores with problems first. */
export function InStores({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const search: InStoresSearch = useSearch({ from: '/shell/campaigns/$campaignId' });
  const navigate = useNavigate({ from: '/campaigns/$campaignId' });
  const phase = phaseOf(search.phase);
  const q = search.q?.trim() ?? '';
  const page = pageOf(search);
  const list = useQuery(campaignStoresQuery(campaign.id, phase, useDebounced(q, TYPING_MS), page));
  const { rows = [], total = 0 } = list.data ?? {};
  /** Changes the filter in the address. A changed filter starts at the first page. */
  const look = (change: InStoresSearch) => {
    const next = Object.entries({ ...search, page: undefined, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(next), replace: true });
  };
  if (campaign.phases === null) return null;
  if (campaign.stores === 0)
    return (
      <>
        <Edition campaign={campaign} />
        <p className="note">{t('campaign.noneMeant')}</p>
      </>
    );
  return (
    <>
      <Phases campaign={campaign} phases={campaign.phases} chosen={phase} onChoose={(next) => look({ phase: next })} />
      <div className="toolbar">
        <SearchField label={t('campaign.searchStores')} value={search.q ?? ''} onChange={(next) => look({ q: next })} />
      </div>
      <Unanswered query={list} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {list.data && rows.length === 0 && (
        <p className="note">{t(q === '' ? 'campaign.noneInPhase' : 'campaign.noneInPhaseSearch')}</p>
      )}
      {rows.length > 0 && (
        <>
          <StoresTable campaign={campaign} rows={rows} />
          <Pages
            page={page}
            size={CAMPAIGN_STORES_PAGE}
            shown={rows.length}
            total={total}
            onPage={(next) => look({ page: next })}
          />
        </>
      )}
    </>
  );
}

/** Phases that are always shown. The other phases are shown only if a store is in them. */
const ALWAYS: ReadonlySet<Phase> = new Set(['refused', 'on_screens', 'showing']);

type PhasesProps = {
  campaign: Campaign;
  phases: PhaseCounts;
  chosen: PhaseFilter | undefined;
  onChoose: (phase: PhaseFilter | undefined) => void;
};

/** Bar with the phases of all stores, and the counts below. A click on a count lists its stores. */
function Phases({ campaign, phases, chosen, onChoose }: PhasesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = WORST_FIRST.filter((phase) => ALWAYS.has(phase) || phases[phase] > 0 || phase === chosen);
  return (
    <section className="campaign-phases" aria-label={t('campaign.phases')}>
      <Edition campaign={campaign} />
      <PhaseBar phases={phases} />
      <StatFilter<PhaseFilter | 'all'>
        label={t('campaign.phases')}
        value={chosen ?? 'all'}
        onChange={(next) => onChoose(next === 'all' ? undefined : next)}
        stats={[
          { value: 'all', label: t('campaign.allStores'), number: format.number(storesIn(phases)) },
          {
            value: 'late',
            label: t('campaign.late'),
            number: format.number(phases.late),
            tone: phases.late > 0 ? 'bad' : undefined,
          },
          ...shown.map((phase) => ({
            value: phase,
            label: t(`campaigns.phase.${phase}`),
            number: format.number(phases[phase]),
            mark: `phase-mark ${phase}`,
            tone: phase === 'refused' && phases[phase] > 0 ? ('bad' as const) : undefined,
          })),
        ]}
      />
    </section>
  );
}

/** Number of the edition that was sent to the stores, and the time of its start. */
function Edition({ campaign: { edition, started_at, approved_by: name } }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = { edition: edition ?? 0, when: started_at === null ? '' : format.dateTime(started_at) };
  return (
    <p className="note">{name === null ? t('campaign.startedAt', said) : t('campaign.startedBy', { ...said, name })}</p>
  );
}

function StoresTable({ campaign, rows }: { campaign: Campaign; rows: readonly CampaignStore[] }) {
  const { t } = useTranslation();
  return (
    <StackTable
      caption={t('campaign.part.stores')}
      box="campaigns-box"
      table="campaign-stores"
      columns={[
        { name: t('campaign.column.store') },
        { name: t('campaign.column.state') },
        { name: t('campaign.column.ready'), className: 'number' },
        { name: t('campaign.column.forecast') },
        { name: t('campaign.column.why') },
      ]}
    >
      {rows.map((row) => (
        <StoreRow key={row.store_id} row={row} campaign={campaign} />
      ))}
    </StackTable>
  );
}

function StoreRow({ row, campaign }: { row: CampaignStore; campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const hasOther = row.applied !== null && row.applied !== campaign.edition;
  return (
    <tr>
      <StoreHead store={row} />
      <td className="campaign-state">
        <Badge tone={toneOfPhase[row.phase]} dot>
          {t(`campaigns.phase.${row.phase}`)}
        </Badge>
        {row.is_waiting && <Badge>{t('campaign.waiting')}</Badge>}
        {row.is_late && !row.is_waiting && row.phase !== 'refused' && <Badge tone="warn">{t('campaign.late')}</Badge>}
        <small className="quiet">
          {[
            row.told_at !== null && t('campaign.told', { ago: format.ago(row.told_at, now) }),
            hasOther && t('campaign.hasEdition', { edition: row.applied ?? 0 }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </td>
      <td data-label={t('campaign.column.ready')} className={row.screens === 0 ? 'number quiet wide-only' : 'number'}>
        {row.screens === 0 ? '–' : t('campaign.readyOf', { ready: row.ready, total: row.screens })}
      </td>
      <td
        data-label={t('campaign.column.forecast')}
        className={row.phase === 'refused' ? 'campaign-words wide-only' : 'campaign-words'}
      >
        <Forecast row={row} campaign={campaign} />
      </td>
      <td
        data-label={t('campaign.column.why')}
        className={row.why === '' ? 'campaign-words wide-only' : 'campaign-words'}
      >
        {row.why !== '' && worded(row.why)}
      </td>
    </tr>
  );
}

const ON_THE_WAY: ReadonlySet<Phase> = new Set(['told', 'fetching', 'unheard']);

/** Expected time at which the store has downloaded everything. If this is late, also the start of the campaign. */
function Forecast({ row, campaign }: { row: CampaignStore; campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const words = useCampaignWords();
  if (!ON_THE_WAY.has(row.phase)) return row.phase === 'refused' ? '–' : t('campaign.arrived');
  const isToday =
    row.ready_at !== null && new Date(row.ready_at * 1000).toDateString() === new Date(now * 1000).toDateString();
  const ready =
    row.ready_at === null
      ? t('campaign.readyUnknown')
      : t('campaign.readyAbout', { time: isToday ? format.time(row.ready_at) : format.dateTime(row.ready_at) });
  const said = [ready, row.is_late && t('campaign.beginsAt', { time: words.begins(campaign) })]
    .filter(Boolean)
    .join(', ');
  const left = [
    row.bytes_left > 0 && t('campaign.left', { size: format.bytes(row.bytes_left) }),
    row.rate !== null && row.rate > 0 && t('campaign.rate', { size: format.bytes(row.rate) }),
  ].filter(Boolean);
  return (
    <span className={row.is_late ? 'campaign-forecast late' : 'campaign-forecast'}>
      <span>{said}</span>
      {left.length > 0 && <small className="quiet">{left.join(' · ')}</small>}
    </span>
  );
}
