import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { storeQuery } from '../../../api/chain/stores.ts';
import { ButtonLink, IconButton } from '../../../components/controls/Button.tsx';
import { Bone } from '../../../components/frame/Page.tsx';
import { LineBadge } from '../LineBadge.tsx';
import { StateGlyph } from '../StateGlyph.tsx';
import { useTroubleWords } from '../store/useTroubleWords.ts';
import { type CardPlace, stateOf } from './map.utils.ts';

/** Maximum number of stores that the card of a place lists. Further stores are only counted. */
const LISTED = 12;

type CardProps = {
  /** The store of the mark, or all stores at the same place. */
  stores: readonly StorePlace[];
  at: CardPlace;
  onClose: () => void;
};

/** Card with the stores of a mark on the map, and links to them. */
export function MapCard({ stores, at, onClose }: CardProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.querySelector<HTMLElement>('a[href]')?.focus({ preventScroll: true }), []);
  const [first] = stores;
  if (!first) return null;
  const name = stores.length === 1 ? first.name : t('stores.map.several');
  return (
    <div ref={card} className="map-card card" role="dialog" aria-label={name} style={at}>
      <header>
        <h3>{name}</h3>
        <IconButton icon={X} size="small" label={t('common.close')} onPress={onClose} />
      </header>
      {stores.length === 1 ? <One id={first.id} /> : <Several stores={stores} />}
    </div>
  );
}

function One({ id }: { id: string }) {
  const { t } = useTranslation();
  const wordsOf = useTroubleWords();
  const store = useQuery(storeQuery(id)).data?.store;
  return (
    <>
      {store ? (
        <>
          <p className="map-card-line">
            <LineBadge line={store.line} />
            {store.region !== '' && <span>{store.region}</span>}
          </p>
          {store.troubles.length === 0 ? (
            <p className="note">{t(`store.fine.${store.line}`)}</p>
          ) : (
            <ul className="map-card-troubles">
              {store.troubles.map((trouble) => (
                <li key={trouble}>
                  <StateGlyph state={stateOf({ trouble, line: store.line })} />
                  {wordsOf(store, trouble)}
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <Bone height="4rem" />
      )}
      <ButtonLink to="/stores/$storeId" params={{ storeId: id }} size="small" wide>
        {t('store.open')}
      </ButtonLink>
    </>
  );
}

function Several({ stores }: { stores: readonly StorePlace[] }) {
  const { t } = useTranslation();
  const more = stores.length - LISTED;
  return (
    <>
      <ul className="map-card-list">
        {stores.slice(0, LISTED).map((store) => (
          <li key={store.id}>
            <StateGlyph state={stateOf(store)} />
            <Link to="/stores/$storeId" params={{ storeId: store.id }}>
              {store.name}
            </Link>
            <small>
              {store.trouble === null ? t(`stores.lines.${store.line}`) : t(`stores.troubles.${store.trouble}`)}
            </small>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="note">{t('stores.map.more', { count: more })}</p>}
    </>
  );
}
