import { useTranslation } from 'react-i18next';
import { Select } from '../../components/Select.tsx';

type ScreenFiltersProps = {
  tag: string | undefined;
  tags: readonly string[];
  group: string | undefined;
  groups: readonly { readonly id: string; readonly name: string }[];
  onChange: (change: { tag?: string; group?: string }) => void;
};

/** Screens with one tag, or of one group. */
export function ScreenFilters({ tag, tags, group, groups, onChange }: ScreenFiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      {tags.length > 0 && (
        <Select
          label={t('screens.tag')}
          hideLabel
          value={tag ?? ''}
          onChange={(one) => onChange({ tag: one })}
          options={[{ value: '', label: t('screens.allTags') }, ...tags.map((one) => ({ value: one, label: one }))]}
        />
      )}
      {groups.length > 0 && (
        <Select
          label={t('screens.group')}
          hideLabel
          value={group ?? ''}
          onChange={(id) => onChange({ group: id })}
          options={[
            { value: '', label: t('screens.allGroups') },
            ...groups.map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
      )}
    </>
  );
}
