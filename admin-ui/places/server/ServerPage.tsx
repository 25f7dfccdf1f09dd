import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Bone, Notice } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { serverStatusQuery, upkeepQuery } from '../../data/server.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { SettingsPage } from '../../parts/SettingsPage.tsx';
import { BackupPlan } from './BackupPlan.tsx';
import { Backups } from './Backups.tsx';
import { Keeping } from './Keeping.tsx';
import { LogTail } from './LogTail.tsx';
import { NameAndDoor } from './NameAndDoor.tsx';
import { Notices } from './Notices.tsx';
import './server.css';
import { ServerFacts } from './ServerFacts.tsx';
import { StorageUse } from './StorageUse.tsx';

/** The box itself: how it is, where it is reached, what it keeps, and whom it tells when something is wrong. */
export function ServerPage() {
  const { t } = useTranslation();
  return (
    <SettingsPage title={t('server.title')} lead={t('server.lead')} needs="server">
      {() => <Everything />}
    </SettingsPage>
  );
}

function Everything() {
  const { t } = useTranslation();
  const query = useQuery(serverStatusQuery);
  const upkeep = useQuery(upkeepQuery).data;
  const status = query.data;
  return (
    <>
      {query.isError && !status && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {status?.problems.map((problem) => (
        <Notice
          key={problem.code}
          tone={problem.code === 'disk_full' || problem.code === 'media_damaged' || problem.code === 'keys_missing' ? 'bad' : 'warn'}
          title={t(`server.problems.${problem.code}`)}
        >
          {problem.text}
        </Notice>
      ))}
      <NameAndDoor />
      {status ? <ServerFacts status={status} /> : <Bone height="14rem" radius="var(--r-l)" />}
      {status && <StorageUse storage={status.storage} />}
      <Backups>{upkeep && <BackupPlan settings={upkeep} />}</Backups>
      {upkeep && <Keeping settings={upkeep} />}
      {upkeep && <Notices settings={upkeep} />}
      {status && <LogTail log={status.log} />}
    </>
  );
}
