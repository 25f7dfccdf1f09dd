import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../shared/contract/campaigns.ts';
import { Notice } from '../../components/Page.tsx';
import { campaignValuesQuery } from '../../data/campaigns.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** Values that the campaign shows and stores lack: these would refuse it. */
export function Lacking({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = useQuery(campaignValuesQuery(campaign.id)).data ?? [];
  const needed = rows.filter(({ is_needed, lacking }) => is_needed && lacking > 0);
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
