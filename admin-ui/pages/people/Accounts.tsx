import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Ellipsis, KeyRound, Link2, ShieldCheck, Trash2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Me } from '../../../shared/contract/people/auth.ts';
import {
  confirmUserPassword,
  deleteUser,
  type ListedUser,
  PlatformRole,
  releaseIdentities,
  resetUserPassword,
  setUserRole,
} from '../../../shared/contract/people/users.ts';
import { workspaceCalled } from '../../../shared/contract/people/workspaces.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { usersQuery } from '../../api/session/people.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { Badge, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { FewRows } from '../../domain/records/FewRows.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { PasswordLinkDialog } from './PasswordLink.tsx';
import { passwordToTell } from './people.utils.ts';
import '../../components/lists/Table.css';

type Asking = { what: 'password' | 'link' | 'confirm' | 'role' | 'release' | 'delete'; user: ListedUser };

export function Accounts({ me }: { me: Me }) {
  const { t } = useTranslation();
  const query = useQuery(usersQuery);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  return (
    <Section
      title={t('people.accounts')}
      lead={me.is_platform_admin ? t('people.accountsLeadServer') : t('people.accountsLead')}
    >
      <Unanswered query={query} />
      {query.data && (
        <FewRows label={t('people.accounts')} rows={query.data} textOf={({ name, email }) => `${name} ${email}`}>
          {(user) => <UserRow key={user.id} user={user} me={me} onAsk={(what) => setAsking({ what, user })} />}
        </FewRows>
      )}
      {asking?.what === 'password' && (
        <ResetPassword user={asking.user} bounded={!me.is_platform_admin} onClose={close} />
      )}
      {asking?.what === 'link' && (
        <PasswordLinkDialog user={asking.user} bounded={!me.is_platform_admin} onClose={close} />
      )}
      {asking?.what === 'confirm' && <ConfirmPassword user={asking.user} onClose={close} />}
      {asking?.what === 'role' && <PlatformRoleDialog user={asking.user} onClose={close} />}
      {asking?.what === 'release' && <ReleaseUser user={asking.user} onClose={close} />}
      {asking?.what === 'delete' && <DeleteUser user={asking.user} onClose={close} />}
    </Section>
  );
}

function UserRow({ user, me, onAsk }: { user: ListedUser; me: Me; onAsk: (what: Asking['what']) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const isMe = user.id === me.id;
  const mayReset =
    !isMe &&
    user.auth_provider === 'local' &&
    (me.is_platform_admin || (me.current_org_role === 'org_owner' && user.role === 'user'));
  const where =
    user.workspace_count === undefined
      ? undefined
      : user.workspace_count === 1
        ? user.workspace_name && workspaceCalled(user.workspace_name, user.organization_name)
        : user.workspace_count === 0
          ? t('people.noWorkspace')
          : t('people.inWorkspaces', { count: user.workspace_count });
  const seen =
    user.last_login_at === null
      ? t('people.neverSignedIn')
      : t('people.signedIn', { ago: format.ago(user.last_login_at, now) });
  return (
    <li className="list-row people-row">
      <div className="row-what">
        <strong>
          {user.name} {isMe && <Badge tone="info">{t('people.you')}</Badge>}
        </strong>
        <small>{[user.email, where, seen].filter(Boolean).join(' · ')}</small>
      </div>
      <div className="people-badges">
        {user.password_organization_id && <Badge tone="warn">{t('people.passwordUnconfirmed')}</Badge>}
        {user.email_verified === 0 && <Badge tone="warn">{t('people.unverified')}</Badge>}
        {user.totp_enabled === 1 && <Badge tone="good">{t('people.twoFactor')}</Badge>}
        {user.role !== 'user' && <Badge>{t(`people.platformRoles.${user.role}`)}</Badge>}
      </div>
      {mayReset || (me.is_platform_admin && !isMe) ? (
        <Menu
          label={t('common.moreFor', { name: user.name })}
          trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: user.name })} />}
        >
          {mayReset && (
            <MenuItem icon={Link2} onAction={() => onAsk('link')}>
              {t('people.askPasswordLink')}
            </MenuItem>
          )}
          {mayReset && (
            <MenuItem icon={KeyRound} onAction={() => onAsk('password')}>
              {t('people.resetPassword')}
            </MenuItem>
          )}
          {me.is_platform_admin && user.password_organization_id && (
            <MenuItem icon={BadgeCheck} onAction={() => onAsk('confirm')}>
              {t('people.confirmPassword')}
            </MenuItem>
          )}
          {me.is_platform_admin && (
            <MenuItem icon={ShieldCheck} onAction={() => onAsk('role')}>
              {t('people.changeRole')}
            </MenuItem>
          )}
          {me.is_platform_admin && user.auth_provider !== 'local' && (
            <MenuItem icon={Unlink} onAction={() => onAsk('release')}>
              {t('people.release')}
            </MenuItem>
          )}
          {me.is_platform_admin && (
            <MenuItem icon={Trash2} danger onAction={() => onAsk('delete')}>
              {t('people.deleteUser')}
            </MenuItem>
          )}
        </Menu>
      ) : (
        <span className="people-no-menu" />
      )}
    </li>
  );
}

function ReleaseUser({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmEdit
      topics={['members']}
      run={() => client.call(releaseIdentities, { params: { id: user.id } })}
      said={() => t('people.released', { name: user.name })}
      title={t('people.releaseAsk', { name: user.name })}
      confirm={t('people.releaseConfirm')}
      onClose={onClose}
    >
      <p>{t('people.releaseHelp')}</p>
    </ConfirmEdit>
  );
}

function ConfirmPassword({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmEdit
      topics={['members']}
      run={() => client.call(confirmUserPassword, { params: { id: user.id } })}
      said={() => t('people.passwordConfirmed', { name: user.name })}
      title={t('people.confirmPasswordAsk', { name: user.name })}
      confirm={t('people.confirmPasswordDo')}
      onClose={onClose}
    >
      <p>{t('people.confirmPasswordHelp')}</p>
    </ConfirmEdit>
  );
}

function DeleteUser({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ConfirmEdit
      topics={['members', 'settings']}
      run={() => client.call(deleteUser, { params: { id: user.id } })}
      said={() => t('people.deleted', { name: user.name })}
      failed={(error) => {
        if (!(error instanceof ApiError) || error.status !== 409) return false;
        onClose();
        toast({ tone: 'problem', text: t('people.ownsShared', { name: user.name }) });
        return true;
      }}
      title={t('people.deleteAsk', { name: user.name })}
      confirm={t('people.deleteConfirm')}
      danger
      onClose={onClose}
    >
      <p>{t('people.deleteHelp')}</p>
    </ConfirmEdit>
  );
}

function PlatformRoleDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const [role, setRole] = useState(user.role);
  const save = useEdit({
    topics: ['members'],
    run: () => client.call(setUserRole, { params: { id: user.id }, body: { role } }),
    said: () => t('people.roleChanged', { name: user.name, role: t(`people.platformRoles.${role}`) }),
    done: onClose,
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
        options={PlatformRole.options.map((value) => ({
          value,
          label: t(`people.platformRoles.${value}`),
          hint: t(`people.platformRoleHints.${value}`),
        }))}
      />
    </FormDialog>
  );
}

/**
 * Dialog that sets a new password for another user. The password is generated, so that nobody sets "welcome1" for a
 * colleague.
 */
function ResetPassword({
  user,
  bounded,
  onClose,
}: {
  user: ListedUser;
  /** True if the new password gives access only to this organization. */
  bounded: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [password] = useState(() => passwordToTell(crypto.getRandomValues(new Uint8Array(12))));
  const [revoke, setRevoke] = useState(false);
  const reset = useEdit({
    topics: ['members', 'tokens'],
    run: () => client.call(resetUserPassword, { params: { id: user.id }, body: { password, revoke_tokens: revoke } }),
    said: () => t('people.resetDone', { name: user.name }),
    done: onClose,
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
