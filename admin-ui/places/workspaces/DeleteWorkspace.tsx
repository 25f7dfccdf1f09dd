import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessibleWorkspace, Me } from '../../../shared/contract/auth.ts';
import { deleteWorkspace } from '../../../shared/contract/workspaces.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { goToWorkspace } from '../../data/switchWorkspace.ts';
import { useEdit } from '../../data/useEdit.ts';

/** Nothing here takes more with it, so its name must be typed. Who is inside goes to a neighbour first. */
export function DeleteWorkspace({ workspace, me, onClose }: { workspace: AccessibleWorkspace; me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const sure = typed.trim() === workspace.name;
  const remove = useEdit({
    topics: ['settings', 'members'],
    run: async () => {
      const neighbour = me.accessible_workspaces.find((w) => w.organization_id === workspace.organization_id && w.id !== workspace.id);
      if (workspace.id === me.current_workspace_id && neighbour) {
        await navigate({ to: '/screens' });
        await goToWorkspace(neighbour.id);
      }
      return client.call(deleteWorkspace, { params: { id: workspace.id } });
    },
    done: () => {
      onClose();
      toast({ tone: 'done', text: t('workspaces.deleted', { name: workspace.name }) });
    },
  });
  return (
    <FormDialog
      title={t('workspaces.deleteAsk', { name: workspace.name })}
      alert
      onClose={onClose}
      onSubmit={() => sure && remove.mutate()}
      submit={t('workspaces.deleteConfirm')}
      variant="danger"
      isDisabled={!sure}
      isPending={remove.isPending}
    >
      <p>{t('workspaces.deleteHelp', { count: workspace.device_count })}</p>
      <TextField label={t('workspaces.typeName', { name: workspace.name })} value={typed} onChange={setTyped} autoComplete="off" spellCheck="false" autoFocus />
    </FormDialog>
  );
}
