import { Redo2, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../components/Button.tsx';
import { Notice } from '../components/Page.tsx';
import type { Draft } from './useHistory.ts';

type AnyDraft = Omit<Draft<unknown>, 'value' | 'change'>;

/** Undo, redo, discard, save: the buttons of a page that is saved as a whole. */
export function DraftButtons({ draft, isPending, onSave }: { draft: AnyDraft; isPending: boolean; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton icon={Undo2} size="small" label={t('common.undo')} isDisabled={!draft.canUndo} onPress={draft.undo} />
      <IconButton icon={Redo2} size="small" label={t('draft.redo')} isDisabled={!draft.canRedo} onPress={draft.redo} />
      {draft.dirty && (
        <Button variant="quiet" onPress={draft.forget}>
          {t('common.discard')}
        </Button>
      )}
      <Button variant="primary" isDisabled={!draft.dirty || draft.conflict} isPending={isPending} onPress={onSave}>
        {t('common.save')}
      </Button>
    </>
  );
}

/** Two people edited the same. */
export function DraftConflict({ draft }: { draft: AnyDraft }) {
  const { t } = useTranslation();
  if (!draft.conflict) return null;
  return (
    <Notice
      tone="warn"
      title={t('draft.conflict')}
      actions={
        <>
          <Button size="small" onPress={draft.forget}>
            {t('draft.takeTheirs')}
          </Button>
          <Button size="small" onPress={draft.keepMine}>
            {t('draft.keepMine')}
          </Button>
        </>
      }
    >
      {t('draft.conflictHelp')}
    </Notice>
  );
}
