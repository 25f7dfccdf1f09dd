import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createFolder, deleteFolder, type Folder, updateFolder } from '../../../../shared/contract/content/folders.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { useForm } from '../../../api/editing/useForm.ts';
import { client } from '../../../api/requests/client.ts';
import { FormDialog } from '../../../components/controls/Dialog.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { ConfirmEdit } from '../../../domain/saving/ConfirmEdit.tsx';
import { KeptDialog } from '../../../domain/saving/KeptDialog.tsx';
import { FolderPicker } from './FolderPicker.tsx';
import { isWithin } from './folders.utils.ts';
import { useFolders } from './useFolders.ts';

export type FolderAsk = { kind: 'new'; parent: Folder | null } | { kind: 'rename' | 'move' | 'delete'; folder: Folder };

export function FolderDialogs({
  ask,
  current,
  onClose,
}: {
  ask: FolderAsk;
  current: string | undefined;
  onClose: () => void;
}) {
  if (ask.kind === 'new') return <NameFolder parent={ask.parent} onClose={onClose} />;
  if (ask.kind === 'rename') return <NameFolder folder={ask.folder} onClose={onClose} />;
  if (ask.kind === 'move') return <MoveFolder folder={ask.folder} onClose={onClose} />;
  return <DeleteFolder folder={ask.folder} current={current} onClose={onClose} />;
}

function NameFolder({ folder, parent, onClose }: { folder?: Folder; parent?: Folder | null; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useForm({
    place: folder ? `folders/${folder.id}` : `folders/new/${parent?.id ?? ''}`,
    start: { name: folder?.name ?? '' },
    schema: createFolder.body,
    topics: ['folders'],
    run: ({ name }) =>
      folder
        ? client.call(updateFolder, { params: { id: folder.id }, body: { name } })
        : client.call(createFolder, { body: { name, parent_id: parent?.id ?? null } }),
    done: onClose,
  });
  return (
    <KeptDialog
      title={
        folder
          ? t('workspaces.rename', { name: folder.name })
          : parent
            ? t('content.folderNewInside', { name: parent.name })
            : t('content.folderNew')
      }
      onClose={onClose}
      form={form}
      submit={folder ? t('common.rename') : t('common.create')}
    >
      <TextField {...form.field('name', t('common.name'))} autoFocus maxLength={100} />
    </KeptDialog>
  );
}

function MoveFolder({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation();
  const { folders } = useFolders();
  const [to, setTo] = useState(folder.parent_id);
  const move = useEdit<string | null>({
    topics: ['folders'],
    run: (parent_id) => client.call(updateFolder, { params: { id: folder.id }, body: { parent_id } }),
    done: onClose,
    said: (_, parent) =>
      parent === to
        ? {
            text: t('content.folderMoved', { name: folder.name }),
            action: { label: t('common.undo'), run: () => move.mutate(folder.parent_id) },
          }
        : undefined,
  });
  return (
    <FormDialog
      title={t('content.folderMove', { name: folder.name })}
      onClose={onClose}
      onSubmit={() => move.mutate(to)}
      submit={t('content.move')}
      isDisabled={to === folder.parent_id}
      isPending={move.isPending}
    >
      <FolderPicker value={to} onChange={setTo} isDisabled={(id) => isWithin(folders, id, folder.id)} />
    </FormDialog>
  );
}

function DeleteFolder({
  folder,
  current,
  onClose,
}: {
  folder: Folder;
  current: string | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { folders } = useFolders();
  const inside = folders.filter((f) => f.id !== folder.id && isWithin(folders, f.id, folder.id)).length;
  return (
    <ConfirmEdit
      topics={['folders', 'content']}
      run={async () => {
        if (current && isWithin(folders, current, folder.id)) await navigate({ to: '/content' });
        return client.call(deleteFolder, { params: { id: folder.id } });
      }}
      said={() => t('content.folderDeleted', { name: folder.name })}
      title={t('content.folderDeleteAsk', { name: folder.name })}
      confirm={t('common.delete')}
      danger
      onClose={onClose}
    >
      <p>{t('content.folderDeleteEffects')}</p>
      {inside > 0 && <p>{t('content.folderDeleteInside', { count: inside })}</p>}
    </ConfirmEdit>
  );
}
