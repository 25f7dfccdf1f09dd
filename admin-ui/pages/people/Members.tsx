import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { type Member, removeMember, updateMember } from '../../../shared/contract/people/workspaces.ts';
import { Select } from '../../components/choices/Select.tsx';
import { IconButton } from '../../components/controls/Button.tsx';
import { ConfirmDialog } from '../../components/controls/Dialog.tsx';
import { Badge, Notice, Section } from '../../components/frame/Page.tsx';
import { FewRows } from '../../domain/records/FewRows.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import '../../components/lists/Table.css';
import { useEdit } from '../../api/editing/useEdit.ts';
import { foldersQuery } from '../../api/files/content.ts';
import { groupsQuery } from '../../api/groups.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { membersQuery } from '../../api/session/people.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { pathsOf, type Role, type Row, rightsInWords, roles } from './people.utils.ts';
import { RightsDialog } from './RightsDialog.tsx';

type Workspace = { id: string; name: string };
type Asking = { member: Member; role: Role | null };
type Names = { readonly folders: readonly Row[]; readonly groups: readonly Row[] };

export function Members({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { t } = useTranslation();
  const query = useQuery(membersQuery(workspace.id));
  const [asking, setAsking] = useState<Asking>();
  const [giving, setGiving] = useState<Member>();
  const isNarrowed =
    query.data?.some(({ folder_ids, group_ids }) => folder_ids !== null || group_ids !== null) ?? false;
  const folders = useQuery({ ...foldersQuery, enabled: isNarrowed }).data ?? [];
  const groups = useQuery({ ...groupsQuery, enabled: isNarrowed }).data ?? [];
  const names = { folders: pathsOf(folders), groups };
  const change = useEdit<{ member: Member; role: Role }, Member>({
    topics: ['members'],
    run: ({ member, role }) =>
      client.call(updateMember, { params: { id: workspace.id, userId: member.user_id }, body: { role } }),
    said: (member) => t('people.roleChanged', { name: member.name, role: t(`people.roles.${member.role}`) }),
    done: () => setAsking(undefined),
  });
  const remove = useEdit<Member>({
    topics: ['members', 'tokens'],
    run: (member) => client.call(removeMember, { params: { id: workspace.id, userId: member.user_id } }),
    said: (_, member) => t('people.removed', { name: member.name }),
    done: () => setAsking(undefined),
  });
  // Administrators of the organization or of the server keep their rights, whatever role they have in the workspace.
  const keepsAdmin = me.current_org_role !== null || me.is_platform_admin;
  const choose = (member: Member, role: Role) => {
    if (role === member.role) return;
    if (member.user_id === me.id && member.role === 'workspace_admin' && !keepsAdmin) setAsking({ member, role });
    else change.mutate({ member, role });
  };
  return (
    <Section title={t('people.members')} lead={t('people.membersLead')}>
      <Unanswered query={query} />
      {query.data?.length === 0 && <Notice tone="info" title={t('people.noMembers')} />}
      {query.data && query.data.length > 0 && (
        <FewRows label={t('people.members')} rows={query.data} textOf={({ name, email }) => `${name} ${email}`}>
          {(member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isMe={member.user_id === me.id}
              names={names}
              onRights={() => setGiving(member)}
              onRole={(role) => choose(member, role)}
              onRemove={() => setAsking({ member, role: null })}
            />
          )}
        </FewRows>
      )}
      {giving && (
        <RightsDialog
          key={giving.user_id}
          member={giving}
          workspaceId={workspace.id}
          onClose={() => setGiving(undefined)}
        />
      )}
      {asking && (
        <ConfirmDialog
          title={
            asking.role
              ? t('people.demoteSelf')
              : t('people.removeAsk', { name: asking.member.name, workspace: workspace.name })
          }
          confirm={asking.role ? t('people.demoteSelfConfirm') : t('common.remove')}
          danger
          isPending={change.isPending || remove.isPending}
          onConfirm={() =>
            asking.role ? change.mutate({ member: asking.member, role: asking.role }) : remove.mutate(asking.member)
          }
          onClose={() => setAsking(undefined)}
        >
          <p>
            {asking.role
              ? t('people.demoteSelfHelp')
              : asking.member.user_id === me.id && !keepsAdmin
                ? t('people.leaveHelp')
                : t('people.removeHelp')}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function MemberRow({
  member,
  isMe,
  names,
  onRights,
  onRole,
  onRemove,
}: {
  member: Member;
  isMe: boolean;
  names: Names;
  onRights: () => void;
  onRole: (role: Role) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  // Only the rights of editors can be limited.
  const isEditor = member.role === 'workspace_editor';
  const { headquarters } = useMe();
  const hasRights = isEditor || (headquarters && member.role === 'workspace_viewer');
  return (
    <li className="list-row people-row">
      <div className="row-what">
        <strong>
          {member.name} {isMe && <Badge tone="info">{t('people.you')}</Badge>}
        </strong>
        <small>
          {member.email} · {t('people.since', { date: format.date(member.created_at) })}
        </small>
        {hasRights && <RightsWords member={member} names={names} />}
      </div>
      <div className="people-role">
        <Select
          label={t('people.role', { name: member.name })}
          hideLabel
          value={member.role}
          options={roles.map((value) => ({
            value,
            label: t(`people.roles.${value}`),
            hint: t(`people.roleHints.${value}`),
          }))}
          onChange={onRole}
        />
      </div>
      <IconButton
        icon={ShieldCheck}
        label={t('rights.edit', { name: member.name })}
        isDisabled={!hasRights}
        onPress={onRights}
      />
      <IconButton icon={UserMinus} label={t('people.removeMember', { name: member.name })} onPress={onRemove} />
    </li>
  );
}

function RightsWords({ member, names }: { member: Member; names: Names }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = rightsInWords(member, names).map((word) => {
    if (!('names' in word)) return t(`rights.words.${word.say}`);
    const more = word.more > 0 ? [t('rights.words.more', { count: word.more })] : [];
    return t(`rights.words.${word.say}`, { names: format.list([...word.names, ...more]) });
  });
  return words.length > 0 && <small className="people-rights">{words.join(' · ')}</small>;
}
