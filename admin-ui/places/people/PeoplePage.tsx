import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/auth.ts';
import { Button } from '../../components/Button.tsx';
import { Bone, Page } from '../../components/Page.tsx';
import { useMe } from '../../data/me.ts';
import { invitesQuery, membersQuery, organizationQuery, usersQuery } from '../../data/people.ts';
import { Accounts } from './Accounts.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { Invites } from './Invites.tsx';
import { Members } from './Members.tsx';
import { Organization } from './Organization.tsx';
import './people.css';

export function PeoplePage() {
  const { t } = useTranslation();
  const [inviting, setInviting] = useState(false);
  const me = useMe();
  const workspace = me.current_workspace;
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
      {workspace && <Everybody me={me} workspace={workspace} inviting={inviting} onInvited={() => setInviting(false)} />}
    </Page>
  );
}

/** All lists at once: they stand below each other, and each that came for itself would push away what somebody is reading, or about to press. */
function Everybody({ me, workspace, inviting, onInvited }: { me: Me; workspace: NonNullable<Me['current_workspace']>; inviting: boolean; onInvited: () => void }) {
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
