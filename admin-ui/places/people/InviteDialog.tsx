import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createInvite, type Invite } from '../../../shared/contract/workspaces.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog, FormDialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useForm } from '../../data/useForm.ts';
import { inviteLink, type Role, roles } from './people.utils.ts';

export function InviteDialog({ workspace, onClose }: { workspace: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Invite>();
  const form = useForm({
    start: { email: '', role: 'workspace_editor' as Role },
    schema: createInvite.body,
    topics: ['members'],
    run: (body) => client.call(createInvite, { params: { id: workspace.id }, body }),
    done: setMade,
    refused: (error) => (error.status === 409 ? { email: t('people.isMember') } : undefined),
  });
  if (made) {
    return (
      <Dialog
        title={t('people.invitedTitle', { email: made.email })}
        onClose={onClose}
        actions={
          <Button variant="primary" onPress={onClose} autoFocus>
            {t('common.done')}
          </Button>
        }
      >
        <p>{t('people.invitedHelp')}</p>
        <CopyField label={t('people.link')} value={inviteLink(location.origin, made.id)} onCopy={copyText} />
      </Dialog>
    );
  }
  return (
    <FormDialog title={t('people.inviteTitle', { workspace: workspace.name })} onClose={onClose} onSubmit={form.send} submit={t('people.sendInvite')} isPending={form.isPending}>
      <TextField {...form.field('email', t('people.email'))} type="text" inputMode="email" autoComplete="off" autoFocus />
      <RadioCards
        label={t('people.inviteRole')}
        value={form.values.role}
        onChange={(role) => form.set({ role })}
        options={roles.map((value) => ({ value, label: t(`people.roles.${value}`), hint: t(`people.roleHints.${value}`) }))}
      />
    </FormDialog>
  );
}
