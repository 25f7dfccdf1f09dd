import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedUser, PlatformRole, setUserRole } from '../../../shared/contract/users.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';

export function PlatformRoleDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const [role, setRole] = useState(user.role);
  const save = useEdit({
    topics: ['members'],
    run: () => client.call(setUserRole, { params: { id: user.id }, body: { role } }),
    done: () => {
      onClose();
      toast({ tone: 'done', text: t('people.roleChanged', { name: user.name, role: t(`people.platformRoles.${role}`) }) });
    },
  });
  return (
    <FormDialog
      title={t('people.roleTitle', { name: user.name })}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      submit={t('people.roleSave')}
      isPending={save.isPending}
      isDisabled={role === user.role}
    >
      <RadioCards
        label={t('people.roleTitle', { name: user.name })}
        value={role}
        onChange={setRole}
        options={PlatformRole.options.map((value) => ({ value, label: t(`people.platformRoles.${value}`), hint: t(`people.platformRoleHints.${value}`) }))}
      />
    </FormDialog>
  );
}
