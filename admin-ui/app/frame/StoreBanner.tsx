import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Store } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session/me.ts';
import { openedStoreQuery } from '../../api/session/openedStore.ts';
import { atHeadquarters } from '../../api/session/storeWindow.ts';
import './StoreBanner.css';

/**
 * Banner above every page of a store's admin window at headquarters: name of the store, the user's role there, and
 * the link back.
 */
export function StoreBanner({ store: id }: { store: string }) {
  const { t } = useTranslation();
  const me = useMe();
  const store = useQuery(openedStoreQuery(id)).data;
  const name = store?.name ?? me.current_workspace?.name ?? '';
  return (
    <aside className="store-banner" aria-label={t('storeWindow.title', { name })}>
      <Store size={16} aria-hidden />
      <p>
        <strong>{name}</strong>{' '}
        <span>
          {t(`storeWindow.as.${me.can_admin ? 'admin' : me.can_write ? 'editor' : 'viewer'}`, { name: me.name })}
        </span>
      </p>
      <a href={atHeadquarters(id)}>
        <ArrowLeft size={16} aria-hidden />
        {t('storeWindow.back')}
      </a>
    </aside>
  );
}
