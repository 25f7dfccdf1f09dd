import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/auth.ts';
import { Button } from '../../components/Button.tsx';
import { meQuery } from '../../data/me.ts';
import { SettingsPage } from '../../parts/SettingsPage.tsx';
import { Accounts } from './Accounts.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { Invites } from './Invites.tsx';
import { Members } from './Members.tsx';
import { Organization } from './Organization.tsx';
import './people.css';

export function PeoplePage() {
  const { t } = useTranslation();
  const [inviting, setInviting] = useState(false);
  const workspace = useQuery(meQuery).data?.current_workspace;
  return (
    <SettingsPage
      title={t('people.title')}
      lead={t('people.lead', { workspace: workspace?.name ?? '' })}
      needs="admin"
      actions={
        <Button icon={UserPlus} variant="primary" onPress={() => setInviting(true)}>
          {t('people.invite')}
        </Button>
      }
    >
      {(me) => <Everybody me={me} inviting={inviting} onInvited={() => setInviting(false)} />}
    </SettingsPage>
  );
}

function Everybody({ me, inviting, onInvited }: { me: Me; inviting: boolean; onInvited: () => void }) {
  const workspace = me.current_workspace;
  if (!workspace) return null;
  return (
    <>
      <Members me={me} workspace={workspace} />
      <Invites workspaceId={workspace.id} />
      {(me.current_org_role !== null || me.is_platform_admin) && <Organization me={me} workspace={workspace} />}
      <Accounts me={me} />
      {inviting && <InviteDialog workspace={workspace} onClose={onInvited} />}
    </>
  );
}
