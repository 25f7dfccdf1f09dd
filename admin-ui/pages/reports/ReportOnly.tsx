import { useQueries, useQuery } from '@tanstack/react-query';
import { Folder, type LucideIcon, Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foldersQuery, labelsQuery } from '../../api/files/content.ts';
import { hitQuery } from '../../api/requests/search.ts';
import { useFound } from '../../api/requests/useFound.ts';
import { Chips, FindBox, type FindGroup } from '../../components/lists/FindBox.tsx';
import { HitPicture, hitTitles, nameOfHit, noneOf, rowOf } from '../../domain/content/hits.tsx';
import '../../domain/content/pickers.css';
import { type Filter, filtersFrom, keyOf, toggled } from './filters.utils.ts';
import type { ReportsData } from './useReportsData.ts';

const FOUND = ['content', 'plan', 'device', 'group', 'tag', 'playlist'] as const;
type FoundKind = (typeof FOUND)[number];
/** Maximum number of results per kind, so that all kinds are visible at once. */
const EACH = 6;

/** Filters of the report: one search box for contents, plans, screens, labels and folders. */
export function ReportOnly({ data }: { data: ReportsData }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useFound(FOUND, text, { limit: EACH });
  const words = useWords(text);
  const { filters } = data;
  const chips = useChips(filters);
  const groups: FindGroup[] = [
    ...found.groups.map(({ kind, hits }) => ({
      id: kind,
      title: t(hitTitles[kind]),
      rows: hits.map((hit) => ({ ...rowOf(hit, t), id: rowKey({ kind: kind as FoundKind, id: hit.id }) })),
    })),
    ...words,
  ];
  const toggle = (row: string) => {
    const [filter] = filtersFrom(row);
    if (!filter) return;
    setText('');
    data.narrow(toggled(filters, filter));
  };
  return (
    <div className="field picker report-only">
      <FindBox
        label={t('reports.only')}
        placeholder={t('reports.onlyPlaceholder')}
        text={text}
        onText={setText}
        groups={groups}
        isCurrent={found.isCurrent}
        none={noneOf(found.state, text, t)}
        more={found.more && t('common.typeMore', found.more)}
        chosen={filters.map(rowKey)}
        onChoose={toggle}
      />
      {filters.length > 0 && (
        <Chips
          label={t('find.chosen', { label: t('reports.only') })}
          chips={chips}
          onRemove={toggle}
          removeLabel={(name) => t('find.remove', { name })}
        />
      )}
    </div>
  );
}

/** Row key in the same form as in the address, since a label may contain any character. */
const rowKey = ({ kind, id }: Filter): string => `${kind}:${encodeURIComponent(id)}`;

/** Returns the labels and folders that match the text. There are few of them, so all are loaded already. */
const useWords = (text: string): FindGroup[] => {
  const { t } = useTranslation();
  const labels = useQuery(labelsQuery).data ?? [];
  const folders = useQuery(foldersQuery).data ?? [];
  const has = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase());
  const group = (kind: 'label' | 'folder', title: string, all: readonly { id: string; name: string }[]) => {
    const rows = all
      .filter(({ name }) => name !== '' && has(name))
      .slice(0, EACH)
      .map(({ id, name }) => ({ id: rowKey({ kind, id }), name, picture: <Sign of={kind} /> }));
    return rows.length > 0 ? [{ id: kind, title, rows }] : [];
  };
  return [
    ...group(
      'label',
      t('reports.labels'),
      labels.map(({ folder }) => ({ id: folder, name: folder })),
    ),
    ...group('folder', t('content.folders'), folders),
  ];
};

const signs: Record<'label' | 'folder', LucideIcon> = { label: Tags, folder: Folder };
function Sign({ of }: { of: 'label' | 'folder' }) {
  const Icon = signs[of];
  return <Icon aria-hidden />;
}

const isFound = (filter: Filter): filter is Filter & { kind: FoundKind } =>
  (FOUND as readonly string[]).includes(filter.kind);

/** Returns the filters with the current names of screens, contents and others. */
const useChips = (filters: readonly Filter[]) => {
  const { t } = useTranslation();
  const folders = useQuery(foldersQuery).data;
  const asked = filters.filter(isFound);
  const hits = useQueries({ queries: asked.map(({ kind, id }) => hitQuery(kind, id)) });
  return filters.map((filter) => {
    if (!isFound(filter)) {
      const { kind, id } = filter as { kind: 'label' | 'folder'; id: string };
      const name = kind === 'label' ? id : (folders?.find((folder) => folder.id === id)?.name ?? '');
      return { id: rowKey(filter), name, aside: undefined, picture: <Sign of={kind} /> };
    }
    const hit = hits[asked.findIndex((each) => keyOf(each) === keyOf(filter))]?.data;
    return {
      id: rowKey(filter),
      name: hit === null ? t('find.gone') : hit ? nameOfHit(hit, t) : '',
      aside: undefined,
      picture: hit ? <HitPicture hit={hit} /> : null,
    };
  });
};
