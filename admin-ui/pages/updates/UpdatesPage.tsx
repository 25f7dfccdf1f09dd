import { useQuery } from '@tanstack/react-query';
import { Check, CirclePause, CirclePlay, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  abortRollout,
  pauseRollout,
  type RolloutDetail,
  type RolloutDevice,
  resumeRollout,
} from '../../../shared/contract/server/updates.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { releasesQuery, rolloutQuery, rolloutsQuery } from '../../api/updates.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ConfirmDialog } from '../../components/controls/Dialog.tsx';
import { Badge, Bone, Notice, Page, Progress, Section, type Tone } from '../../components/frame/Page.tsx';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { worded } from '../../i18n/sentences.ts';
import { OwnUpdate } from './OwnUpdate.tsx';
import { Releases } from './Releases.tsx';
import { isOpen, stageState, stages } from './updates.utils.ts';
import '../../components/lists/ListRow.css';
import './updates.css';

/**
 * Page with new versions of the server and the player. A version is uploaded once, then installed on the server, and
 * on one screen first.
 */
export function UpdatesPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('updates.title')} lead={t('updates.lead')} narrow>
      <OwnUpdate />
      <Everything />
    </Page>
  );
}

function Everything() {
  const releases = useQuery(releasesQuery);
  const rollouts = useQuery(rolloutsQuery).data;
  if (releases.isError && !releases.data) return <QueryFailure query={releases} />;
  if (!releases.data || !rollouts) return <Bone height="14rem" radius="var(--r-l)" />;
  const [newest] = rollouts;
  return (
    <>
      {newest && <RolloutCard key={newest.id} id={newest.id} />}
      <Releases releases={releases.data} busy={rollouts.some(isOpen)} />
    </>
  );
}

const tones: Record<RolloutDetail['status'], Tone | undefined> = {
  running: 'info',
  paused: 'warn',
  stopped: 'bad',
  done: 'good',
  aborted: undefined,
};
const deviceTones: Record<RolloutDevice['status'], Tone | undefined> = {
  waiting: undefined,
  told: 'info',
  healthy: 'good',
  failed: 'bad',
  unsupported: 'warn',
};
const ways = { pause: pauseRollout, resume: resumeRollout, abort: abortRollout } as const;

/** Card with the progress of a rollout: its stages, and each screen. */
function RolloutCard({ id }: { id: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const rollout = useQuery(rolloutQuery(id)).data;
  const act = useEdit({
    topics: ['settings'],
    run: (way: keyof typeof ways) => client.call(ways[way], { params: { id } }),
    done: () => setAsking(false),
  });
  if (!rollout) return <Bone height="16rem" radius="var(--r-l)" />;
  const { status } = rollout;
  return (
    <div className="card pad">
      <Section
        title={t(isOpen(rollout) ? 'updates.rolloutOf' : 'updates.version', { version: rollout.version })}
        lead={t('updates.healthyOf', { count: rollout.total, healthy: rollout.healthy })}
        actions={
          <Badge dot tone={tones[status]}>
            {t(`updates.statuses.${status}`)}
          </Badge>
        }
      >
        {rollout.reason !== null && (
          <Notice tone="bad" title={t('updates.stoppedBy')}>
            {worded(rollout.reason)}
          </Notice>
        )}
        <ol className="updates-stages">
          {stages
            .map((stage) => ({ stage, state: stageState(rollout, stage) }))
            .filter(({ state }) => state !== 'none')
            .map(({ stage, state }) => (
              <li key={stage} className={state} {...(state === 'now' && { 'aria-current': 'step' })}>
                {state === 'done' && <Check aria-hidden />}
                {t(`updates.stages.${stage}`)}
              </li>
            ))}
        </ol>
        <Progress
          share={rollout.total === 0 ? 0 : rollout.healthy / rollout.total}
          label={t('updates.healthyOf', { count: rollout.total, healthy: rollout.healthy })}
        />
        {isOpen(rollout) && (
          <div className="form-actions">
            {status === 'running' ? (
              <Button size="small" icon={CirclePause} isPending={act.isPending} onPress={() => act.mutate('pause')}>
                {t('updates.pause')}
              </Button>
            ) : (
              <Button size="small" icon={CirclePlay} isPending={act.isPending} onPress={() => act.mutate('resume')}>
                {t('updates.resume')}
              </Button>
            )}
            <Button size="small" variant="danger-quiet" icon={CircleX} onPress={() => setAsking(true)}>
              {t('updates.abort')}
            </Button>
          </div>
        )}
        <ul className="updates-devices">
          {rollout.devices.map((device) => (
            <li key={device.device_id}>
              <span className="row-what">
                <strong>{device.name}</strong>
                <small>
                  {[
                    t('updates.version', { version: device.version }),
                    device.online === 0 && t('screens.state.offline'),
                    device.error && worded(device.error),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
              <Badge tone={deviceTones[device.status]}>{t(`updates.deviceStatuses.${device.status}`)}</Badge>
            </li>
          ))}
        </ul>
      </Section>
      {asking && (
        <ConfirmDialog
          title={t('updates.abortAsk', { version: rollout.version })}
          confirm={t('updates.abort')}
          danger
          isPending={act.isPending}
          onConfirm={() => act.mutate('abort')}
          onClose={() => setAsking(false)}
        >
          <p>{t('updates.abortHelp')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
