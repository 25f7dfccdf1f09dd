import { useQuery } from '@tanstack/react-query';
import { Image, Send, Store } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { campaignQuery } from '../../api/chain/campaigns.ts';
import { chainSumsQuery, storeQuery, storesLikeQuery } from '../../api/chain/stores.ts';
import { Select } from '../../components/choices/Select.tsx';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { Chips, FindBox, type FindRow } from '../../components/lists/FindBox.tsx';
import { noneOf } from '../../domain/content/hits.tsx';
import { PeriodFields } from '../../domain/time/PeriodFields.tsx';
import '../../domain/content/pickers.css';
import type { ChainPlaysData } from './useChainPlaysData.ts';

/** Maximum number of search results. */
const FOUND = 12;
/** Milliseconds after the last keystroke until a search is sent. */
const TYPING_MS = 200;
const named = (words: readonly string[]) => words.map((word) => ({ value: word, label: word }));

export function ChainPlaysFilter({ data }: { data: ChainPlaysData }) {
  const { t } = useTranslation();
  const { range, narrow, counts, show } = data;
  return (
    <div className="report-filter chain-filter">
      <PeriodFields range={range} onShow={show} />
      <Select
        label={t('chainPlays.region')}
        value={narrow.region ?? ''}
        options={[{ value: '', label: t('chainPlays.allRegions') }, ...named(counts?.regions ?? [])]}
        onChange={(region) => show({ region })}
      />
      <Select
        label={t('chainPlays.tag')}
        value={narrow.tag ?? ''}
        options={[{ value: '', label: t('chainPlays.allTags') }, ...named(counts?.tags ?? [])]}
        onChange={(tag) => show({ tag })}
      />
      <OneStore data={data} />
      <OneCampaign data={data} />
      <OneContent data={data} />
    </div>
  );
}

function OneStore({ data: { narrow, show } }: { data: ChainPlaysData }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useQuery(storesLikeQuery(useDebounced(text.trim(), TYPING_MS), FOUND));
  const chosen = useQuery({ ...storeQuery(narrow.store ?? ''), enabled: narrow.store !== undefined }).data?.store;
  return (
    <One
      label={t('chainPlays.store')}
      placeholder={t('chainPlays.storePlaceholder')}
      text={text}
      onText={setText}
      state={found.isError ? 'failed' : found.isPending ? 'looking' : 'found'}
      rows={(found.data ?? []).map(({ id, name, region }) => ({
        id,
        name,
        hint: region || undefined,
        picture: <Store aria-hidden />,
      }))}
      chosen={narrow.store && { id: narrow.store, name: chosen?.name ?? '…', picture: <Store aria-hidden /> }}
      onChoose={(store) => show({ store })}
    />
  );
}

function OneCampaign({ data: { of, narrow, show } }: { data: ChainPlaysData }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { campaign_id: _chosen, ...all } = of;
  const sums = useQuery(chainSumsQuery(all, 'campaign'));
  const shown = (sums.data?.rows ?? []).flatMap(({ name, campaign_id: id }) =>
    id === null ? [] : { id, name: name || t('chainPlays.goneCampaign'), picture: <Send aria-hidden /> },
  );
  const wanted = text.trim().toLowerCase();
  const rows = shown.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, FOUND);
  // The name of a campaign without plays in this period is fetched separately.
  const known = shown.find(({ id }) => id === narrow.campaign)?.name;
  const isElsewhere = Boolean(narrow.campaign) && sums.data !== undefined && known === undefined;
  const found = useQuery({ ...campaignQuery(narrow.campaign ?? ''), enabled: isElsewhere, retry: false });
  const chosen = narrow.campaign && {
    id: narrow.campaign,
    name: known ?? found.data?.campaign.name ?? (found.isError ? t('chainPlays.goneCampaign') : '…'),
    picture: <Send aria-hidden />,
  };
  return (
    <One
      label={t('chainPlays.campaign')}
      placeholder={t('chainPlays.campaignPlaceholder')}
      text={text}
      onText={setText}
      state={sums.isError ? 'failed' : sums.isPending ? 'looking' : 'found'}
      rows={rows}
      chosen={chosen}
      onChoose={(campaign) => show({ campaign })}
    />
  );
}

function OneContent({ data: { of, narrow, show } }: { data: ChainPlaysData }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  // Offers all contents of the report, whichever content is chosen now.
  const { content: _chosen, ...all } = of;
  const sums = useQuery(chainSumsQuery(all, 'content'));
  const wanted = text.trim().toLowerCase();
  const rows = (sums.data?.rows ?? []).filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, FOUND);
  return (
    <One
      label={t('chainPlays.content')}
      placeholder={t('chainPlays.contentPlaceholder')}
      text={text}
      onText={setText}
      state={sums.isError ? 'failed' : sums.isPending ? 'looking' : 'found'}
      rows={rows.map(({ name }) => ({ id: name, name, picture: <Image aria-hidden /> }))}
      chosen={narrow.content && { id: narrow.content, name: narrow.content, picture: <Image aria-hidden /> }}
      onChoose={(content) => show({ content })}
    />
  );
}

type OneProps = {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  state: 'looking' | 'failed' | 'found';
  rows: readonly FindRow[];
  chosen: FindRow | '' | undefined;
  /** Undefined clears the choice. */
  onChoose: (id: string | undefined) => void;
};

/** Field for choosing one of many records. Another choice replaces it. */
function One({ label, placeholder, text, onText, state, rows, chosen, onChoose }: OneProps) {
  const { t } = useTranslation();
  return (
    <div className="field picker">
      <FindBox
        label={label}
        placeholder={placeholder}
        text={text}
        onText={onText}
        groups={rows.length > 0 ? [{ id: 'found', title: label, rows }] : []}
        none={noneOf(state, text, t)}
        more={rows.length === FOUND ? t('chainPlays.typeMore') : undefined}
        chosen={chosen ? [chosen.id] : []}
        onChoose={(id) => {
          onText('');
          onChoose(chosen && chosen.id === id ? undefined : id);
        }}
      />
      {chosen && (
        <Chips
          label={t('find.chosen', { label })}
          chips={[chosen]}
          onRemove={() => onChoose(undefined)}
          removeLabel={(name) => t('find.remove', { name })}
        />
      )}
    </div>
  );
}
