import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '../../../api/groups.ts';
import { ClosedSelect } from '../../../components/choices/ClosedSelect.tsx';
import type { Option } from '../../../components/choices/SelectFrame.tsx';

const Select = lazy(() => import('../../../components/choices/Select.tsx').then((m) => ({ default: m.Select })));

type ScreenFiltersProps = {
  tag: string | undefined;
  tags: readonly string[];
  group: string | undefined;
  hasGroups: boolean;
  onChange: (change: { tag?: string; group?: string }) => void;
};

/**
 * Filters by one tag or one group. The options are loaded when a list is opened, since there may be hundreds of
 * groups.
 */
export function ScreenFilters({ tag, tags, group, hasGroups, onChange }: ScreenFiltersProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<'tag' | 'group'>();
  const groups = useQuery({ ...groupsQuery, enabled: opened === 'group' || group !== undefined }).data;
  return (
    <>
      {tags.length > 0 && (
        <Filter
          label={t('screens.tag')}
          all={t('screens.allTags')}
          value={tag}
          options={tags.map((one) => ({ value: one, label: one }))}
          isOpened={opened === 'tag'}
          onOpen={() => setOpened('tag')}
          onChange={(one) => onChange({ tag: one })}
        />
      )}
      {hasGroups && (
        <Filter
          label={t('screens.group')}
          all={t('screens.allGroups')}
          value={group}
          options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
          isOpened={opened === 'group'}
          onOpen={() => setOpened('group')}
          onChange={(id) => onChange({ group: id })}
        />
      )}
    </>
  );
}

type FilterProps = {
  label: string;
  /** Label of the option without a filter. */
  all: string;
  value: string | undefined;
  /** The options; undefined while loading. */
  options: readonly Option<string>[] | undefined;
  isOpened: boolean;
  onOpen: () => void;
  onChange: (value: string) => void;
};

function Filter({ label, all, value = '', options, isOpened, onOpen, onChange }: FilterProps) {
  const says = value === '' ? all : (options?.find((option) => option.value === value)?.label ?? '…');
  const closed = <ClosedSelect label={label} hideLabel says={says} onOpen={onOpen} />;
  if (!isOpened || !options) return closed;
  return (
    <Suspense fallback={closed}>
      <Select
        label={label}
        hideLabel
        value={value}
        options={[{ value: '', label: all }, ...options]}
        onChange={(chosen) => onChange(chosen as string)}
        defaultOpen
      />
    </Suspense>
  );
}
