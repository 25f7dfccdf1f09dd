import { useTranslation } from 'react-i18next';
import { type Offer, useKeptDraft } from '../../api/editing/useKeptDraft.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import type { Draft } from '../../components/hooks/useHistory.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** Offers unsaved changes from before an interruption. */
export function KeptNotice({ offer }: { offer: Offer | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  if (!offer) return null;
  return (
    <Notice
      tone="info"
      title={t('common.keptTitle')}
      actions={
        <>
          <Button size="small" onPress={offer.restore}>
            {t('common.keptContinue')}
          </Button>
          <Button size="small" variant="quiet" onPress={offer.discard}>
            {t('common.discard')}
          </Button>
        </>
      }
    >
      {t('common.keptHelp', { when: format.ago(offer.at / 1000, now) })}
    </Notice>
  );
}

type KeptProps<T> = { place: string; draft: Pick<Draft<T>, 'value' | 'dirty' | 'base' | 'restore'> };

/** Keeps a record's unsaved changes in the browser, and offers them on return. */
export function KeptChanges<T>({ place, draft }: KeptProps<T>) {
  const { value, dirty, base, restore } = draft;
  return <KeptNotice offer={useKeptDraft({ place, value, changed: dirty, base, restore }).offer} />;
}
