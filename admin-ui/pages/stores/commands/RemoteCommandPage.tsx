import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  cancelRemoteCommand,
  type REMOTE_COMMAND_STATES,
  type RemoteCommand,
  type RemoteCommandState,
  type RemoteCommandStore,
} from '../../../../shared/contract/headquarters/remote-commands.ts';
import {
  REMOTE_COMMAND_STORES_PAGE,
  remoteCommandQuery,
  remoteCommandStoresQuery,
} from '../../../api/chain/remoteCommands.ts';
import { client } from '../../../api/requests/client.ts';
import { useMayCommand } from '../../../api/session/me.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Facts } from '../../../components/frame/Facts.tsx';
import { Badge, Bone, Page } from '../../../components/frame/Page.tsx';
import { pageOf } from '../../../components/lists/pager.utils.ts';
import { StatFilter } from '../../../components/lists/StatFilter.tsx';
import { StoreHead } from '../../../domain/chain/StoreHead.tsx';
import { Pages } from '../../../domain/records/Pages.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { RecordPage } from '../../../domain/records/RecordPage.tsx';
import { StackTable } from '../../../domain/records/StackTable.tsx';
import { ConfirmEdit } from '../../../domain/saving/ConfirmEdit.tsx';
import { worded } from '../../../i18n/sentences.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { stateOf, storesOf, toneOfState } from './remoteCommands.utils.ts';
import '../stores.css';
import { useRemoteCommandWords } from './useRemoteCommandWords.ts';

/** Page of one command that was sent to stores, with its result in each store. */
export function RemoteCommandPage() {
  const { t } = useTranslation();
  const { orderId } = useParams({ from: '/shell/stores/orders/$orderId' });
  const { nameOf } = useRemoteCommandWords();
  const query = useQuery(remoteCommandQuery(orderId));
  const order = query.data?.order;
  return (
    <RecordPage
      query={query}
      record={order}
      name={order && nameOf(order)}
      list={{ to: '/stores/orders', label: t('orders.title') }}
      bones={<Bone height="20rem" radius="var(--r-l)" />}
    >
      {(found, back) => <RemoteCommandDetail order={found} back={back} />}
    </RecordPage>
  );
}

function RemoteCommandDetail({ order, back }: { order: RemoteCommand; back: ReactNode }) {
  const { t } = useTranslation();
  const { nameOf, screensOf } = useRemoteCommandWords();
  const mayTakeBack = useMayCommand() && order.states.waiting > 0;
  const [asking, setAsking] = useState(false);
  return (
    <Page
      before={back}
      title={nameOf(order)}
      lead={t('orders.goesTo', {
        stores: t('orders.stores', { count: storesOf(order) }),
        screens: screensOf(order),
      })}
      actions={
        mayTakeBack && (
          <Button icon={Undo2} onPress={() => setAsking(true)}>
            {t('orders.takeBack')}
          </Button>
        )
      }
    >
      <RemoteCommandFacts order={order} />
      <RemoteCommandStores order={order} />
      {asking && (
        <ConfirmEdit
          title={t('orders.takeBackAsk', { name: nameOf(order) })}
          confirm={t('orders.takeBack')}
          topics={['stores']}
          run={() => client.call(cancelRemoteCommand, { params: { id: order.id } })}
          said={() => t('orders.takenBack')}
          onClose={() => setAsking(false)}
        >
          <p>{t('orders.takeBackEffects', { count: order.states.waiting })}</p>
          <p>{t('orders.takeBackStays')}</p>
        </ConfirmEdit>
      )}
    </Page>
  );
}

function RemoteCommandFacts({ order }: { order: RemoteCommand }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { screensOf } = useRemoteCommandWords();
  const { url, version } = order.command.payload;
  const more = [url, version].find((one) => typeof one === 'string');
  return (
    <div className="card pad">
      <Facts
        facts={[
          [t('orders.column.sent'), t('orders.sentBy', { when: format.dateTime(order.created_at), name: order.by })],
          [t('orders.goodUntil'), format.dateTime(order.expires_at)],
          [t('orders.screens'), screensOf(order)],
          [t('orders.more'), typeof more === 'string' ? more : null],
          [
            t('orders.column.acked'),
            [
              t('stores.screensOf', { online: order.acked, total: order.screens }),
              order.failed > 0 && t('orders.failed', { count: order.failed }),
            ]
              .filter(Boolean)
              .join(' · '),
          ],
        ]}
      />
    </div>
  );
}

/** States whose counts are shown at the top of the page, in the order of display. */
const SHOWN = [
  'done',
  'told',
  'waiting',
  'refused',
  'expired',
  'taken_back',
] as const satisfies (typeof REMOTE_COMMAND_STATES)[number][];

function RemoteCommandStores({ order }: { order: RemoteCommand }) {
  const { t } = useTranslation();
  const format = useFormat();
  const search = useSearch({ from: '/shell/stores/orders/$orderId' });
  const navigate = useNavigate({ from: '/stores/orders/$orderId' });
  const state = stateOf(search.state);
  const page = pageOf(search);
  const list = useQuery(remoteCommandStoresQuery(order.id, state, page));
  const { rows = [], total = 0 } = list.data ?? {};
  const look = (next: { state?: string; page?: string }) => void navigate({ search: next, replace: true });
  const inState = state === undefined ? {} : { state };
  const toneOf = (one: RemoteCommandState) => (order.states[one] > 0 && one !== 'done' ? toneOfState[one] : undefined);
  return (
    <>
      <StatFilter<RemoteCommandState | 'all'>
        label={t('stores.numbers')}
        value={state ?? 'all'}
        onChange={(next) => look(next === 'all' ? {} : { state: next })}
        stats={[
          { value: 'all', label: t('stores.number.all'), number: format.number(storesOf(order)) },
          ...SHOWN.filter((one) => one !== 'taken_back' || order.states.taken_back > 0).map((one) => ({
            value: one,
            label: t(`orders.state.${one}`),
            number: format.number(order.states[one]),
            tone: toneOf(one),
          })),
        ]}
      />
      <Unanswered query={list} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {list.data && rows.length === 0 && <p className="note">{t('orders.noStores')}</p>}
      {rows.length > 0 && (
        <>
          <RemoteCommandStoresTable rows={rows} />
          <Pages
            page={page}
            size={REMOTE_COMMAND_STORES_PAGE}
            shown={rows.length}
            total={total}
            onPage={(next) => look(next === undefined ? inState : { ...inState, page: next })}
          />
        </>
      )}
    </>
  );
}

function RemoteCommandStoresTable({ rows }: { rows: readonly RemoteCommandStore[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <StackTable
      caption={t('stores.list')}
      box="stores-box"
      table="stores-table"
      columns={[
        { name: t('stores.column.store') },
        { name: t('orders.column.state') },
        { name: t('orders.column.acked'), className: 'number' },
        { name: t('orders.column.why') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.store_id}>
          <StoreHead store={row} />
          <td data-label={t('orders.column.state')}>
            <span className="store-line">
              <Badge tone={toneOfState[row.state]} dot>
                {t(`orders.state.${row.state}`)}
              </Badge>
              {row.at !== null && <small>{format.dateTime(row.at)}</small>}
            </span>
          </td>
          <td
            data-label={t('orders.column.acked')}
            className={row.state === 'done' ? 'number' : 'number quiet wide-only'}
          >
            {row.state === 'done' ? t('stores.screensOf', { online: row.acked, total: row.screens }) : '–'}
          </td>
          <td
            data-label={t('orders.column.why')}
            className={row.error === '' && row.failed === 0 ? 'order-why wide-only' : 'order-why'}
          >
            {row.error !== '' ? worded(row.error) : row.failed > 0 && t('orders.failed', { count: row.failed })}
          </td>
        </tr>
      ))}
    </StackTable>
  );
}
