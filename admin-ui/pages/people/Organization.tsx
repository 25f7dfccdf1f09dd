import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Me } from '../../../shared/contract/people/auth.ts';
import {
  type OrganizationMember,
  removeOrganizationRole,
  setOrganizationRole,
  updateMember,
} from '../../../shared/contract/people/workspaces.ts';
import { Select } from '../../components/choices/Select.tsx';
import { IconButton } from '../../components/controls/Button.tsx';
import { Badge, Section } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import '../../components/lists/Table.css';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { membersQuery, organizationQuery } from '../../api/session/people.ts';
import { toast } from '../../components/controls/toasts.ts';

const roles = ['org_owner', 'org_admin', 'none'] as const;
type Role = (typeof roles)[number];
type Workspace = { id: string; name: string; organization_id: string };

/** List of all people of the organization, in any workspace. For its owners and administrators. */
export function Organization({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { t } = useTranslation();
  const id = workspace.organization_id;
  const query = useQuery(organizationQuery(id));
  const here = new Set(useQuery(membersQuery(workspace.id)).data?.map((member) => member.user_id));
  const change = useEdit<{ person: OrganizationMember; role: Role }>({
    topics: ['members', 'tokens'],
    run: ({ person, role }) => {
      const params = { id, userId: person.user_id };
      return role === 'none'
        ? client.call(removeOrganizationRole, { params })
        : client.call(setOrganizationRole, { params, body: { role } });
    },
    said: (_, { person, role }) =>
      t('people.roleChanged', { name: person.name, role: t(`people.organizationRoles.${role}`) }),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return false;
      toast({ tone: 'problem', text: t('people.lastOwner') });
      return true;
    },
  });
  const letIn = useEdit<OrganizationMember>({
    topics: ['members'],
    run: (person) =>
      client.call(updateMember, {
        params: { id: workspace.id, userId: person.user_id },
        body: { role: 'workspace_viewer' },
      }),
    said: (_, person) => t('people.letInDone', { name: person.name, workspace: workspace.name }),
  });
  const mayGive = me.is_platform_admin || me.current_org_role === 'org_owner';
  return (
    <Section
      title={t('people.organization')}
      lead={t('people.organizationLead', { organization: me.current_organization?.name ?? '' })}
    >
      <Unanswered query={query} />
      {query.data && (
        <ul className="table-box">
          {query.data.map((person) => (
            <li key={person.user_id} className="list-row people-row">
              <div className="row-what">
                <strong>
                  {person.name} {person.user_id === me.id && <Badge tone="info">{t('people.you')}</Badge>}
                </strong>
                <small>{person.email}</small>
              </div>
              {mayGive ? (
                <div className="people-role">
                  <Select
                    label={t('people.organizationRole', { name: person.name })}
                    hideLabel
                    value={person.role ?? 'none'}
                    options={roles.map((value) => ({
                      value,
                      label: t(`people.organizationRoles.${value}`),
                      hint: t(`people.organizationRoleHints.${value}`),
                    }))}
                    onChange={(role) => role !== (person.role ?? 'none') && change.mutate({ person, role })}
                  />
                </div>
              ) : (
                <Badge>{t(`people.organizationRoles.${person.role ?? 'none'}`)}</Badge>
              )}
              {here.has(person.user_id) ? (
                <span className="people-no-menu" />
              ) : (
                <IconButton
                  icon={UserPlus}
                  label={t('people.letIn', { name: person.name, workspace: workspace.name })}
                  onPress={() => letIn.mutate(person)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
