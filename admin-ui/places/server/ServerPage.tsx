import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone, Notice, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { isFirstAsked } from '../../data/firstAsked.ts';
import { connectionsQuery, serverStatusQuery, upkeepQuery } from '../../data/server.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { Exchange } from '../../parts/Exchange.tsx';
import { BackupPlan } from './BackupPlan.tsx';
import { Backups } from './Backups.tsx';
import { DoubtedClock } from './DoubtedClock.tsx';
import { Https } from './Https.tsx';
import { Keeping } from './Keeping.tsx';
import { LogTail } from './LogTail.tsx';
import { Mail } from './Mail.tsx';
import { NameAndDoor } from './NameAndDoor.tsx';
import { Names } from './Names.tsx';
import { Notices } from './Notices.tsx';
import { Providers } from './Providers.tsx';
import { RemoteHosts } from './RemoteHosts.tsx';
import { ServerCard } from './ServerCard.tsx';
import { ServerContents } from './ServerContents.tsx';
import { partId, type ServerPart, serverParts } from './server.parts.ts';
import './server.css';
import { ServerFacts } from './ServerFacts.tsx';
import { StorageUse } from './StorageUse.tsx';

/** What loses something, or may. */
const BAD: ReadonlySet<string> = new Set(['database_damaged', 'database_failing', 'disk_full', 'media_damaged', 'keys_missing', 'https_failing']);

/** The box itself: how it is, where it is reached, what it keeps, and whom it tells when something is wrong. */
export function ServerPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('server.title')} lead={t('server.lead')} narrow>
      <Everything />
    </Page>
  );
}

function Everything() {
  const { t } = useTranslation();
  const query = useQuery(serverStatusQuery);
  const upkeepAsked = useQuery(upkeepQuery);
  const connectionsAsked = useQuery(connectionsQuery);
  const [status, upkeep, connections] = [query.data, upkeepAsked.data, connectionsAsked.data];
  const { part } = useSearch({ from: '/shell/tabs/settings/server' });
  const isThere = status !== undefined && upkeep !== undefined && connections !== undefined;
  useEffect(() => {
    // Parts above it would push it away again while they come.
    if (isThere && serverParts.includes(part as ServerPart)) document.getElementById(partId(part as ServerPart))?.scrollIntoView();
  }, [isThere, part]);
  // All at once: a card that comes late pushes those below away from whoever reads them.
  if ([query, upkeepAsked, connectionsAsked].some(isFirstAsked)) return ['8rem', '20rem', '14rem'].map((height) => <Bone key={height} height={height} radius="var(--r-l)" />);
  return (
    <>
      <ServerContents current={part} />
      {query.isError && !status && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {status && <DoubtedClock clock={status.clock} />}
      {status?.problems
        .filter(({ code }) => code !== 'clock_doubtful')
        .map((problem) => (
          <Notice key={problem.text} tone={BAD.has(problem.code) ? 'bad' : 'warn'} title={t(`server.problems.${problem.code}`)}>
            {problem.text}
          </Notice>
        ))}
      <NameAndDoor />
      {status && <ServerFacts status={status} />}
      <Names />
      {status && <Https status={status} />}
      {status && <StorageUse storage={status.storage} />}
      <Backups>{upkeep && <BackupPlan settings={upkeep} />}</Backups>
      {upkeep && <Keeping settings={upkeep} />}
      <ServerCard part="exchange" title={t('exchange.title')} lead={t('exchange.lead')}>
        <Exchange />
      </ServerCard>
      {connections && <Mail settings={connections} />}
      {upkeep && <Notices settings={upkeep} />}
      {connections && <Providers settings={connections} />}
      {connections && <RemoteHosts settings={connections} />}
      {status && <LogTail log={status.log} />}
    </>
  );
}
