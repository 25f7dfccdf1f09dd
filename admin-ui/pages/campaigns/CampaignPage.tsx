import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, deleteCampaign } from '../../../shared/contract/headquarters/campaigns.ts';
import { campaignQuery } from '../../api/chain/campaigns.ts';
import { client } from '../../api/requests/client.ts';
import { hitQuery } from '../../api/requests/search.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { DangerZone } from '../../components/frame/DangerZone.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Bone, Notice, Page } from '../../components/frame/Page.tsx';
import { ConflictNotice, SaveButtons } from '../../components/frame/SaveBar.tsx';
import { useUndoKeys } from '../../components/keyboard/useUndoKeys.ts';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';
import { KeptChanges } from '../../domain/saving/KeptNotice.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { CampaignForm } from './CampaignForm.tsx';
import { CampaignPlays } from './CampaignPlays.tsx';
import './campaigns.css';
import { PARTS, type Part, partOf } from './campaigns.utils.ts';
import { DryRunCard } from './DryRunCard.tsx';
import { Editions } from './Editions.tsx';
import { InStores } from './InStores.tsx';
import { StartButtons, StartNotices } from './StartButtons.tsx';
import { StateBadges } from './StateBadges.tsx';
import { useCampaign } from './useCampaign.ts';
import { useCampaignWords } from './useCampaignWords.ts';

export function CampaignPage() {
  const { t } = useTranslation();
  const { campaignId } = useParams({ from: '/shell/campaigns/$campaignId' });
  const query = useQuery(campaignQuery(campaignId));
  return (
    <RecordPage
      query={query}
      record={query.data}
      name={query.data?.campaign.name}
      list={{ to: '/campaigns', label: t('nav.campaigns') }}
      bones={<Bone height="24rem" radius="var(--r-l)" />}
    >
      {({ campaign, etag }, back) => <CampaignDetail key={campaignId} campaign={campaign} etag={etag} back={back} />}
    </RecordPage>
  );
}

type DetailProps = { campaign: Campaign; etag: string | undefined; back: ReactNode };

/**
 * Page of a campaign with the tabs settings, progress and editions. Unsaved changes stay while the user switches
 * between tabs.
 */
function CampaignDetail({ campaign, etag, back }: DetailProps) {
  const { t } = useTranslation();
  const words = useCampaignWords();
  const { part: asked } = useSearch({ from: '/shell/campaigns/$campaignId' });
  const navigate = useNavigate({ from: '/campaigns/$campaignId' });
  const editing = useCampaign(campaign, etag);
  const { history, mayPlan, mistakes } = editing;
  useUndoKeys(history);
  const part = partOf(asked as string | undefined, campaign);
  const parts = PARTS.filter((one) => (one === 'stores' ? campaign.phases !== null : true));
  return (
    <Page
      before={back}
      title={campaign.name}
      lead={
        <span className="campaign-lead">
          <StateBadges campaign={campaign} />
          {[t(`campaigns.rank.${campaign.rank}`), words.days(campaign)].join(' · ')}
        </span>
      }
      actions={
        mayPlan && (
          <>
            {(part === 'edit' || history.dirty) && (
              <SaveButtons draft={history} isPending={editing.isPending} onSave={editing.submit} />
            )}
            <StartButtons campaign={campaign} etag={etag} isDirty={history.dirty} />
          </>
        )
      }
    >
      <LeaveGuard when={history.dirty} />
      {mayPlan && <KeptChanges place={`campaigns/${campaign.id}`} draft={history} />}
      <ConflictNotice draft={history} words="draft" />
      {mistakes !== undefined && mistakes.count > 0 && (
        <Notice tone="bad" title={t('campaign.mistakes', { count: mistakes.count })} />
      )}
      <StartNotices campaign={campaign} etag={etag} />
      {campaign.edition !== null && (
        <div className="toolbar">
          <Segments<Part>
            label={t('campaign.parts')}
            value={part}
            onChange={(next) => void navigate({ search: { part: next }, replace: true })}
            options={parts.map((value) => ({ value, label: t(`campaign.part.${value}`) }))}
          />
        </div>
      )}
      {part === 'stores' && <InStores campaign={campaign} />}
      {part === 'plays' && <CampaignPlays campaign={campaign} />}
      {part === 'editions' && <Editions campaign={campaign} etag={etag} />}
      {part === 'edit' && (
        <div className="campaign-page">
          {mayPlan ? (
            <CampaignForm
              history={history}
              playlist={editing.playlist}
              mistakes={mistakes}
              refusals={editing.refusals}
            />
          ) : (
            <div className="column">
              <Notice tone="info" title={t('campaign.readOnly')} />
              <CampaignFacts campaign={campaign} />
            </div>
          )}
          <div className="column campaign-side">
            <DryRunCard campaign={campaign} isDirty={history.dirty} mayAsk={mayPlan} />
            {mayPlan && <RemoveCampaign campaign={campaign} etag={etag} />}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Read-only settings of a campaign, for users who may only view. */
function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useCampaignWords();
  const { playlist_id, layout_id, slots } = campaign;
  const playlist = useQuery({ ...hitQuery('playlist', playlist_id ?? ''), enabled: playlist_id !== null });
  const layout = useQuery({ ...hitQuery('layout', layout_id ?? ''), enabled: layout_id !== null });
  return (
    <div className="card pad">
      <Unanswered query={playlist} />
      <Facts
        facts={[
          [t('campaign.playlist'), playlist.data?.name ?? null],
          [t('campaign.on'), layout.data?.name ?? t(`campaign.shape.${campaign.whole_screen ? 'whole' : 'zone'}`)],
          [t('campaign.when'), words.period(campaign)],
          [t('campaign.begins'), t(`campaign.beginsOf.${campaign.begins}`)],
          [t('campaign.where'), words.where(campaign.where)],
          [t('campaign.screens'), words.screens(campaign)],
          [t('campaign.rank'), t(`campaigns.rank.${campaign.rank}`)],
          [t('campaign.slots'), slots.length > 0 ? format.list(slots.map(({ name }) => name)) : null],
          [t('campaign.note'), campaign.note || null],
          [
            t('campaign.lastChange'),
            t('campaign.changedBy', { when: format.dateTime(campaign.updated_at), name: campaign.changed_by }),
          ],
        ]}
      />
    </div>
  );
}

function RemoveCampaign({ campaign, etag }: { campaign: Campaign; etag: string | undefined }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { id, name } = campaign;
  const isLive = campaign.phases !== null;
  return (
    <DangerZone title={t('campaign.removeTitle')} lead={t(isLive ? 'campaign.removeRunning' : 'campaign.removeLead')}>
      <Button variant="danger-quiet" isDisabled={isLive} onPress={() => setAsking(true)}>
        {t('campaign.remove')}
      </Button>
      {asking && (
        <DeleteRecord
          topics={['campaigns']}
          run={() => client.call(deleteCampaign, { params: { id }, ifMatch: etag })}
          to="/campaigns"
          title={t('campaign.removeAsk', { name })}
          confirm={t('campaign.remove')}
          said={() => t('campaign.removed', { name })}
          onClose={() => setAsking(false)}
        >
          <p>{t('campaign.removeEffects')}</p>
        </DeleteRecord>
      )}
    </DangerZone>
  );
}
