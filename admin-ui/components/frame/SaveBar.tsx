/** Parts of a page that is edited as a whole and saved with one button: save bar and conflict notice. */
import { Redo2, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../controls/Button.tsx';
import type { Draft } from '../hooks/useHistory.ts';
import { Notice } from './Page.tsx';

type AnyDraft = Pick<Draft<unknown>, 'dirty' | 'conflict' | 'forget' | 'keepMine'>;

type SaveButtonsProps = { draft: AnyDraft; isPending: boolean; isDisabled?: boolean; onSave: () => void };

export function SaveButtons({ draft, isPending, isDisabled = false, onSave }: SaveButtonsProps) {
  const { t } = useTranslation();
  return (
    <>
      {draft.dirty && (
        <Button variant="quiet" onPress={draft.forget}>
          {t('common.discard')}
        </Button>
      )}
      <Button
        variant="primary"
        isDisabled={!draft.dirty || draft.conflict || isDisabled}
        isPending={isPending}
        onPress={onSave}
      >
        {t('common.save')}
      </Button>
    </>
  );
}

export function UndoButtons({ draft }: { draft: Pick<Draft<unknown>, 'canUndo' | 'canRedo' | 'undo' | 'redo'> }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton icon={Undo2} size="small" label={t('common.undo')} isDisabled={!draft.canUndo} onPress={draft.undo} />
      <IconButton icon={Redo2} size="small" label={t('draft.redo')} isDisabled={!draft.canRedo} onPress={draft.redo} />
    </>
  );
}

const WORDS = {
  draft: { title: 'draft.conflict', help: 'draft.conflictHelp', theirs: 'draft.takeTheirs', mine: 'common.keepMine' },
  preview: {
    title: 'preview.conflict',
    help: 'preview.conflictHelp',
    theirs: 'preview.takeTheirs',
    mine: 'common.keepMine',
  },
} as const;

/** Notice that another user has saved the same record meanwhile. This user chooses which version stays. */
export function ConflictNotice({ draft, words }: { draft: AnyDraft; words: keyof typeof WORDS }) {
  const { t } = useTranslation();
  if (!draft.conflict) return null;
  const { title, help, theirs, mine } = WORDS[words];
  return (
    <Notice
      tone="warn"
      title={t(title)}
      actions={
        <>
          <Button size="small" onPress={draft.forget}>
            {t(theirs)}
          </Button>
          <Button size="small" onPress={draft.keepMine}>
            {t(mine)}
          </Button>
        </>
      }
    >
      {t(help)}
    </Notice>
  );
}
