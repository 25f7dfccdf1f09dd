import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
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
    <Dialog
      title={t('content.moveMany', { count: contents.length, name: first?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void move()}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={busy} isDisabled={contents.every((c) => c.folder_id === to)}>
            {t('content.move')}
          </Button>
        </>
      }
    >
      {folders.length === 0 && <p>{t('content.moveNoFolders')}</p>}
      <FolderPicker value={to} onChange={setTo} />
    </Dialog>
  );
}
