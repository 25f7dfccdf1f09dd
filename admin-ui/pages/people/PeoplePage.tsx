import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { createInvite, type Invite, workspaceCalled } from '../../../shared/contract/people/workspaces.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { useLinkOrigin } from '../../api/requests/origin.ts';
import { useMe } from '../../api/session/me.ts';
import { invitesQuery, membersQuery, organizationQuery, usersQuery } from '../../api/session/people.ts';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Bone, Page } from '../../components/frame/Page.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import { Accounts } from './Accounts.tsx';
import { Invites } from './Invites.tsx';
import { Members } from './Members.tsx';
import { Organization } from './Organization.tsx';
import { inviteLink, type Role, roles } from './people.utils.ts';
import '../../components/lists/ListRow.css';
import './people.css';

export function PeoplePage() {
  const { t } = useTranslation();
  const [inviting, setInviting] = useState(false);
  const me = useMe();
  const here = me.current_workspace;
  const workspace = here && { ...here, name: workspaceCalled(here.name, me.current_organization?.name) };
  return (
    <Page
      title={t('people.title')}
      lead={t('people.lead', { workspace: workspace?.name ?? '' })}
      narrow
      actions={
        <Button icon={UserPlus} variant="primary" onPress={() => setInviting(true)}>
          {t('people.invite')}
        </Button>
      }
    >
      {workspace && (
        <Everybody me={me} workspace={workspace} inviting={inviting} onInvited={() => setInviting(false)} />
      )}
    </Page>
  );
}

/**
 * All lists of the page. They appear together: a list that arrives later would move content that the user is reading
 * or about to click.
 */
function Everybody({
  me,
  workspace,
  inviting,
  onInvited,
}: {
  me: Me;
  workspace: NonNullable<Me['current_workspace']>;
  inviting: boolean;
  onInvited: () => void;
}) {
  const seesOrganization = me.current_org_role !== null || me.is_platform_admin;
  const areLoading = [
    useQuery(membersQuery(workspace.id)).isLoading,
    useQuery(invitesQuery(workspace.id)).isLoading,
    useQuery({ ...organizationQuery(workspace.organization_id), enabled: seesOrganization }).isLoading,
    useQuery(usersQuery).isLoading,
  ].some(Boolean);
  return (
    <>
      {areLoading ? (
        <Bone height="24rem" radius="var(--r-l)" />
      ) : (
        <>
          <Members me={me} workspace={workspace} />
          <Invites workspaceId={workspace.id} />
          {seesOrganization && <Organization me={me} workspace={workspace} />}
          <Accounts me={me} />
        </>
      )}
      {inviting && <InviteDialog workspace={workspace} onClose={onInvited} />}
    </>
  );
}

function InviteDialog({ workspace, onClose }: { workspace: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Invite>();
  const origin = useLinkOrigin();
  const form = useForm({
    place: `invites/${workspace.id}`,
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
        <CopyField label={t('people.link')} value={inviteLink(origin, made.id)} onCopy={copyText} />
      </Dialog>
    );
  }
  return (
    <KeptDialog
      title={t('people.inviteTitle', { workspace: workspace.name })}
      onClose={onClose}
      form={form}
      submit={t('people.sendInvite')}
    >
      <TextField
        {...form.field('email', t('signIn.email'))}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoFocus
      />
      <RadioCards
        label={t('people.inviteRole')}
        value={form.values.role}
        onChange={(role) => form.set({ role })}
        options={roles.map((value) => ({
          value,
          label: t(`people.roles.${value}`),
          hint: t(`people.roleHints.${value}`),
        }))}
      />
    </KeptDialog>
  );
}
