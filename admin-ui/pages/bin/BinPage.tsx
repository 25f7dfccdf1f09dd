import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore, Ellipsis, FileClock, Image, type LucideIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  BIN_DAYS,
  type BinEntry,
  type BinKind,
  binKinds,
  deleteFromBin,
  emptyBin,
} from '../../../shared/contract/content/bin.ts';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { binQuery, relatedQuery } from '../../api/bin.ts';
import { client } from '../../api/requests/client.ts';
import { meQuery } from '../../api/session/me.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { hitIcons } from '../../domain/content/hits.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { useBringBack } from '../../domain/saving/useBringBack.ts';
import nothingDrawing from '../../drawings/nothing-found.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { RestoreWith } from './RestoreWith.tsx';
import './bin.css';
import '../../components/lists/ListRow.css';
import '../../components/lists/Table.css';
import '../../components/frame/Toolbar.css';

const icons: Readonly<Record<BinKind, LucideIcon>> = { ...hitIcons, content: Image, file: FileClock };

/** Page with deleted and replaced records, which can be restored. */
export function BinPage() {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<BinKind | 'all'>('all');
  const [emptying, setEmptying] = useState(false);
  const canAdmin = useQuery(meQuery).data?.can_admin ?? false;
  const q = useDebounced(text.trim(), 200);
  const query = useInfiniteQuery(binQuery(kind === 'all' ? undefined : kind, q));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const isFiltered = kind !== 'all' || q !== '';
  return (
    <Page
      title={t('bin.title')}
      lead={t('bin.lead', { count: BIN_DAYS })}
      narrow
      actions={
        canAdmin &&
        total > 0 && (
          <Button icon={Trash2} variant="danger-quiet" onPress={() => setEmptying(true)}>
            {t('bin.empty')}
          </Button>
        )
      }
    >
      {(isFiltered || total > 0) && (
        <div className="toolbar">
          <SearchField label={t('bin.find')} value={text} onChange={setText} />
          <div className="toolbar-end">
            <Select
              label={t('bin.kinds')}
              hideLabel
              value={kind}
              onChange={setKind}
              options={[
                { value: 'all', label: t('bin.all') },
                ...binKinds.map((value) => ({ value, label: t(`bin.kind.${value}`) })),
              ]}
            />
          </div>
        </div>
      )}
      <Unanswered query={query} bones={<Bone height="12rem" radius="var(--r-l)" />} />
      {query.isSuccess && entries.length === 0 && (
        <Empty
          drawing={nothingDrawing}
          title={isFiltered ? t('bin.nothingTitle') : t('bin.emptyTitle')}
          actions={
            isFiltered && (
              <Button
                onPress={() => {
                  setText('');
                  setKind('all');
                }}
              >
                {t('content.showAll')}
              </Button>
            )
          }
        >
          {isFiltered ? t('bin.nothingHelp') : t('bin.emptyHelp')}
        </Empty>
      )}
      {entries.length > 0 && (
        <ul className="table-box">
          {entries.map((entry) => (
            <BinRow key={entry.id} entry={entry} canAdmin={canAdmin} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="bin-more">
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {t('activity.more')}
          </Button>
        </div>
      )}
      {emptying && (
        <ConfirmEdit
          topics={['bin']}
          run={() => client.call(emptyBin)}
          title={t('bin.emptyAsk')}
          confirm={t('bin.empty')}
          danger
          said={({ deleted }) => t('bin.emptied', { count: deleted })}
          onClose={() => setEmptying(false)}
        >
          <p>{t('bin.emptyEffects')}</p>
        </ConfirmEdit>
      )}
    </Page>
  );
}

/**
 * Returns whether the user may restore a deleted record. Users may restore records that they deleted themselves, and
 * users with unlimited rights may restore all records. Users who need approval may not restore a record of another
 * user that was in use.
 */
const mayRestore = ({ id, can_write, needs_approval, rights }: Me, { user_id, places }: BinEntry): boolean => {
  const isLimited = rights.duty !== 'all' || rights.folder_ids !== null || rights.group_ids !== null;
  return can_write && (user_id === id || !(isLimited || (needs_approval && places > 0)));
};

function BinRow({ entry, canAdmin }: { entry: BinEntry; canAdmin: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const me = useQuery(meQuery).data;
  const bringBack = useBringBack();
  const [asking, setAsking] = useState(false);
  const [related, setRelated] = useState<readonly BinEntry[]>([]);
  const [isLooking, setLooking] = useState(false);
  const queries = useQueryClient();
  const bring = async () => {
    setLooking(true);
    // If this request fails, only the entry itself is restored, and the answer says what is missing.
    const found = await queries.fetchQuery(relatedQuery(entry.id)).catch(() => []);
    setLooking(false);
    if (found.length === 0) bringBack.mutate({ entries: [entry.id] });
    else setRelated(found);
  };
  const Icon = icons[entry.kind];
  const facts = [
    t(`bin.kind.${entry.kind}`),
    entry.places > 0 && t('bin.places', { count: entry.places }),
    t(entry.kind === 'file' ? 'bin.replacedBy' : 'bin.deletedBy', {
      name: entry.user_name,
      ago: format.ago(entry.created_at, now),
    }),
    entry.bytes > 0 && format.bytes(entry.bytes),
    t('bin.until', { date: format.date(entry.until) }),
  ];
  return (
    <li className="list-row bin-row">
      <Icon aria-hidden />
      <div className="row-what">
        <strong>{entry.name}</strong>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </div>
      <div className="bin-row-acts">
        {me && mayRestore(me, entry) && (
          <Button
            icon={ArchiveRestore}
            size="small"
            isPending={bringBack.isPending || isLooking}
            onPress={() => void bring()}
            aria-label={t('bin.restoreOne', { name: entry.name })}
          >
            {t('bin.restore')}
          </Button>
        )}
        {canAdmin && (
          <Menu
            label={t('common.moreFor', { name: entry.name })}
            trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: entry.name })} />}
          >
            <MenuItem icon={Trash2} danger onAction={() => setAsking(true)}>
              {t('bin.forGood')}
            </MenuItem>
          </Menu>
        )}
      </div>
      {related.length > 0 && (
        <RestoreWith
          entry={entry}
          related={related}
          onRestore={(entries) => {
            setRelated([]);
            bringBack.mutate({ entries });
          }}
          onClose={() => setRelated([])}
        />
      )}
      {asking && (
        <ConfirmEdit
          topics={['bin']}
          run={() => client.call(deleteFromBin, { params: { id: entry.id } })}
          title={t('bin.forGoodAsk', { name: entry.name })}
          confirm={t('bin.forGood')}
          danger
          said={() => t('bin.goneForGood', { name: entry.name })}
          onClose={() => setAsking(false)}
        >
          <p>{t('bin.forGoodEffects')}</p>
        </ConfirmEdit>
      )}
    </li>
  );
}
