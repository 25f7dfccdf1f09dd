import { LayoutGrid, List } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { OWNERS, type Owner } from '../../../../shared/contract/people/owner.ts';
import type { ContentFilter } from '../../../api/files/content.ts';
import { Segments } from '../../../components/choices/Choices.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { SearchField } from '../../../components/fields/SearchField.tsx';
import { kinds, sorts, type View, validities } from '../content.utils.ts';
import { type FolderNode, flatten } from '../folders/folders.utils.ts';
import type { AddressChange } from './useLibraryAddress.ts';
import '../../../components/frame/Toolbar.css';

type LibraryToolbarProps = {
  q: string | undefined;
  filter: ContentFilter;
  view: View;
  /** Folders to choose from, where there is no room for the tree. */
  folders: readonly FolderNode[] | undefined;
  folderId: string | undefined;
  hasOwners: boolean;
  onChange: (change: AddressChange) => void;
};

const EVERYWHERE = '';

/** Search, filters, order and view of the library. */
export function LibraryToolbar({ q, filter, view, folders, folderId, hasOwners, onChange }: LibraryToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className="toolbar">
      <SearchField label={t('content.search')} value={q ?? ''} onChange={(text) => onChange({ q: text })} />
      {folders && (
        <Select
          label={t('content.folder')}
          hideLabel
          value={folderId ?? EVERYWHERE}
          onChange={(id) => onChange({ folder: id, label: undefined })}
          options={[
            { value: EVERYWHERE, label: t('content.everything') },
            ...flatten(folders).map(({ folder, depth }) => ({
              value: folder.id,
              label: `${'   '.repeat(depth)}${folder.name}`,
            })),
          ]}
        />
      )}
      <Segments
        label={t('content.type')}
        value={filter.type ?? 'all'}
        onChange={(kind) => onChange({ type: kind === 'all' ? undefined : kind })}
        options={kinds.map((value) => ({ value, label: t(`content.kinds.${value}`) }))}
      />
      <div className="toolbar-end">
        {hasOwners && (
          <Select<Owner | 'all'>
            label={t('held.owner.label')}
            hideLabel
            value={filter.owner ?? 'all'}
            onChange={(owner) => onChange({ owner: owner === 'all' ? undefined : owner })}
            options={[
              { value: 'all', label: t('held.owner.both') },
              ...OWNERS.map((value) => ({ value, label: t(`held.owner.${value}`) })),
            ]}
          />
        )}
        <Select
          label={t('content.validity.label')}
          hideLabel
          value={filter.validity ?? 'all'}
          onChange={(validity) => onChange({ validity: validity === 'all' ? undefined : validity })}
          options={validities.map((value) => ({ value, label: t(`content.validity.${value}`) }))}
        />
        <Select
          label={t('content.sort')}
          hideLabel
          value={filter.sort ?? 'newest'}
          onChange={(order) => onChange({ sort: order === 'newest' ? undefined : order })}
          options={sorts.map((value) => ({ value, label: t(`content.sorts.${value}`) }))}
        />
        <Segments
          label={t('content.view')}
          value={view}
          onChange={(next) => onChange({ view: next === 'grid' ? undefined : next })}
          options={[
            { value: 'grid', label: t('content.views.grid'), icon: LayoutGrid, iconOnly: true },
            { value: 'list', label: t('content.views.list'), icon: List, iconOnly: true },
          ]}
        />
      </div>
    </div>
  );
}
