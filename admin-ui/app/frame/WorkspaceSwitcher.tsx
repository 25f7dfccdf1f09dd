import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Store } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { goToWorkspace } from '../../api/session/switchWorkspace.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';

/** Shows the name of the current workspace. With several workspaces, it opens a list to switch. */
export function WorkspaceSwitcher({ me }: { me: Me }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = useMutation({
    // Leaves the page first. Otherwise the page would request records of the old workspace from the new workspace.
    mutationFn: async (id: string) => {
      await navigate({ to: '/screens' });
      await goToWorkspace(id);
    },
    onError: useProblem(),
  });
  if (me.accessible_workspaces.length < 2) return <p className="truncate">{me.current_organization?.name}</p>;
  return (
    <Menu
      label={t('nav.workspaces')}
      placement="bottom start"
      trigger={
        <Button
          className="rail-workspace"
          isPending={go.isPending}
          aria-label={`${me.current_workspace?.name} ${me.current_organization?.name}, ${t('nav.workspaces')}`}
        >
          <span className="rail-user-text">
            <strong className="truncate">{me.current_workspace?.name}</strong>{' '}
            <small className="truncate">{me.current_organization?.name}</small>
          </span>
          <ChevronsUpDown aria-hidden />
        </Button>
      }
    >
      {me.accessible_workspaces.map((workspace) => (
        <MenuItem
          key={workspace.id}
          icon={workspace.id === me.current_workspace_id ? Check : Store}
          hint={`${workspace.organization_name} · ${t('common.screens', { count: workspace.device_count })}`}
          onAction={() => {
            if (workspace.id !== me.current_workspace_id) go.mutate(workspace.id);
          }}
        >
          {workspace.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
