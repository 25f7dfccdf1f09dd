import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedUser, makePasswordLink } from '../../../shared/contract/users.ts';
import { Button } from '../../components/Button.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { useLinkOrigin } from '../../data/origin.ts';
import { useEdit } from '../../data/useEdit.ts';
import { passwordLink } from './people.utils.ts';

type PasswordLinkProps = {
  user: ListedUser;
  /** The new password will only give access to the organization, not to the server. */
  bounded: boolean;
  onClose: () => void;
};

/** The link is created on a click, and not when the dialog opens, since a new link invalidates an earlier link. */
export function PasswordLinkDialog({ user, bounded, onClose }: PasswordLinkProps) {
  const { t } = useTranslation();
  const origin = useLinkOrigin();
  const [token, setToken] = useState<string>();
  const make = useEdit({
    topics: [],
    run: async () => setToken((await client.call(makePasswordLink, { params: { id: user.id } })).token),
  });
  return (
    <Dialog
      title={t('people.linkTitle', { name: user.name })}
      onClose={onClose}
      actions={
        token === undefined ? (
          <>
            <Button onPress={onClose}>{t('common.cancel')}</Button>
            <Button variant="primary" isPending={make.isPending} onPress={() => make.mutate()}>
              {t('people.makePasswordLink')}
            </Button>
          </>
        ) : (
          <Button variant="primary" onPress={onClose}>
            {t('common.done')}
          </Button>
        )
      }
    >
      <p>{t(token === undefined ? 'people.linkHelp' : 'people.linkMadeHelp', { name: user.name })}</p>
      {bounded && <p>{t('people.linkBounded')}</p>}
      {token !== undefined && (
        <CopyField label={t('people.passwordLink')} value={passwordLink(origin, token)} onCopy={copyText} />
      )}
    </Dialog>
  );
}
