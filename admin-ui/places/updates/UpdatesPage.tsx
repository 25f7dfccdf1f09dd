import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Bone, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { releasesQuery, rolloutsQuery } from '../../data/updates.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { Releases } from './Releases.tsx';
import { RolloutCard } from './RolloutCard.tsx';
import './updates.css';
import { isOpen } from './updates.utils.ts';

/** New versions of the player: uploaded once, then brought to the screens, one first. */
export function UpdatesPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('updates.title')} lead={t('updates.lead')} narrow>
      <Everything />
    </Page>
  );
}

function Everything() {
  const { t } = useTranslation();
  const releases = useQuery(releasesQuery);
  const rollouts = useQuery(rolloutsQuery).data;
  if (releases.isError && !releases.data) return <QueryFailure {...describeProblem(releases.error, t)} onRetry={() => void releases.refetch()} />;
  if (!releases.data || !rollouts) return <Bone height="14rem" radius="var(--r-l)" />;
  const [newest] = rollouts;
  return (
    <>
      {newest && <RolloutCard key={newest.id} id={newest.id} />}
      <Releases releases={releases.data} busy={rollouts.some(isOpen)} />
    </>
  );
}
