import { useQuery } from '@tanstack/react-query';
import { Check, CircleStop, Send, Stamp, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Campaign,
  refuseCampaign,
  startCampaign,
  stopCampaign,
  updateCampaign,
} from '../../../shared/contract/headquarters/campaigns.ts';
import { campaignEditionsQuery, dryRunQuery } from '../../api/chain/campaigns.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { useMayPlanChain, useMe } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { AnswerField } from '../../domain/people/AnswerField.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { useReach } from './CampaignForm.tsx';
import { differences, isCurrent } from './campaigns.utils.ts';
import { Lacking, useLacking } from './Lacking.tsx';
import { useCampaignWords } from './useCampaignWords.ts';

type Props = { campaign: Campaign; etag: string | undefined };
/** The kind of start that the user can do now. */
type Starting = 'start' | 'startAgain' | 'request' | 'approve';

/** Returns the kind of start that the user can do now; undefined if there is none. */
const useStarting = ({ state, is_changed, is_stale, edition, phases, asked_by_id }: Campaign): Starting | undefined => {
  const me = useMe();
  if (is_stale) return me.needs_approval ? 'request' : undefined;
  if (state === 'waiting') return me.needs_approval || asked_by_id === me.id ? undefined : 'approve';
  if (phases !== null && !is_changed) return undefined;
  if (me.needs_approval) return 'request';
  return edition === null ? 'start' : 'startAgain';
};

const ICONS = { start: Send, startAgain: Send, request: Stamp, approve: Check } as const;

/** Buttons to send the campaign to stores, and to withdraw it from them. */
export function StartButtons({ campaign, etag, isDirty }: Props & { isDirty: boolean }) {
  const { t } = useTranslation();
  const starting = useStarting(campaign);
  const [asking, setAsking] = useState<'start' | 'stop'>();
  const isEmpty = campaign.playlist_id === null && campaign.layout_id === null;
  const close = () => setAsking(undefined);
  return (
    <>
      {campaign.phases !== null && (
        <Button icon={CircleStop} onPress={() => setAsking('stop')}>
          {t('campaign.stop')}
        </Button>
      )}
      {starting && (
        <Button
          icon={ICONS[starting]}
          variant={isDirty ? 'secondary' : 'primary'}
          isDisabled={isDirty || isEmpty}
          onPress={() => setAsking('start')}
        >
          {t(`campaign.${starting}`)}
        </Button>
      )}
      {asking === 'start' && starting && (
        <StartDialog campaign={campaign} etag={etag} starting={starting} onClose={close} />
      )}
      {asking === 'stop' && (
        <ConfirmEdit<Campaign>
          title={t('campaign.stopAsk', { name: campaign.name })}
          confirm={t('campaign.stop')}
          danger
          topics={['campaigns']}
          run={() => client.call(stopCampaign, { params: { id: campaign.id }, ifMatch: etag })}
          said={() => t('campaign.stopped', { name: campaign.name })}
          onClose={close}
        >
          <p>{t('campaign.stopEffects', { count: campaign.stores })}</p>
          <p>{t('campaign.stopDown')}</p>
          <p>{t('campaign.stopStays')}</p>
        </ConfirmEdit>
      )}
    </>
  );
}

function StartDialog({ campaign, etag, starting, onClose }: Props & { starting: Starting; onClose: () => void }) {
  const { t } = useTranslation();
  const words = useCampaignWords();
  const { id, name, rank, edition } = campaign;
  const reach = useReach(campaign);
  const lacking = useLacking(campaign);
  return (
    <ConfirmEdit<Campaign>
      title={t(`campaign.${starting}Ask`, { name })}
      confirm={t(`campaign.${starting}`)}
      topics={['campaigns', 'approvals']}
      // `lacking` confirms that values are missing; the dialog lists these values below.
      run={() => client.call(startCampaign, { params: { id }, body: { lacking: lacking.length > 0 }, ifMatch: etag })}
      said={({ state }) => t(state === 'waiting' ? 'campaign.requested' : 'campaign.started', { name })}
      onClose={onClose}
    >
      {starting === 'request' && <p>{t('campaign.requestHelp')}</p>}
      {reach && (
        <p>
          <strong>{t('campaign.goesTo', { count: reach.stores })}</strong>{' '}
          {reach.down > 0 && t('campaign.goesDown', { count: reach.down })}
        </p>
      )}
      <Lacking needed={lacking} />
      <p>{t('campaign.shownWhen', { when: words.period(campaign) })}</p>
      {(rank === 'must' || rank === 'safety') && <Hides campaign={campaign} rank={rank} />}
      {campaign.phases !== null && edition !== null && <p>{t('campaign.replaces', { edition })}</p>}
    </ConfirmEdit>
  );
}

/** Maximum number of names in the confirmation. */
const NAMED = 6;

/** Says which content the stores would not show during the campaign. Known after a preview by the stores. */
function Hides({ campaign, rank }: { campaign: Campaign; rank: 'must' | 'safety' }) {
  const { t } = useTranslation();
  const format = useFormat();
  const run = useQuery(dryRunQuery(campaign.id)).data;
  const isKnown = run?.state === 'done' && isCurrent(run, campaign);
  const names = isKnown ? run.hidden.map(({ name }) => name) : [];
  const more = names.length - NAMED;
  const said = more > 0 ? [...names.slice(0, NAMED), t('campaign.hiddenMore', { count: more })] : names;
  return (
    <Notice tone="warn" title={t(`campaign.hides.${rank}`)}>
      {isKnown
        ? names.length > 0
          ? t('campaign.hidesThese', { names: format.list(said) })
          : t('campaign.hiddenNone')
        : t('campaign.hidesUnknown')}
    </Notice>
  );
}

/** Notice that a campaign waits for approval, was refused, or has changes that are not in the stores. */
export function StartNotices({ campaign, etag }: Props) {
  const { state } = campaign;
  if (state === 'waiting') return <Waits campaign={campaign} etag={etag} />;
  if (campaign.refused !== null) return <Refused refused={campaign.refused} />;
  return state === 'running' && campaign.is_changed ? <Changed campaign={campaign} /> : null;
}

function Waits({ campaign, etag }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const mayPlan = useMayPlanChain();
  const { id, asked_by: name, asked_by_id, is_stale } = campaign;
  const isMine = asked_by_id === me.id;
  const withdraw = useEdit({
    topics: ['campaigns', 'approvals'],
    // An empty change withdraws the request, since a changed campaign no longer waits for approval.
    run: () => client.call(updateCampaign, { params: { id }, body: {}, ifMatch: etag }),
    said: () => t('campaign.withdrawn'),
  });
  return (
    <Notice
      tone={is_stale ? 'warn' : 'info'}
      title={
        is_stale
          ? t('campaign.stale', { name })
          : name === null
            ? t('campaign.waitsUnknown')
            : isMine
              ? t('campaign.waitsMine')
              : t('campaign.waits', { name })
      }
      actions={
        mayPlan &&
        (isMine ? (
          <Button size="small" icon={Undo2} isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
            {t('campaign.withdraw')}
          </Button>
        ) : (
          me.rights.approves && <Refuse campaign={campaign} etag={etag} />
        ))
      }
    >
      {t(is_stale ? 'campaign.staleHelp' : 'campaign.waitsHelp')}
    </Notice>
  );
}

function Refuse({ campaign: { id, name, asked_by }, etag }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState('');
  const who = asked_by ?? '';
  const close = () => setAsking(false);
  const refuse = useEdit({
    topics: ['campaigns', 'approvals'],
    run: () => client.call(refuseCampaign, { params: { id }, body: { answer }, ifMatch: etag }),
    said: () => t('campaign.refusedDone', { name }),
    done: close,
    failed: () => {
      close();
      return false;
    },
  });
  return (
    <>
      <Button size="small" icon={X} onPress={() => setAsking(true)}>
        {t('approval.refuse')}
      </Button>
      {asking && (
        <FormDialog
          title={t('campaign.refuseAsk', { name })}
          onClose={close}
          onSubmit={() => refuse.mutate()}
          submit={t('approval.refuse')}
          variant="danger"
          isPending={refuse.isPending}
        >
          <p>{t('campaign.refuseHelp', { who })}</p>
          <AnswerField who={who} answer={answer} onChange={setAnswer} autoFocus />
        </FormDialog>
      )}
    </>
  );
}

function Refused({ refused: { asked_by, by, at, answer } }: { refused: NonNullable<Campaign['refused']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Notice tone="warn" title={t('campaign.wasRefused', { who: by, when: format.dateTime(at) })}>
      {answer && <p className="campaign-answer">“{answer}”</p>}
      <p>{t('campaign.wasRefusedHelp', { name: asked_by })}</p>
    </Notice>
  );
}

function Changed({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const words = useCampaignWords();
  const [edition] = useQuery(campaignEditionsQuery(campaign.id)).data ?? [];
  const found = edition ? differences(edition.body, campaign) : [];
  return (
    <Notice tone="warn" title={t('campaign.isChanged', { edition: campaign.edition ?? 0 })}>
      {found.length > 0
        ? t('campaign.isChangedHelp', { what: words.differences(found) })
        : t('campaign.isChangedStart')}
    </Notice>
  );
}
