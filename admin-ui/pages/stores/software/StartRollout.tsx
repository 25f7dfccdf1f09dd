import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Store, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaveChoice } from '../../../../shared/chain/rollouts.ts';
import {
  createStoreRollout,
  type RolloutPreview,
  type Wave,
} from '../../../../shared/contract/headquarters/rollouts.ts';
import { rolloutPreviewQuery } from '../../../api/chain/rollouts.ts';
import { storeCountsQuery, storesLikeQuery } from '../../../api/chain/stores.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { Select } from '../../../components/choices/Select.tsx';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { FormDialog } from '../../../components/controls/Dialog.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { useDebounced } from '../../../components/hooks/useDebounced.ts';
import { Chips, FindBox } from '../../../components/lists/FindBox.tsx';
import { noneOf } from '../../../domain/content/hits.tsx';
import '../../../domain/content/pickers.css';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { choiceOf, firstWaves, newWave, type WaveDraft } from './rollouts.utils.ts';

/** Maximum number of search results. */
const FOUND = 12;
/** Milliseconds after the last keystroke until a search is sent. */
const TYPING_MS = 200;
const MAX_WAVES = 20;
const KINDS = ['named', 'count', 'region', 'tag', 'rest'] as const;

/** Dialog that defines the waves of a rollout, shows the number of stores in each wave, and starts the rollout. */
export function StartRollout({ version, onClose }: { version: string; onClose: () => void }) {
  const counts = useQuery(storeCountsQuery);
  if (!counts.data) return null;
  return <RolloutDialog version={version} regions={counts.data.regions} tags={counts.data.tags} onClose={onClose} />;
}

type Words = { regions: readonly string[]; tags: readonly string[] };

function RolloutDialog({ version, onClose, ...words }: { version: string; onClose: () => void } & Words) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [waves, setWaves] = useState(() => firstWaves(words.regions));
  const [healthy, setHealthy] = useState<number | null>(30);
  const nextKey = useRef(100);
  const nameOf = useWaveName();
  const asked = waves.flatMap((wave): Wave[] => {
    const stores = choiceOf(wave);
    return stores ? [{ name: nameOf(stores), stores: stores as Wave['stores'] }] : [];
  });
  const isWhole = asked.length === waves.length;
  const preview = useQuery({ ...rolloutPreviewQuery(version, useDebounced(asked, TYPING_MS)), enabled: isWhole });
  const numbers = isWhole ? preview.data : undefined;
  const start = useEdit({
    topics: ['stores'],
    run: () => client.call(createStoreRollout, { body: { version, waves: asked, healthy_minutes: healthy ?? 30 } }),
    done: ({ id }) => {
      onClose();
      void navigate({ to: '/stores/software/$rolloutId', params: { rolloutId: id } });
    },
  });
  const change = (key: number, to: Partial<WaveDraft>) =>
    setWaves((before) => before.map((wave) => (wave.key === key ? { ...wave, ...to } : wave)));
  return (
    <FormDialog
      title={t('software.startTitle', { version })}
      size="wide"
      onClose={onClose}
      onSubmit={() => isWhole && start.mutate()}
      submit={t('software.startDo')}
      isPending={start.isPending}
      isDisabled={!isWhole}
    >
      <p>{t('software.startHelp')}</p>
      <ol className="waves">
        {waves.map((wave, i) => (
          <WaveRow
            key={wave.key}
            wave={wave}
            number={i + 1}
            {...words}
            numbers={numbers?.waves[i]}
            onChange={(to) => change(wave.key, to)}
            onRemove={
              waves.length > 1 ? () => setWaves((before) => before.filter(({ key }) => key !== wave.key)) : undefined
            }
          />
        ))}
      </ol>
      {waves.length < MAX_WAVES && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onPress={() => setWaves((before) => [...before, newWave(nextKey.current++, 'rest')])}
          >
            {t('software.addWave')}
          </Button>
        </div>
      )}
      <NumberField
        label={t('software.healthyFor')}
        hint={t('software.healthyForHint')}
        unit="min"
        min={0}
        max={1440}
        value={healthy}
        onChange={setHealthy}
      />
      <Unanswered query={preview} />
      {numbers && (
        <p role="status">
          {[
            numbers.left > 0 && t('software.leftOver', { count: numbers.left }),
            numbers.have > 0 && t('software.haveIt', { count: numbers.have }),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </FormDialog>
  );
}

/** Returns a function that names a wave by the stores that it selects. */
const useWaveName = () => {
  const { t } = useTranslation();
  return (choice: WaveChoice): string => {
    switch (choice.which) {
      case 'named':
        return t('software.wave.named', { count: choice.ids.length });
      case 'count':
        return t('software.wave.count', { count: choice.count });
      case 'region':
        return choice.region;
      case 'tag':
        return choice.tag;
      case 'rest':
        return t('software.wave.rest');
    }
  };
};

type WaveRowProps = Words & {
  wave: WaveDraft;
  number: number;
  numbers: RolloutPreview['waves'][number] | undefined;
  onChange: (to: Partial<WaveDraft>) => void;
  onRemove: (() => void) | undefined;
};

function WaveRow({ wave, number, numbers, regions, tags, onChange, onRemove }: WaveRowProps) {
  const { t } = useTranslation();
  const kinds = KINDS.filter(
    (which) => (which !== 'region' || regions.length > 0) && (which !== 'tag' || tags.length > 0),
  );
  const named = (words: readonly string[]) => words.map((word) => ({ value: word, label: word }));
  return (
    <li>
      <Select
        label={t('software.waveNumber', { number })}
        value={wave.which}
        options={kinds.map((which) => ({ value: which, label: t(`software.kind.${which}`) }))}
        onChange={(which) =>
          onChange({
            which,
            ...(which === 'region' && { region: wave.region || regions[0]! }),
            ...(which === 'tag' && { tag: wave.tag || tags[0]! }),
          })
        }
      />
      {wave.which === 'named' && <NamedStores ids={wave.ids} onChange={(ids) => onChange({ ids })} />}
      {wave.which === 'count' && (
        <NumberField
          label={t('software.howMany')}
          min={1}
          max={5000}
          value={wave.count}
          onChange={(count) => onChange({ count })}
        />
      )}
      {wave.which === 'region' && (
        <Select
          label={t('chainPlays.region')}
          value={wave.region}
          options={named(regions)}
          onChange={(region) => onChange({ region })}
        />
      )}
      {wave.which === 'tag' && (
        <Select
          label={t('chainPlays.tag')}
          value={wave.tag}
          options={named(tags)}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      {wave.which === 'rest' && <span />}
      <p className="wave-numbers">
        {numbers ? (
          <>
            <strong>{t('orders.stores', { count: numbers.stores })}</strong>
            <small>
              {t('software.waveNumbers', { up: numbers.up, screens: t('common.screens', { count: numbers.screens }) })}
            </small>
          </>
        ) : (
          <small>{t(choiceOf(wave) ? 'software.counting' : 'software.choose')}</small>
        )}
      </p>
      {onRemove && <IconButton icon={X} label={t('software.removeWave', { number })} onPress={onRemove} />}
    </li>
  );
}

function NamedStores({ ids, onChange }: { ids: readonly string[]; onChange: (ids: readonly string[]) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const found = useQuery(storesLikeQuery(useDebounced(text.trim(), TYPING_MS), FOUND));
  const rows = (found.data ?? [])
    .filter(({ line }) => line === 'up' || line === 'down')
    .map(({ id, name, region }) => ({ id, name, hint: region || undefined, picture: <Store aria-hidden /> }));
  return (
    <div className="field picker">
      <FindBox
        label={t('software.which')}
        placeholder={t('chainPlays.storePlaceholder')}
        text={text}
        onText={setText}
        groups={rows.length > 0 ? [{ id: 'found', title: t('software.which'), rows }] : []}
        none={noneOf(found.isError ? 'failed' : found.isPending ? 'looking' : 'found', text, t)}
        more={rows.length === FOUND ? t('chainPlays.typeMore') : undefined}
        chosen={ids}
        onChoose={(id) => {
          setText('');
          setNames(new Map(names).set(id, rows.find((row) => row.id === id)?.name ?? ''));
          onChange(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
        }}
      />
      {ids.length > 0 && (
        <Chips
          label={t('find.chosen', { label: t('software.which') })}
          chips={ids.map((id) => ({ id, name: names.get(id) ?? '', picture: <Store aria-hidden /> }))}
          onRemove={(id) => onChange(ids.filter((one) => one !== id))}
          removeLabel={(name) => t('find.remove', { name })}
        />
      )}
    </div>
  );
}
