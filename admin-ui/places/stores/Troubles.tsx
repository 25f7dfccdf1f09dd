import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Store } from '../../../shared/contract/stores.ts';
import { toneOfTrouble } from './stores.utils.ts';
import { useTroubleWords } from './useTroubleWords.ts';

/** What is wrong with a store, the worst first, and what to do. */
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
              <p className="note">{t(`stores.todo.${trouble}`)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
