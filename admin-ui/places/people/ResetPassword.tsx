import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedUser, resetUserPassword } from '../../../shared/contract/users.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useEdit } from '../../data/useEdit.ts';
import { passwordToTell } from './people.utils.ts';

/** Made here rather than typed: nobody sets "welcome1" for a colleague. */
export function ResetPassword({ user, bounded, onClose }: { user: ListedUser /** The password will open the organization alone. */; bounded: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [password] = useState(() => passwordToTell(crypto.getRandomValues(new Uint8Array(12))));
  const [revoke, setRevoke] = useState(false);
  const reset = useEdit({
    topics: ['members', 'tokens'],
    run: () => client.call(resetUserPassword, { params: { id: user.id }, body: { password, revoke_tokens: revoke } }),
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
      {bounded && <p>{t('people.resetBounded')}</p>}
      <CopyField label={t('people.newPassword')} value={password} onCopy={copyText} />
      <Checkbox isSelected={revoke} onChange={setRevoke} hint={t('people.revokeTokensHint')}>
        {t(bounded ? 'people.revokeTokensHere' : 'people.revokeTokens')}
      </Checkbox>
    </Dialog>
  );
}
