import { useTranslation } from 'react-i18next';
import type { AccessibleWorkspace } from '../../../shared/contract/auth.ts';
import { createWorkspace, updateWorkspace } from '../../../shared/contract/workspaces.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';

type Props = ({ what: 'make'; organization: string } | { what: 'rename' | 'organization'; workspace: AccessibleWorkspace }) & { onClose: () => void };

const presentName = (props: Props): string => (props.what === 'make' ? '' : props.what === 'rename' ? props.workspace.name : props.workspace.organization_name);

/** A new workspace, or another name for one, or for its organization. */
export function NameDialog(props: Props) {
  const { t } = useTranslation();
  const { what, onClose } = props;
  const form = useForm({
    start: { name: presentName(props) },
    schema: createWorkspace.body,
    topics: ['settings', 'members'],
    run: async ({ name }) => {
      if (props.what === 'make') return client.call(createWorkspace, { body: { name } });
      return client.call(updateWorkspace, { params: { id: props.workspace.id }, body: props.what === 'rename' ? { name } : { organization_name: name } });
    },
    done: (_, { name }) => {
      onClose();
      toast({ tone: 'done', text: what === 'make' ? t('workspaces.made', { name }) : t('workspaces.renamed', { name }) });
    },
  });
  const titles = {
    make: () => t('workspaces.makeTitle', { organization: props.what === 'make' ? props.organization : '' }),
    rename: () => t('workspaces.renameTitle'),
    organization: () => t('workspaces.renameOrganization'),
  };
  return (
    <FormDialog title={titles[what]()} onClose={onClose} onSubmit={form.send} submit={what === 'make' ? t('workspaces.create') : t('common.rename')} isPending={form.isPending}>
      {what === 'make' && <p>{t('workspaces.makeHelp')}</p>}
      <TextField {...form.field('name', t('workspaces.name'))} {...(what === 'make' && { placeholder: t('workspaces.namePlaceholder') })} autoFocus maxLength={200} />
    </FormDialog>
  );
}
