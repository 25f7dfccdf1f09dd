import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CircleStop, Pause, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaveState } from '../../../../shared/chain/rollouts.ts';
import {
  endStoreRollout,
  leaveOutOfRollout,
  pauseStoreRollout,
  type RolloutStore,
  resumeStoreRollout,
  type StoreRollout,
} from '../../../../shared/contract/headquarters/rollouts.ts';
import { Button } from '../../../components/controls/Button.tsx';
import '../../../components/lists/ListRow.css';
import { Badge, Bone, Notice, Page, Progress, Section } from '../../../components/frame/Page.tsx';
import { StatFilter } from '../../../components/lists/StatFilter.tsx';
import '../../../components/lists/Table.css';
import { ROLLOUT_STORES_PAGE, rolloutStoresQuery, storeRolloutQuery } from '../../../api/chain/rollouts.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { useMe } from '../../../api/session/me.ts';
import { StoreHead } from '../../../domain/chain/StoreHead.tsx';
import { Pages } from '../../../domain/records/Pages.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { RecordPage } from '../../../domain/records/RecordPage.tsx';
import { StackTable } from '../../../domain/records/StackTable.tsx';
import { ConfirmEdit } from '../../../domain/saving/ConfirmEdit.tsx';
import { worded } from '../../../i18n/sentences.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import '../stores.css';
import { pageOf } from '../../../components/lists/pager.utils.ts';
import { isOpenRollout, statesOf, storesIn, toneOfRollout, toneOfWaveState, waveStateOf } from './rollouts.utils.ts';

/**
 * Page of a rollout that brings a release to the stores, wave by wave. Where the rollout has stopped, users decide
 * how it continues.
 */
export function RolloutPage() {
  const { t } = useTranslation();
  const { rolloutId } = useParams({ from: '/shell/stores/software/$rolloutId' });
  const query = useQuery(storeRolloutQuery(rolloutId));
  const rollout = query.data?.rollout;
  return (
    <RecordPage
      query={query}
      record={rollout}
      name={rollout && t('updates.version', { version: rollout.version })}
      list={{ to: '/stores/software', label: t('software.title') }}
      bones={<Bone height="20rem" radius="var(--r-l)" />}
    >
      {(found, back) => <RolloutDetail rollout={found} back={back} />}
    </RecordPage>
  );
}

const topics = ['stores'] as const;

/** Returns the decisions that users can make about the rollout. */
const useDecisions = ({ id }: StoreRollout) => {
  const { t } = useTranslation();
  const params = { id };
  return {
    goOn: useEdit({ topics: [...topics], run: () => client.call(resumeStoreRollout, { params }) }),
    pause: useEdit({ topics: [...topics], run: () => client.call(pauseStoreRollout, { params }) }),
    leaveOut: useEdit({
      topics: [...topics],
      run: (store: Pick<RolloutStore, 'store_id'>) =>
        client.call(leaveOutOfRollout, { params, body: { store_id: store.store_id } }),
      said: () => t('software.isLeftOut'),
    }),
  };
};

function RolloutDetail({ rollout, back }: { rollout: StoreRollout; back: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayDecide = useMe().can_admin && isOpenRollout(rollout);
  const [ending, setEnding] = useState(false);
  const { goOn, pause, leaveOut } = useDecisions(rollout);
  const { status, version, stopped_at: stopped } = rollout;
  const end = (
    <Button icon={CircleStop} variant="danger-quiet" onPress={() => setEnding(true)}>
      {t('software.end')}
    </Button>
  );
  return (
    <Page
      before={back}
      title={t('updates.version', { version })}
      lead={
        <>
          <Badge tone={toneOfRollout[status]} dot>
            {t(`software.status.${status}`)}
          </Badge>{' '}
          {t('orders.sentBy', { when: format.dateTime(rollout.created_at), name: rollout.by })}
        </>
      }
      actions={
        mayDecide &&
        status !== 'stopped' && (
          <>
            {status === 'running' ? (
              <Button icon={Pause} isPending={pause.isPending} onPress={() => pause.mutate()}>
                {t('software.pause')}
              </Button>
            ) : (
              <Button icon={Play} variant="primary" isPending={goOn.isPending} onPress={() => goOn.mutate()}>
                {t('software.goOn')}
              </Button>
            )}
            {end}
          </>
        )
      }
    >
      {status === 'stopped' && (
        <Notice
          tone="bad"
          title={stopped ? t('software.stoppedAt', { name: stopped.store_name }) : t('software.status.stopped')}
          actions={
            mayDecide && (
              <>
                <Button icon={Play} isPending={goOn.isPending} onPress={() => goOn.mutate()}>
                  {t('software.tryAgain')}
                </Button>
                {stopped && (
                  <Button isPending={leaveOut.isPending} onPress={() => leaveOut.mutate(stopped)}>
                    {t('software.leaveOut')}
                  </Button>
                )}
                {end}
              </>
            )
          }
        >
          {[stopped && worded(stopped.why), t('software.stoppedHelp')].filter(Boolean).join(' ')}
        </Notice>
      )}
      <Waves rollout={rollout} />
      <RolloutStores rollout={rollout} onLeaveOut={mayDecide ? (store) => leaveOut.mutate(store) : undefined} />
      {ending && (
        <ConfirmEdit
          title={t('software.endAsk', { version })}
          confirm={t('software.end')}
          danger
          topics={[...topics]}
          run={() => client.call(endStoreRollout, { params: { id: rollout.id } })}
          said={() => t('software.isEnded')}
          onClose={() => setEnding(false)}
        >
          <p>{t('software.endEffects')}</p>
        </ConfirmEdit>
      )}
    </Page>
  );
}

function Waves({ rollout }: { rollout: StoreRollout }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section
      title={t('software.waves')}
      lead={
        rollout.healthy_minutes > 0
          ? t('software.wavesLead', { span: format.span(rollout.healthy_minutes * 60) })
          : t('software.wavesLeadAtOnce')
      }
    >
      <ol className="table-box">
        {rollout.waves.map(({ name, states }, i) => {
          const total = storesIn(states);
          const unlike = (Object.keys(toneOfWaveState) as WaveState[]).filter(
            (state) => !['healthy', 'waiting'].includes(state) && states[state] > 0,
          );
          const isNow = i === rollout.wave && isOpenRollout(rollout);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its place
            <li key={i} className="list-row wave-row" aria-current={isNow ? 'step' : undefined}>
              <div className="row-what">
                <strong>{`${i + 1}. ${name}`}</strong>
                <small>
                  {total === 0
                    ? t('orders.stores', { count: 0 })
                    : t('software.healthyOf', { healthy: states.healthy, total })}
                </small>
              </div>
              <span className="store-screens">
                {isNow && <Badge tone="info">{t('software.now')}</Badge>}
                {unlike.map((state) => (
                  <Badge key={state} tone={toneOfWaveState[state]}>
                    {`${t(`software.state.${state}`)}: ${format.number(states[state])}`}
                  </Badge>
                ))}
              </span>
              {total > 0 && (
                <Progress
                  share={states.healthy / total}
                  label={t('software.progressOf', { name })}
                  {...(states.unhealthy > 0 ? { tone: 'bad' as const } : {})}
                />
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** States whose counts are shown at the top of the page, in the order of display. */
const SHOWN = [
  'healthy',
  'unhealthy',
  'installing',
  'fetching',
  'told',
  'waiting',
  'unreachable',
  'refused',
  'left_out',
] as const;
/** States in which a store can be left out of the rollout. */
const LEAVABLE: readonly WaveState[] = ['unhealthy', 'refused', 'unreachable', 'waiting'];

type StoresProps = {
  rollout: StoreRollout;
  onLeaveOut: ((store: RolloutStore) => void) | undefined;
};

function RolloutStores({ rollout, onLeaveOut }: StoresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const search = useSearch({ from: '/shell/stores/software/$rolloutId' });
  const navigate = useNavigate({ from: '/stores/software/$rolloutId' });
  const state = waveStateOf(search.state);
  const page = pageOf(search);
  const list = useQuery(rolloutStoresQuery(rollout.id, state, page));
  const { rows = [], total = 0 } = list.data ?? {};
  const states = statesOf(rollout);
  const look = (next: { state?: string; page?: string }) => void navigate({ search: next, replace: true });
  const inState = state === undefined ? {} : { state };
  const shown = SHOWN.filter((one) => states[one] > 0 || one === state || one === 'healthy' || one === 'unhealthy');
  return (
    <>
      <StatFilter<WaveState | 'all'>
        label={t('stores.numbers')}
        value={state ?? 'all'}
        onChange={(next) => look(next === 'all' ? {} : { state: next })}
        stats={[
          { value: 'all', label: t('stores.number.all'), number: format.number(storesIn(states)) },
          ...shown.map((one) => ({
            value: one,
            label: t(`software.state.${one}`),
            number: format.number(states[one]),
            tone: states[one] > 0 && one !== 'healthy' ? toneOfWaveState[one] : undefined,
          })),
        ]}
      />
      <Unanswered query={list} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {list.data && rows.length === 0 && <p className="note">{t('orders.noStores')}</p>}
      {rows.length > 0 && (
        <>
          <StoresTable rows={rows} onLeaveOut={onLeaveOut} />
          <Pages
            page={page}
            size={ROLLOUT_STORES_PAGE}
            shown={rows.length}
            total={total}
            onPage={(next) => look(next === undefined ? inState : { ...inState, page: next })}
          />
        </>
      )}
    </>
  );
}

function StoresTable({ rows, onLeaveOut }: Pick<StoresProps, 'onLeaveOut'> & { rows: readonly RolloutStore[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <StackTable
      caption={t('stores.list')}
      box="stores-box"
      table="stores-table"
      columns={[
        { name: t('stores.column.store') },
        { name: t('software.column.wave'), className: 'number' },
        { name: t('orders.column.state') },
        { name: t('software.column.version') },
        { name: t('orders.column.why') },
        ...(onLeaveOut ? [{ name: t('software.leaveOut'), isHidden: true }] : []),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.store_id}>
          <StoreHead store={row} />
          <td data-label={t('software.column.wave')} className="number">
            {row.wave + 1}
          </td>
          <td data-label={t('orders.column.state')}>
            <span className="store-line">
              <Badge tone={toneOfWaveState[row.state]} dot>
                {t(`software.state.${row.state}`)}
              </Badge>
              <small>{format.dateTime(row.at)}</small>
            </span>
          </td>
          <td data-label={t('software.column.version')}>{row.version ?? t('software.unknown')}</td>
          <td data-label={t('orders.column.why')} className={row.why === '' ? 'order-why wide-only' : 'order-why'}>
            {row.why !== '' && worded(row.why)}
          </td>
          {onLeaveOut && (
            <td className={LEAVABLE.includes(row.state) ? undefined : 'wide-only'}>
              {LEAVABLE.includes(row.state) && (
                <Button
                  size="small"
                  aria-label={t('software.leaveOutName', { name: row.store_name })}
                  onPress={() => onLeaveOut(row)}
                >
                  {t('software.leaveOut')}
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </StackTable>
  );
}
