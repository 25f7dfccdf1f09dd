import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { Bone, Empty } from '../../../components/frame/Page.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import shopDrawing from '../../../drawings/shop-front.svg?raw';
import { useFormat } from '../../../i18n/useFormat.ts';
import './map.css';
import { NoneFound } from '../NoneFound.tsx';
import { StateGlyph } from '../StateGlyph.tsx';
import type { StoresData } from '../useStoresData.ts';
import { MapPane } from './MapPane.tsx';
import { MARK_STATES, stateOf } from './map.utils.ts';

/** Map with the locations and states of the stores. The table of stores has the same information. */
export function StoreMap({ data: { places: query, filter, search, clear } }: { data: StoresData }) {
  const { t } = useTranslation();
  if (!query.data) return <Unanswered query={query} bones={<Bone height="30rem" radius="var(--r-l)" />} />;
  const { places, without } = query.data;
  if (places.length === 0 && without === 0) return <NoneFound onClear={clear} />;
  const toTable = Object.entries({ ...search, view: undefined, page: undefined, place: 'none' }).filter(([, is]) => is);
  const rest = without > 0 && (
    <p className="map-without">
      {t('stores.map.without', { count: without })}{' '}
      <Link to="/stores" search={Object.fromEntries(toTable)}>
        {t('stores.map.withoutShow')}
      </Link>
    </p>
  );
  if (places.length === 0)
    return (
      <>
        <Empty drawing={shopDrawing} title={t('stores.map.noneTitle')}>
          {t('stores.map.noneHelp')}
        </Empty>
        {rest}
      </>
    );
  const { order: _, ...selection } = filter;
  return (
    <div className="map-place">
      {/* A new filter remounts the map, so that it first shows all stores of the filter. */}
      <MapPane key={JSON.stringify(selection)} stores={places} />
      <div className="map-foot">
        <Legend stores={places} />
        {rest}
      </div>
    </div>
  );
}

/** Legend: meaning of the marks, and the number of stores with each mark. */
function Legend({ stores }: { stores: readonly StorePlace[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const counts = new Map<string, number>();
  for (const store of stores) counts.set(stateOf(store), (counts.get(stateOf(store)) ?? 0) + 1);
  return (
    <ul className="map-legend" aria-label={t('stores.map.legend')}>
      {MARK_STATES.filter((state) => counts.has(state)).map((state) => (
        <li key={state}>
          <StateGlyph state={state} />
          {t(`stores.map.states.${state}`)}
          <strong>{format.number(counts.get(state) ?? 0)}</strong>
        </li>
      ))}
    </ul>
  );
}
