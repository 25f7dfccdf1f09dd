import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Campaign, CampaignValues } from '../../../shared/contract/headquarters/campaigns.ts';
import { campaignValuesQuery } from '../../api/chain/campaigns.ts';
import { Notice } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** Returns the values that the campaign uses and that some stores lack. */
export const useLacking = ({ id }: Pick<Campaign, 'id'>): CampaignValues => {
  const rows = useQuery(campaignValuesQuery(id)).data ?? [];
  return rows.filter(({ is_needed, lacking }) => is_needed && lacking > 0);
};

/** @param needed values without which stores would refuse the campaign */
export function Lacking({ needed }: { needed: CampaignValues }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (needed.length === 0) return null;
  return (
    <Notice tone="bad" title={t('campaign.lacking')}>
      <ul>
        {needed.map(({ name, lacking, stores }) => {
          const names = stores.map((one) => one.name);
          const more = lacking - names.length;
          const said = more > 0 ? [...names, t('stores.map.more', { count: more })] : names;
          return <li key={name}>{t('campaign.lackingIn', { name, stores: format.list(said) })}</li>;
        })}
      </ul>
      <p>{t('campaign.lackingHelp')}</p>
    </Notice>
  );
}
