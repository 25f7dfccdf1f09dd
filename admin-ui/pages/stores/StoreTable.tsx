import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Store } from '../../../shared/contract/headquarters/stores.ts';
import { Badge } from '../../components/frame/Page.tsx';
import { StackTable } from '../../domain/records/StackTable.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { LineBadge } from './LineBadge.tsx';
import { useClockWords, useLineSince } from './store/useTroubleWords.ts';

/** Table of stores with their key numbers. On a phone, the small cards leave out normal values. */
export function StoreTable({ stores }: { stores: readonly Store[] }) {
  const { t } = useTranslation();
  return (
    <StackTable
      caption={t('stores.list')}
      box="stores-box"
      table="stores-table"
      columns={[
        { name: t('stores.column.store') },
        { name: t('stores.column.line') },
        { name: t('stores.column.screens') },
        { name: t('stores.column.server'), className: 'store-server' },
        { name: t('stores.column.waiting'), className: 'number' },
        { name: t('stores.column.incidents'), className: 'number' },
      ]}
    >
      {stores.map((store) => (
        <StoreRow key={store.id} store={store} />
      ))}
    </StackTable>
  );
}

function StoreRow({ store }: { store: Store }) {
  const { t } = useTranslation();
  const format = useFormat();
  const sinceOf = useLineSince();
  const has = (trouble: Store['troubles'][number]) => store.troubles.includes(trouble);
  const classOf = (...names: (string | false)[]) => names.filter(Boolean).join(' ');
  return (
    <tr>
      <th scope="row">
        <StoreName store={store} />
      </th>
      <td className="store-line-cell">
        <span className="store-line">
          <LineBadge line={store.line} />
          <small>{sinceOf(store)}</small>
        </span>
      </td>
      <td
        data-label={t('stores.column.screens')}
        className={classOf(
          store.screens_total === null && store.campaigns_missed.length === 0 && 'wide-only',
          store.line !== 'up' && 'quiet',
        )}
      >
        <Screens store={store} />
        <Campaigns store={store} />
      </td>
      <td
        data-label={t('stores.column.server')}
        className={classOf(
          'store-server',
          !has('disk_low') && !has('clock_apart') && 'wide-only',
          store.line !== 'up' && 'quiet',
        )}
      >
        {store.version === null ? NONE : <Server store={store} />}
      </td>
      <td data-label={t('stores.column.waiting')} className={classOf('number', !store.waiting && 'quiet wide-only')}>
        {store.waiting === null ? (
          NONE
        ) : (
          <Marked by={has('plays_waiting') && 'warn'}>{format.number(store.waiting)}</Marked>
        )}
      </td>
      <td
        data-label={t('stores.column.incidents')}
        className={classOf('number', store.incidents === 0 && 'quiet wide-only')}
      >
        <Marked by={store.incidents > 0 && 'bad'}>{format.number(store.incidents)}</Marked>
      </td>
    </tr>
  );
}

const NONE = <span className="quiet">–</span>;

function Marked({ by, children }: { by: 'warn' | 'bad' | false; children: string }) {
  return by ? <Badge tone={by}>{children}</Badge> : children;
}

/** Name of a store as a link, with its region and tags. */
export function StoreName({ store }: { store: Store }) {
  return (
    <>
      <Link to="/stores/$storeId" params={{ storeId: store.id }}>
        {store.name}
      </Link>
      {(store.region !== '' || store.tags.length > 0) && (
        <small className="quiet">{[store.region, ...store.tags].filter(Boolean).join(' · ')}</small>
      )}
    </>
  );
}

/** Version and free disk space of a store's server; its clock only if it is wrong. */
function Server({ store }: { store: Store }) {
  const { t } = useTranslation();
  const format = useFormat();
  const clockOf = useClockWords();
  const { version, disk_free_bytes: free, clock_seconds: clock, troubles } = store;
  const room = free === null ? undefined : t('stores.free', { free: format.bytes(free) });
  return (
    <span className="store-line">
      <span>{version}</span>
      {room && (troubles.includes('disk_low') ? <Badge tone="warn">{room}</Badge> : <small>{room}</small>)}
      {clock !== null && troubles.includes('clock_apart') && (
        <Badge tone="warn">{`${t('stores.column.clock')}: ${clockOf(clock)}`}</Badge>
      )}
    </span>
  );
}

/** Number of headquarters' campaigns that need attention in the store. */
function Campaigns({ store: { campaigns_late: late, campaigns_refused: refused } }: { store: Store }) {
  const { t } = useTranslation();
  if (refused + late === 0) return null;
  return (
    <span className="store-campaigns">
      {refused > 0 && <Badge tone="bad">{t('stores.campaignsRefused', { count: refused })}</Badge>}
      {late > 0 && <Badge tone="warn">{t('stores.campaignsLate', { count: late })}</Badge>}
    </span>
  );
}

function Screens({ store }: { store: Store }) {
  const { t } = useTranslation();
  const { screens_total: total, screens_online: online, screens_dark: dark, screens_behind: behind } = store;
  if (total === null) return NONE;
  return (
    <span className="store-screens">
      <span>{t('stores.screensOf', { online: online ?? 0, total })}</span>
      {Boolean(dark) && <Badge tone="bad">{t('stores.dark', { count: dark ?? 0 })}</Badge>}
      {Boolean(behind) && <Badge tone="warn">{t('stores.behind', { count: behind ?? 0 })}</Badge>}
    </span>
  );
}
