import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedUser, makePasswordLink } from '../../../shared/contract/people/users.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { useLinkOrigin } from '../../api/requests/origin.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { passwordLink } from './people.utils.ts';

type PasswordLinkProps = {
  user: ListedUser;
  /** True if the new password gives access only to this organization. */
  bounded: boolean;
  onClose: () => void;
};

/**
 * Dialog for a link with which a user sets a new password. A click creates the link, not the opening of the dialog,
 * since a new link invalidates an earlier one.
 */
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
