import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CalendarDays, ChevronLeft } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Group } from '../../../shared/contract/groups.ts';
import { NothingFoundArt } from '../../components/Art.tsx';
import { ButtonLink } from '../../components/Button.tsx';
import { Bone, Empty, Page, Section } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { groupsQuery } from '../../data/groups.ts';
import { useCanWrite } from '../../data/me.ts';
import { targetKey } from '../../data/targets.ts';
import { describeProblem } from '../../data/useProblem.ts';
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
  if (query.isError && !query.data) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (query.data && !group) {
    return (
      <div className="page">
        <Empty
          art={<NothingFoundArt />}
          title={t('app.notFound')}
          actions={
            <ButtonLink to="/groups" variant="primary">
              {t('group.all')}
            </ButtonLink>
          }
        >
          {t('app.notFoundHelp')}
        </Empty>
      </div>
    );
  }
  return group ? (
    <GroupDetail key={group.id} group={group} />
  ) : (
    <Page before={<Back />} title={<Bone width="14rem" />}>
      <Bone height="20rem" radius="var(--r-xl)" />
    </Page>
  );
}

function Back() {
  const { t } = useTranslation();
  return (
    <Link to="/groups" className="crumb">
      <ChevronLeft aria-hidden />
      {t('group.all')}
    </Link>
  );
}

function GroupDetail({ group }: { group: Group }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  return (
    <Page
      before={<Back />}
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
