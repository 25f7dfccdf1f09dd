import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Group } from '../../../shared/contract/groups.ts';
import { ButtonLink } from '../../components/Button.tsx';
import { Bone, Page, Section } from '../../components/Page.tsx';
import { groupsQuery } from '../../data/groups.ts';
import { useCanWrite } from '../../data/me.ts';
import { targetKey } from '../../data/targets.ts';
import { RecordPage } from '../../parts/RecordPage.tsx';
import { Commands } from './Commands.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupPlaylist } from './GroupPlaylist.tsx';
import { GroupSettings } from './GroupSettings.tsx';
import './groups.css';
import { Members } from './Members.tsx';

export function GroupPage() {
  const { t } = useTranslation();
  const { groupId } = useParams({ from: '/shell/groups/$groupId' });
  const query = useQuery(groupsQuery);
  const group = query.data?.find((g) => g.id === groupId);
  return (
    <RecordPage
      query={query}
      record={group}
      list={{ to: '/groups', label: t('group.all') }}
      isMissing={query.data !== undefined && !group}
      bones={<Bone height="20rem" radius="var(--r-xl)" />}
    >
      {(record, back) => <GroupDetail key={record.id} group={record} back={back} />}
    </RecordPage>
  );
}

function GroupDetail({ group, back }: { group: Group; back: ReactNode }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  return (
    <Page
      before={back}
      title={
        <span className="group-title" style={{ '--group': group.color } as CSSProperties}>
          {group.name}
        </span>
      }
      lead={t('groups.screens', { count: group.device_count })}
      actions={
        <ButtonLink to="/schedule" search={{ for: targetKey({ kind: 'group', id: group.id }) }} icon={CalendarDays}>
          {t('group.schedule')}
        </ButtonLink>
      }
    >
      <div className="group-page">
        <div className="column">
          <Members group={group} canWrite={canWrite} />
          {canWrite && (
            <Section title={t('group.commands')} lead={t('group.commandsLead')}>
              <Commands group={group} />
            </Section>
          )}
        </div>
        <div className="column">
          <Section title={t('group.plays')}>
            <GroupPlaylist group={group} canWrite={canWrite} />
          </Section>
          {canWrite && (
            <Section title={t('group.settings')}>
              <GroupSettings key={`${group.name} ${group.color}`} group={group} />
            </Section>
          )}
          {canWrite && <DeleteGroup group={group} />}
        </div>
      </div>
    </Page>
  );
}
