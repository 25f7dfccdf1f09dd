import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../shared/contract/headquarters/campaigns.ts';
import { Badge } from '../../components/frame/Page.tsx';
import { toneOfState } from './campaigns.utils.ts';

/** Badges for the state of a campaign, and for changes that stores do not have yet. */
export function StateBadges({ campaign: { state, is_changed } }: { campaign: Pick<Campaign, 'state' | 'is_changed'> }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge tone={toneOfState[state]} dot>
        {t(`campaigns.state.${state}`)}
      </Badge>
      {state === 'running' && is_changed && <Badge tone="warn">{t('campaigns.changed')}</Badge>}
    </>
  );
}
