import { Link } from '@tanstack/react-router';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Store } from '../../../../shared/contract/headquarters/stores.ts';
import { toneOfTrouble } from '../stores.utils.ts';
import { useTroubleWords } from './useTroubleWords.ts';

/** Lists the campaigns that the store refuses, or will not have in time. Each links to the answer of the store. */
function Missed({ store, isRefused }: { store: Store; isRefused: boolean }) {
  const { t } = useTranslation();
  const named = store.campaigns_missed.filter(({ is_refused }) => is_refused === isRefused);
  const more = (isRefused ? store.campaigns_refused : store.campaigns_late) - named.length;
  return (
    <p className="store-missed">
      {named.map(({ id, name }) => (
        <Link
          key={id}
          to="/campaigns/$campaignId"
          params={{ campaignId: id }}
          search={{ part: 'stores', phase: isRefused ? 'refused' : 'late', q: store.name }}
        >
          {name}
        </Link>
      ))}
      {more > 0 && <span>{t('stores.darkMore', { count: more })}</span>}
    </p>
  );
}

/** Lists the problems of a store with their remedies, the worst problem first. */
export function Troubles({ store }: { store: Store }) {
  const { t } = useTranslation();
  const wordsOf = useTroubleWords();
  return (
    <ul className="store-troubles">
      {store.troubles.map((trouble) => {
        const tone = toneOfTrouble[trouble];
        const Icon = tone === 'bad' ? CircleAlert : TriangleAlert;
        return (
          <li key={trouble} className={tone}>
            <Icon aria-hidden />
            <div>
              <p>{wordsOf(store, trouble)}</p>
              {(trouble === 'campaign_refused' || trouble === 'campaign_late') && (
                <Missed store={store} isRefused={trouble === 'campaign_refused'} />
              )}
              <p className="note">{t(`stores.todo.${trouble}`)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
