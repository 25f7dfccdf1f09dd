import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../shared/contract/campaigns.ts';
import { Badge } from '../../components/Page.tsx';
import { toneOfState } from './campaigns.utils.ts';

/** Says whether the campaign runs, and whether stores have its present version. */
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
