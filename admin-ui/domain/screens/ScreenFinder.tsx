import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { usePages } from '../../api/requests/usePages.ts';
import { SCREENS_PAGE, type ScreensFilter, screensPageQuery } from '../../api/screens.ts';
import { useOwnGroups } from '../../api/session/me.ts';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { SubjectPicker } from '../content/SubjectPicker.tsx';
import './ScreenFinder.css';

type ScreenFinderProps = {
  /** Name of the list, for screen readers. */
  label: string;
  /** Query that restricts the screens, for example by `without_group_id`. */
  within?: ScreensFilter;
  /** Shown if there are no screens at all. */
  none: ReactNode;
  /** Adds a filter by group to the list. */
  byGroup?: boolean;
  /** Shown above the list, with the current results. */
  tools?: (found: { readonly total: number; readonly filter: ScreensFilter }) => ReactNode;
  children: (screen: Device) => ReactNode;
};

/** Number of screens from which on the list has a search field. */
const SEARCH_FROM = 8;
/** Assumed height of a row in pixels before it has been measured. */
const ROW = 48;
const GROUPS = ['group'] as const;

/**
 * A list for choosing screens, searched by the server while typing. Only visible rows are drawn. Users with rights for
 * some groups find only the screens of these groups, unless `within` names a group.
 */
export function ScreenFinder({ label, within = {}, none, byGroup = false, tools, children }: ScreenFinderProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const [group, setGroup] = useState<string>();
  const ownGroups = useOwnGroups();
  const own = ownGroups && { group_id: ownGroups.join(',') };
  const narrowed = { ...(q.trim() !== '' && { q: q.trim() }), ...(group !== undefined && { group_id: group }) };
  const filter: ScreensFilter = { sort: 'name', ...own, ...within, ...narrowed };
  const list = usePages((page) => screensPageQuery(filter, page), { size: SCREENS_PAGE });
  const isNarrowed = Object.keys(narrowed).length > 0;
  const wasMany = useRef(false);
  wasMany.current ||= isNarrowed || list.total >= SEARCH_FROM;
  if (list.status === 'pending') return <Bone height="10rem" radius="var(--r-l)" />;
  if (ownGroups?.length === 0) return none;
  if (list.total === 0 && !isNarrowed && !list.isPlaceholder) return none;
  return (
    <div className="screen-finder">
      {wasMany.current && (
        <div className="screen-finder-tools">
          <SearchField label={t('screens.search')} value={q} onChange={setQ} />
          {byGroup && (
            <SubjectPicker
              label={t('screens.group')}
              hideLabel
              kinds={GROUPS}
              isMine
              placeholder={t('screens.allGroups')}
              value={group === undefined ? null : { kind: 'group', id: group }}
              onChange={(chosen) => setGroup(chosen?.id)}
              allowsNone
            />
          )}
        </div>
      )}
      {tools?.({ total: list.total, filter })}
      {list.total === 0 ? (
        <p className="field-hint">{t('screens.noneMatchHelp')}</p>
      ) : (
        <Rows label={label} count={list.total} at={list.at} onRange={list.onRange}>
          {children}
        </Rows>
      )}
    </div>
  );
}

type RowsProps = Pick<ScreenFinderProps, 'label' | 'children'> & {
  count: number;
  at: (index: number) => Device | undefined;
  onRange: (first: number, last: number) => void;
};

function Rows({ label, count, at, onRange, children }: RowsProps) {
  const pane = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => pane.current,
    estimateSize: () => ROW,
    overscan: 4,
    useFlushSync: false,
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1];
  useLayoutEffect(() => {
    if (last >= first) onRange(first, last);
  }, [first, last, onRange]);
  return (
    <div ref={pane} className="screen-finder-pane">
      <ul aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const screen = at(row.index);
          return (
            <li
              key={screen?.id ?? row.index}
              data-index={row.index}
              ref={virtualizer.measureElement}
              aria-setsize={count}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {screen ? children(screen) : <Bone height="1.25rem" />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
