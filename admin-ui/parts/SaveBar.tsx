import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Page.tsx';
import type { ConfigDraft } from './useConfigDraft.ts';

/** The two buttons of a page that is saved as a whole. */
export function SaveButtons({ draft, isPending, onSave }: { draft: ConfigDraft; isPending: boolean; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      {draft.dirty && (
        <Button variant="quiet" onPress={draft.forget}>
          {t('common.discard')}
        </Button>
      )}
      <Button variant="primary" isDisabled={!draft.dirty || draft.conflict || draft.draft.name.trim() === ''} isPending={isPending} onPress={onSave}>
        {t('common.save')}
      </Button>
    </>
  );
}

/** Two people edited the same. */
export function ConflictNotice({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  if (!draft.conflict) return null;
  return (
    <Notice
      tone="warn"
      title={t('preview.conflict')}
      actions={
        <>
          <Button size="small" onPress={draft.forget}>
            {t('preview.takeTheirs')}
          </Button>
          <Button size="small" onPress={draft.keepMine}>
            {t('preview.keepMine')}
          </Button>
        </>
      }
    >
      {t('preview.conflictHelp')}
    </Notice>
  );
}
