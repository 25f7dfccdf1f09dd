import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Name } from '../../../shared/contract/fields.ts';
import { type Campaign, createCampaign } from '../../../shared/contract/headquarters/campaigns.ts';
import { DAY_MS } from '../../../shared/program/civil.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { newCampaign } from './campaigns.utils.ts';

const Named = z.object({ name: Name });

/** Returns the present day in the time zone of the browser, as a day number (civil.ts). */
const today = (): number => {
  const now = new Date(serverNow());
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY_MS;
};

/** Dialog that asks for the name of a new campaign. All other settings are on the campaign's page. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { regions } = useMe().rights;
  const own = (regions ?? []).filter(({ role }) => role !== 'workspace_viewer').map(({ region }) => region);
  const form = useForm<{ name: string }, Campaign>({
    place: 'campaigns/new',
    start: { name: '' },
    schema: Named,
    topics: ['campaigns'],
    run: ({ name }) => client.call(createCampaign, { body: newCampaign(name.trim(), today(), own) }),
    done: ({ id }) => {
      onClose();
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
    },
  });
  return (
    <NewRecord
      title={t('campaigns.new')}
      form={form}
      lead={t('campaigns.newLead')}
      placeholder={t('campaigns.namePlaceholder')}
      onClose={onClose}
    />
  );
}
