import { Bookmark, LayoutGrid, Rows3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../../components/choices/Choices.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { SearchField } from '../../../components/fields/SearchField.tsx';
import '../../../components/frame/Toolbar.css';
import { stateFilters } from '../screens.utils.ts';
import { ScreenFilters } from './ScreenFilters.tsx';
import type { ScreensAddress } from './useScreensAddress.ts';
import type { useScreensData } from './useScreensData.ts';

type ScreensToolbarProps = {
  address: ScreensAddress;
  data: ReturnType<typeof useScreensData>;
  /** Opens the dialog of stored views. */
  onViews: () => void;
};

/** Search, filters and view of the list. */
export function ScreensToolbar({ address, data, onViews }: ScreensToolbarProps) {
  const { t } = useTranslation();
  const { q, state, group, tag, isTable, change } = address;
  const { problems } = data.counts;
  return (
    <div className="toolbar">
      <SearchField label={t('screens.search')} value={q} onChange={(text) => change({ q: text })} />
      <Segments
        label={t('screens.filter')}
        value={state}
        onChange={(next) => change({ state: next === 'all' ? undefined : next })}
        options={stateFilters.map((value) => ({
          value,
          label:
            value === 'problems' && problems > 0
              ? t('screens.problems', { count: problems })
              : t(`screens.filters.${value}`),
        }))}
      />
      <Segments
        label={t('screens.view')}
        value={isTable ? 'table' : 'pictures'}
        onChange={(view) => change({ view: view === 'table' ? view : undefined, sort: undefined })}
        options={[
          { value: 'pictures', label: t('screens.views.pictures'), icon: LayoutGrid, iconOnly: true },
          { value: 'table', label: t('screens.views.table'), icon: Rows3, iconOnly: true },
        ]}
      />
      <div className="toolbar-end">
        {(data.tags.length > 0 || data.hasGroups) && (
          <ScreenFilters tag={tag} tags={data.tags} group={group} hasGroups={data.hasGroups} onChange={change} />
        )}
        <Button icon={Bookmark} onPress={onViews}>
          {t('screens.keptViews')}
        </Button>
      </div>
    </div>
  );
}
