import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, updateCampaign } from '../../../shared/contract/headquarters/campaigns.ts';
import { campaignQuery } from '../../api/chain/campaigns.ts';
import { refusalOf } from '../../api/editing/useForm.utils.ts';
import { playlistQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { useMayPlanChain } from '../../api/session/me.ts';
import { useHistory } from '../../components/hooks/useHistory.ts';
import { useSave } from '../../domain/saving/useSave.ts';
import { changeOf, draftOf, mistakesIn } from './campaigns.utils.ts';

const NOTHING: Readonly<Record<string, string>> = {};

/** Hook for a campaign in the editor: its draft, its mistakes, and saving. */
export const useCampaign = (campaign: Campaign, etag: string | undefined) => {
  const { t } = useTranslation();
  const mayPlan = useMayPlanChain();
  const stored = draftOf(campaign);
  const history = useHistory(stored, etag);
  const { playlist_id: playlistId } = history.value;
  const playlist = useQuery({ ...playlistQuery(playlistId ?? ''), enabled: playlistId !== null }).data?.playlist;
  const [asked, setAsked] = useState(false);
  const [refusals, setRefusals] = useState(NOTHING);
  const mistakes = mistakesIn(history.value, undefined);
  const save = useSave({
    topics: ['campaigns'],
    draft: history,
    run: () =>
      client.request(updateCampaign, {
        params: { id: campaign.id },
        body: changeOf(history.value, stored),
        ifMatch: history.ifMatch,
      }),
    queryKey: campaignQuery(campaign.id).queryKey,
    cached: ({ data, etag: next }) => ({ campaign: data, etag: next }),
    saved: t(campaign.phases === null ? 'campaign.saved' : 'campaign.savedRunning'),
    refused: (error) => {
      // Status 409 always means that another campaign has the same name.
      const said = error.status === 409 ? { name: error.message } : refusalOf(error);
      if (said) setRefusals(said);
      return said !== undefined;
    },
  });
  const submit = () => {
    setAsked(true);
    setRefusals(NOTHING);
    if (mistakes.count === 0) save.mutate(undefined, { onSuccess: () => setAsked(false) });
  };
  return {
    mayPlan,
    history,
    playlist,
    mistakes: asked ? mistakes : undefined,
    refusals,
    isPending: save.isPending,
    submit,
  };
};
