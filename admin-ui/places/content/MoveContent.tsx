import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { FolderPicker } from './FolderPicker.tsx';
import type { ContentEdits } from './useContentEdits.ts';
import { useFolders } from './useFolders.ts';

type Props = { contents: readonly Content[]; edits: ContentEdits; onClose: () => void; onDone: () => void };

export function MoveContent({ contents, edits, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { folders } = useFolders();
  const [first] = contents;
  const [to, setTo] = useState(first?.folder_id ?? null);
  const [busy, setBusy] = useState(false);
  const move = async () => {
    setBusy(true);
    await edits.move(contents, to, folders.find((f) => f.id === to)?.name ?? t('content.noFolder'));
    onDone();
  };
  return (
    <FormDialog
      title={t('content.moveMany', { count: contents.length, name: first?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void move()}
      submit={t('content.move')}
      isPending={busy}
      isDisabled={contents.every((c) => c.folder_id === to)}
    >
      {folders.length === 0 && <p>{t('content.moveNoFolders')}</p>}
      <FolderPicker value={to} onChange={setTo} />
    </FormDialog>
  );
}
