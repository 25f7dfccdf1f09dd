import { Map as MapIcon, Table2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { STORE_LINES, STORE_TROUBLES } from '../../../shared/contract/headquarters/stores.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import '../../components/frame/Toolbar.css';
import type { StoreLine, TroubleFilter } from './stores.utils.ts';
import type { StoresData } from './useStoresData.ts';

const named = (words: readonly string[]) => words.map((word) => ({ value: word, label: word }));

/** Filters and sort order of the list of stores. */
export function StoreFilters({ data }: { data: StoresData }) {
  const { t } = useTranslation();
  const { search, filter, isMap, look, counts } = data;
  const { regions = [], tags = [], troubled = 0, troubles } = counts.data ?? {};
  const needs = filter.trouble !== undefined;
  return (
    <div className="store-filters">
      <div className="toolbar">
        <Segments
          label={t('stores.tab')}
          value={needs ? 'needs' : 'all'}
          onChange={(tab) => look({ trouble: tab === 'needs' ? 'any' : undefined, line: undefined })}
          options={[
            { value: 'all', label: t('stores.tabs.all') },
            {
              value: 'needs',
              label: troubled > 0 ? t('stores.tabs.needsCount', { count: troubled }) : t('stores.tabs.needs'),
            },
          ]}
        />
        {!isMap && (
          <Segments
            label={t('stores.order')}
            value={filter.order}
            onChange={(order) => look({ order: order === 'worst' ? undefined : order })}
            options={[
              { value: 'worst', label: t('stores.orders.worst') },
              { value: 'name', label: t('stores.orders.name') },
            ]}
          />
        )}
        <Segments
          label={t('stores.view')}
          value={isMap ? 'map' : 'table'}
          onChange={(view) => look({ view: view === 'table' ? undefined : view })}
          options={[
            { value: 'table', label: t('stores.views.table'), icon: Table2 },
            { value: 'map', label: t('stores.views.map'), icon: MapIcon },
          ]}
        />
      </div>
      <div className="toolbar">
        <SearchField label={t('stores.search')} value={search.q ?? ''} onChange={(q) => look({ q })} />
        {(regions.length > 0 || filter.region) && (
          <Select
            label={t('stores.region')}
            hideLabel
            value={filter.region ?? ''}
            options={[{ value: '', label: t('stores.allRegions') }, ...named(regions)]}
            onChange={(region) => look({ region })}
          />
        )}
        {(tags.length > 0 || filter.tag) && (
          <Select
            label={t('stores.tag')}
            hideLabel
            value={filter.tag ?? ''}
            options={[{ value: '', label: t('stores.allTags') }, ...named(tags)]}
            onChange={(tag) => look({ tag })}
          />
        )}
        {!needs && (
          <Select<StoreLine | ''>
            label={t('stores.line')}
            hideLabel
            value={filter.line ?? ''}
            options={[
              { value: '', label: t('stores.allLines') },
              ...STORE_LINES.map((line) => ({ value: line, label: t(`stores.lines.${line}`) })),
            ]}
            onChange={(line) => look({ line })}
          />
        )}
        {needs && (
          <Select<TroubleFilter>
            label={t('stores.trouble')}
            hideLabel
            value={filter.trouble ?? 'any'}
            options={[
              { value: 'any', label: t('stores.allTroubles') },
              ...STORE_TROUBLES.map((trouble) => ({
                value: trouble,
                label: t(`stores.troubles.${trouble}`),
                hint: troubles && t('stores.inStores', { count: troubles[trouble] }),
              })),
            ]}
            onChange={(trouble) => look({ trouble })}
          />
        )}
        {filter.place === 'none' && (
          <Button icon={X} onPress={() => look({ place: undefined })}>
            {t('stores.withoutPlace')}
          </Button>
        )}
      </div>
    </div>
  );
}
