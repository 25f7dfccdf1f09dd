import { useTranslation } from 'react-i18next';
import type { ChainTotals } from '../../../shared/contract/stores.ts';
import { Notice } from '../../components/Page.tsx';
import { useNow } from '../../components/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** Maximum number of named stores. Further stores are only counted. */
const NAMED = 4;

/** Lists stores that may have more plays of the period than headquarters, or says that there are no such stores. */
export function Behind({ behind }: Pick<ChainTotals, 'behind'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  if (behind.length === 0) return <p className="note">{t('chainPlays.complete')}</p>;
  const named = behind
    .slice(0, NAMED)
    .map(({ name, waiting, heard_at: heard }) =>
      heard === null
        ? t('chainPlays.behindNever', { name })
        : t('chainPlays.behindWaiting', { name, count: waiting, ago: format.ago(heard, now) }),
    );
  const more = behind.length - named.length;
  const stores = [...named, ...(more > 0 ? [t('chainPlays.behindMore', { count: more })] : [])].join('; ');
  return (
    <Notice tone="warn" title={t('chainPlays.behind', { count: behind.length })}>
      {t('chainPlays.behindHelp', { stores: `${stores}.` })}
    </Notice>
  );
}
