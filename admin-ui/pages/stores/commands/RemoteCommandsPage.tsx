import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { REMOTE_COMMAND_STATES, type RemoteCommand } from '../../../../shared/contract/headquarters/remote-commands.ts';
import { REMOTE_COMMANDS_PAGE, remoteCommandsPageQuery } from '../../../api/chain/remoteCommands.ts';
import { ButtonLink } from '../../../components/controls/Button.tsx';
import { Badge, Bone, Empty, Page } from '../../../components/frame/Page.tsx';
import { useNow } from '../../../components/hooks/useNow.ts';
import { pageOf } from '../../../components/lists/pager.utils.ts';
import { Pages } from '../../../domain/records/Pages.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../../domain/records/StackTable.tsx';
import shopDrawing from '../../../drawings/shop-front.svg?raw';
import { useFormat } from '../../../i18n/useFormat.ts';
import { isUnderWay, storesOf, toneOfState } from './remoteCommands.utils.ts';
import '../stores.css';
import { useRemoteCommandWords } from './useRemoteCommandWords.ts';

/** Page with the commands that were sent to stores, newest first. */
export function RemoteCommandsPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/stores/orders' });
  const navigate = useNavigate({ from: '/stores/orders' });
  const page = pageOf(search);
  const list = useQuery(remoteCommandsPageQuery(page));
  const { rows = [], total = 0 } = list.data ?? {};
  return (
    <Page
      before={
        <Link to="/stores" className="crumb">
          <ChevronLeft aria-hidden />
          {t('stores.tabs.all')}
        </Link>
      }
      title={t('orders.title')}
      lead={t('orders.lead')}
    >
      <Unanswered query={list} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {list.data && rows.length === 0 && (
        <Empty
          drawing={shopDrawing}
          title={t('orders.emptyTitle')}
          actions={<ButtonLink to="/stores">{t('orders.toStores')}</ButtonLink>}
        >
          {t('orders.emptyHelp')}
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <RemoteCommandsTable orders={rows} />
          <Pages
            page={page}
            size={REMOTE_COMMANDS_PAGE}
            shown={rows.length}
            total={total}
            onPage={(next) => void navigate({ search: next === undefined ? {} : { page: next }, replace: true })}
          />
        </>
      )}
    </Page>
  );
}

function RemoteCommandsTable({ orders }: { orders: readonly RemoteCommand[] }) {
  const { t } = useTranslation();
  return (
    <StackTable
      caption={t('orders.title')}
      box="stores-box"
      table="stores-table"
      columns={[
        { name: t('orders.column.command') },
        { name: t('orders.column.sent') },
        { name: t('orders.column.became') },
        { name: t('orders.column.acked'), className: 'number' },
      ]}
    >
      {orders.map((order) => (
        <RemoteCommandRow key={order.id} order={order} />
      ))}
    </StackTable>
  );
}

function RemoteCommandRow({ order }: { order: RemoteCommand }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const { nameOf, screensOf } = useRemoteCommandWords();
  const unlike = REMOTE_COMMAND_STATES.filter((state) => state !== 'done' && order.states[state] > 0);
  return (
    <tr>
      <th scope="row">
        <Link to="/stores/orders/$orderId" params={{ orderId: order.id }}>
          {nameOf(order)}
        </Link>
        <small className="quiet">{screensOf(order)}</small>
      </th>
      <td data-label={t('orders.column.sent')}>
        <span className="store-line">
          <span>{t('orders.sentBy', { when: format.ago(order.created_at, now), name: order.by })}</span>
          {isUnderWay(order) && <small>{t('orders.until', { when: format.dateTime(order.expires_at) })}</small>}
        </span>
      </td>
      <td data-label={t('orders.column.became')}>
        <span className="store-screens">
          <span>{t('orders.doneOf', { done: order.states.done, count: storesOf(order) })}</span>
          {unlike.map((state) => (
            <Badge key={state} tone={toneOfState[state]}>
              {`${t(`orders.state.${state}`)}: ${format.number(order.states[state])}`}
            </Badge>
          ))}
        </span>
      </td>
      <td data-label={t('orders.column.acked')} className="number">
        {t('stores.screensOf', { online: order.acked, total: order.screens })}
      </td>
    </tr>
  );
}
