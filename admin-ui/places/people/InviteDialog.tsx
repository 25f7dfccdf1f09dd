import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { createInvite, type Invite } from '../../../shared/contract/workspaces.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useEdit } from '../../data/useEdit.ts';
import { looksLikeEmail } from '../../data/validation.ts';
import { inviteLink, type Role, roles } from './people.utils.ts';

export function InviteDialog({ workspace, onClose }: { workspace: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('workspace_editor');
  const [problem, setProblem] = useState<string>();
  const [made, setMade] = useState<Invite>();
  const create = useEdit({
    topics: ['members'],
    run: () => client.call(createInvite, { params: { id: workspace.id }, body: { email, role } }),
    done: setMade,
    failed: (error) => {
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 400)) return false;
      setProblem(error.status === 409 ? t('people.isMember') : error.message);
      return true;
    },
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
    <Dialog
      title={t('people.inviteTitle', { workspace: workspace.name })}
      onClose={onClose}
      onSubmit={() => {
        if (looksLikeEmail(email)) create.mutate();
        else setProblem(t('people.badEmail'));
      }}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('people.sendInvite')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('people.email')}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoFocus
        value={email}
        onChange={(text) => {
          setEmail(text);
          setProblem(undefined);
        }}
        error={problem}
      />
      <RadioCards
        label={t('people.inviteRole')}
        value={role}
        onChange={setRole}
        options={roles.map((value) => ({ value, label: t(`people.roles.${value}`), hint: t(`people.roleHints.${value}`) }))}
      />
    </Dialog>
  );
}
