import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedUser, resetUserPassword } from '../../../shared/contract/users.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useEdit } from '../../data/useEdit.ts';
import { passwordToTell } from './people.utils.ts';

/** Made here rather than typed: nobody sets "welcome1" for a colleague. */
export function ResetPassword({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const [password] = useState(() => passwordToTell(crypto.getRandomValues(new Uint8Array(12))));
  const reset = useEdit({
    topics: ['members'],
    run: () => client.call(resetUserPassword, { params: { id: user.id }, body: { password } }),
    done: () => {
      onClose();
      toast({ tone: 'done', text: t('people.resetDone', { name: user.name }) });
    },
  });
  return (
    <Dialog
      title={t('people.resetTitle', { name: user.name })}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" isPending={reset.isPending} onPress={() => reset.mutate()}>
            {t('people.reset')}
          </Button>
        </>
      }
    >
      <p>{t('people.resetHelp')}</p>
      <CopyField label={t('people.newPassword')} value={password} onCopy={copyText} />
    </Dialog>
  );
}
