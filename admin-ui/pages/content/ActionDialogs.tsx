import { CalendarRange, FolderInput, Tag, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Unhindered } from '../../domain/saving/Hindered.tsx';
import { DeleteContent, LabelContent, LimitContent, MoveContent } from './ContentActions.tsx';
import { ReplaceContent } from './ReplaceContent.tsx';
import type { useContentEdits } from './useContentEdits.ts';

/** An action on contents whose dialog is open. `file`: the replacement, if it was dropped onto the content. */
export type ContentAction = {
  what: 'move' | 'label' | 'limit' | 'delete' | 'replace';
  contents: readonly Content[];
  file?: File;
};

/** The action whose dialog is open. `ask` and `replace` keep their identity, since cells are memoized. */
export const useContentAction = () => {
  const [action, setAction] = useState<ContentAction>();
  const ask = useCallback(
    (what: ContentAction['what'], content: Content) => setAction({ what, contents: [content] }),
    [],
  );
  const replace = useCallback(
    (content: Content, file: File) => setAction({ what: 'replace', contents: [content], file }),
    [],
  );
  return { action, setAction, ask, replace };
};

/** Buttons that open the dialogs for the selected contents. */
export function ActionButtons({
  contents,
  onAction,
}: {
  contents: readonly Content[];
  onAction: (action: ContentAction) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Button size="small" icon={FolderInput} onPress={() => onAction({ what: 'move', contents })}>
        {t('content.move')}
      </Button>
      <Button size="small" icon={Tag} onPress={() => onAction({ what: 'label', contents })}>
        {t('content.label')}
      </Button>
      <Button size="small" icon={CalendarRange} onPress={() => onAction({ what: 'limit', contents })}>
        {t('content.validity.label')}
      </Button>
      <Button size="small" icon={Trash2} variant="danger-quiet" onPress={() => onAction({ what: 'delete', contents })}>
        {t('common.delete')}
      </Button>
    </>
  );
}

type ActionDialogsProps = {
  action: ContentAction;
  edits: ReturnType<typeof useContentEdits>;
  onClose: () => void;
  /** Called when the contents are changed or deleted. */
  onDone: (what: ContentAction['what']) => void;
  /** Uploads a dropped file as a new content instead of replacing one. */
  onUpload: (file: File) => void;
};

/** The dialog of an action on contents. */
export function ActionDialogs({
  action: { what, contents, file },
  edits,
  onClose,
  onDone,
  onUpload,
}: ActionDialogsProps) {
  const done = () => onDone(what);
  switch (what) {
    case 'move':
      return <MoveContent contents={contents} edits={edits} onClose={onClose} onDone={done} />;
    case 'label':
      return <LabelContent contents={contents} edits={edits} onClose={onClose} onDone={done} />;
    case 'limit':
      return (
        <Unhindered kind="content" of={contents} onClose={onClose}>
          <LimitContent contents={contents} edits={edits} onClose={onClose} onDone={done} />
        </Unhindered>
      );
    case 'replace':
      return (
        contents[0] && (
          <Unhindered kind="content" of={contents} onClose={onClose}>
            <ReplaceContent content={contents[0]} file={file} onEnd={onClose} {...(file && { onBeside: onUpload })} />
          </Unhindered>
        )
      );
    case 'delete':
      return (
        <Unhindered kind="content" of={contents} isFree onClose={onClose}>
          <DeleteContent contents={contents} edits={edits} onClose={onClose} onDone={done} />
        </Unhindered>
      );
  }
}
