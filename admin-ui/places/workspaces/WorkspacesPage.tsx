import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessibleWorkspace, Me } from '../../../shared/contract/auth.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Badge, Page, Section } from '../../components/Page.tsx';
import '../../components/Table.css';
import { toast } from '../../components/toasts.ts';
import { useMe } from '../../data/me.ts';
import { goToWorkspace } from '../../data/switchWorkspace.ts';
import { useProblem } from '../../data/useProblem.ts';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { NameDialog } from './NameDialog.tsx';
import '../../parts/ListRow.css';
import './workspaces.css';
import { byOrganization } from './workspaces.utils.ts';

type Asking = { what: 'make' } | { what: 'rename' | 'organization' | 'delete'; workspace: AccessibleWorkspace };

export function WorkspacesPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('workspaces.title')} lead={t('workspaces.lead')} narrow>
      <Organizations me={useMe()} />
    </Page>
  );
}

function Organizations({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const administersOrganization = me.current_org_role !== null || me.is_platform_admin;
  return (
    <>
      {byOrganization(me.accessible_workspaces).map(({ id, name, workspaces }) => {
        const isCurrent = id === me.current_organization?.id;
        const administers = isCurrent && administersOrganization;
        return (
          <Section
            key={id}
            title={name}
            actions={
              administers && (
                <span className="workspaces-actions">
                  <IconButton
                    icon={Pencil}
                    size="small"
                    label={t('workspaces.renameOrganizationOf', { name })}
                    onPress={() => setAsking({ what: 'organization', workspace: workspaces[0]! })}
                  />
                  <Button icon={Plus} size="small" onPress={() => setAsking({ what: 'make' })}>
                    {t('workspaces.make')}
                  </Button>
                </span>
              )
            }
          >
            <ul className="table-box">
              {workspaces.map((workspace) => (
                <WorkspaceRow
                  key={workspace.id}
                  workspace={workspace}
                  isHere={workspace.id === me.current_workspace_id}
                  mayDelete={administers && workspaces.length > 1}
                  onRename={() => setAsking({ what: 'rename', workspace })}
                  onDelete={() => setAsking({ what: 'delete', workspace })}
                />
              ))}
            </ul>
          </Section>
        );
      })}
      {asking?.what === 'make' && <NameDialog what="make" organization={me.current_organization?.name ?? ''} onClose={close} />}
      {(asking?.what === 'rename' || asking?.what === 'organization') && <NameDialog what={asking.what} workspace={asking.workspace} onClose={close} />}
      {asking?.what === 'delete' && <DeleteWorkspace workspace={asking.workspace} me={me} onClose={close} />}
    </>
  );
}

type RowProps = { workspace: AccessibleWorkspace; isHere: boolean; mayDelete: boolean; onRename: () => void; onDelete: () => void };

function WorkspaceRow({ workspace, isHere, mayDelete, onRename, onDelete }: RowProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = useMutation({
    mutationFn: async () => {
      await navigate({ to: '/screens' });
      await goToWorkspace(workspace.id);
    },
    onSuccess: () => toast({ tone: 'done', text: t('workspaces.arrived', { name: workspace.name }) }),
    onError: useProblem(),
  });
  return (
    <li className="list-row">
      <div className="row-what">
        <strong>{workspace.name}</strong>
        <small>{t('workspaces.screens', { count: workspace.device_count })}</small>
      </div>
      {isHere ? (
        <Badge tone="info">{t('workspaces.here')}</Badge>
      ) : (
        <Button size="small" aria-label={t('workspaces.goTo', { name: workspace.name })} isPending={go.isPending} onPress={() => go.mutate()}>
          {t('workspaces.go')}
        </Button>
      )}
      <span className="workspaces-actions">
        {workspace.can_admin && <IconButton icon={Pencil} label={t('workspaces.rename', { name: workspace.name })} onPress={onRename} />}
        {mayDelete && <IconButton icon={Trash2} label={t('workspaces.delete', { name: workspace.name })} onPress={onDelete} />}
      </span>
    </li>
  );
}
