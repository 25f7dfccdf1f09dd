import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessibleWorkspace, Me } from '../../../shared/contract/people/auth.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '../../../shared/contract/people/workspaces.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { queryOf } from '../../api/requests/query.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { useMe } from '../../api/session/me.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { goToWorkspace } from '../../api/session/switchWorkspace.ts';
import { Switch } from '../../components/choices/Choices.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { Badge, Page, Section } from '../../components/frame/Page.tsx';
import { FallbackPicker } from '../../domain/content/FallbackPicker.tsx';
import { KeptDialog } from '../../domain/saving/KeptDialog.tsx';
import { byOrganization } from './workspaces.utils.ts';
import '../../components/lists/Table.css';
import '../../components/lists/ListRow.css';
import './workspaces.css';

type Asking = { what: 'make' } | { what: 'rename' | 'organization' | 'delete'; workspace: AccessibleWorkspace };

export function WorkspacesPage() {
  const { t } = useTranslation();
  const me = useMe();
  return (
    <Page title={t('nav.workspaces')} lead={t('workspaces.lead')} narrow>
      <Organizations me={me} />
      {me.can_admin && me.current_workspace && <Fallback workspace={me.current_workspace} />}
    </Page>
  );
}

/** Visitors from headquarters cannot rename or delete workspaces, nor change the approval rule (visitors.ts). */
const isVisiting = openedStore !== undefined;

const workspacesQuery = queryOf(['workspaces'], listWorkspaces);

/** Settings of the current workspace: default content and the approval rule. */
function Fallback({ workspace: { id, name } }: { workspace: { readonly id: string; readonly name: string } }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const workspace = useQuery(workspacesQuery).data?.find((one) => one.id === id);
  const save = useEdit<string | null, unknown>({
    topics: ['settings', 'devices'],
    run: (default_content_id) => client.call(updateWorkspace, { params: { id }, body: { default_content_id } }),
    said: () => t('common.saved'),
    done: () => void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
  const saveApproval = useEdit<boolean, unknown>({
    topics: ['settings', 'members'],
    run: (approval) => client.call(updateWorkspace, { params: { id }, body: { approval } }),
    said: () => t('common.saved'),
    done: () => void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
  if (!workspace) return null;
  return (
    <Section title={name}>
      <FallbackPicker
        of="workspace"
        value={workspace.default_content_id}
        onChange={(contentId) => save.mutate(contentId)}
        isDisabled={save.isPending}
      />
      {!isVisiting && (
        <Switch
          isSelected={workspace.approval === 1}
          onChange={(on) => saveApproval.mutate(on)}
          isDisabled={saveApproval.isPending}
          hint={t('approval.settingHint')}
        >
          {t('approval.setting')}
        </Switch>
      )}
    </Section>
  );
}

function Organizations({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const administersOrganization = !isVisiting && (me.current_org_role !== null || me.is_platform_admin);
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
                    label={t('workspaces.rename', { name })}
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
      {asking?.what === 'make' && (
        <NameDialog what="make" organization={me.current_organization?.name ?? ''} onClose={close} />
      )}
      {(asking?.what === 'rename' || asking?.what === 'organization') && (
        <NameDialog what={asking.what} workspace={asking.workspace} onClose={close} />
      )}
      {asking?.what === 'delete' && <DeleteWorkspace workspace={asking.workspace} me={me} onClose={close} />}
    </>
  );
}

type RowProps = {
  workspace: AccessibleWorkspace;
  isHere: boolean;
  mayDelete: boolean;
  onRename: () => void;
  onDelete: () => void;
};

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
        <small>{t('common.screens', { count: workspace.device_count })}</small>
      </div>
      {isHere ? (
        <Badge tone="info">{t('workspaces.here')}</Badge>
      ) : (
        <Button
          size="small"
          aria-label={t('workspaces.goTo', { name: workspace.name })}
          isPending={go.isPending}
          onPress={() => go.mutate()}
        >
          {t('workspaces.go')}
        </Button>
      )}
      <span className="workspaces-actions">
        {workspace.can_admin && !isVisiting && (
          <IconButton icon={Pencil} label={t('workspaces.rename', { name: workspace.name })} onPress={onRename} />
        )}
        {mayDelete && (
          <IconButton icon={Trash2} label={t('workspaces.delete', { name: workspace.name })} onPress={onDelete} />
        )}
      </span>
    </li>
  );
}

type Props = (
  | { what: 'make'; organization: string }
  | { what: 'rename' | 'organization'; workspace: AccessibleWorkspace }
) & { onClose: () => void };

const presentName = (props: Props): string =>
  props.what === 'make' ? '' : props.what === 'rename' ? props.workspace.name : props.workspace.organization_name;

/** Creates a workspace, or renames a workspace or its organization. */
function NameDialog(props: Props) {
  const { t } = useTranslation();
  const { what, onClose } = props;
  const form = useForm({
    place: what === 'make' ? 'workspaces/new' : `workspaces/${props.workspace.id}/${what}`,
    start: { name: presentName(props) },
    schema: createWorkspace.body,
    topics: ['settings', 'members'],
    run: async ({ name }) => {
      if (props.what === 'make') return client.call(createWorkspace, { body: { name } });
      return client.call(updateWorkspace, {
        params: { id: props.workspace.id },
        body: props.what === 'rename' ? { name } : { organization_name: name },
      });
    },
    said: (_, { name }) => (what === 'make' ? t('workspaces.made', { name }) : t('workspaces.renamed', { name })),
    done: onClose,
  });
  const titles = {
    make: () => t('workspaces.makeTitle', { organization: props.what === 'make' ? props.organization : '' }),
    rename: () => t('workspaces.renameTitle'),
    organization: () => t('workspaces.renameOrganization'),
  };
  return (
    <KeptDialog
      title={titles[what]()}
      onClose={onClose}
      form={form}
      submit={what === 'make' ? t('workspaces.create') : t('common.rename')}
    >
      {what === 'make' && <p>{t('workspaces.makeHelp')}</p>}
      <TextField
        {...form.field('name', t('common.name'))}
        {...(what === 'make' && { placeholder: t('workspaces.namePlaceholder') })}
        autoFocus
        maxLength={200}
      />
    </KeptDialog>
  );
}

/**
 * Dialog that deletes a workspace. No other deletion destroys more, so the user must type the name of the workspace.
 * If the user is in this workspace, the user is moved to another workspace first.
 */
function DeleteWorkspace({ workspace, me, onClose }: { workspace: AccessibleWorkspace; me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const sure = typed.trim() === workspace.name;
  const remove = useEdit({
    topics: ['settings', 'members'],
    run: async () => {
      const neighbour = me.accessible_workspaces.find(
        (w) => w.organization_id === workspace.organization_id && w.id !== workspace.id,
      );
      if (workspace.id === me.current_workspace_id && neighbour) {
        await navigate({ to: '/screens' });
        await goToWorkspace(neighbour.id);
      }
      return client.call(deleteWorkspace, { params: { id: workspace.id } });
    },
    said: () => t('common.deleted', { name: workspace.name }),
    done: onClose,
  });
  return (
    <FormDialog
      title={t('workspaces.deleteAsk', { name: workspace.name })}
      alert
      onClose={onClose}
      onSubmit={() => sure && remove.mutate()}
      submit={t('workspaces.deleteConfirm')}
      variant="danger"
      isDisabled={!sure}
      isPending={remove.isPending}
    >
      <p>{t('workspaces.deleteHelp', { count: workspace.device_count })}</p>
      <TextField
        label={t('workspaces.typeName', { name: workspace.name })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
    </FormDialog>
  );
}
