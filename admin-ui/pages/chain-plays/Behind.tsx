import { useTranslation } from 'react-i18next';
import type { ChainTotals } from '../../../shared/contract/headquarters/stores.ts';
import { Notice } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** Maximum number of stores that the notice names. Further stores are only counted. */
const NAMED = 4;

/** Lists stores that may have plays of the period that headquarters has not received, or says that there are none. */
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
