import { useTranslation } from 'react-i18next';
import type { Store } from '../../../shared/contract/headquarters/stores.ts';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { LineBadge } from './LineBadge.tsx';
import { StoreName } from './StoreTable.tsx';
import { Troubles } from './store/Troubles.tsx';

/** List of stores that need attention, each with its problem in words and the remedy. */
export function NeedsList({ stores }: { stores: readonly Store[] }) {
  const { t } = useTranslation();
  const keys = useOneStop<HTMLUListElement>();
  return (
    <ul className="table-box needs-list" aria-label={t('stores.list')} {...keys}>
      {stores.map((store) => (
        <li key={store.id}>
          <div className="needs-store">
            <strong>
              <StoreName store={store} />
            </strong>
            <LineBadge line={store.line} />
          </div>
          <Troubles store={store} />
        </li>
      ))}
    </ul>
  );
}
