import { Folder as FolderIcon, House } from 'lucide-react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useTranslation } from 'react-i18next';
import { flatten } from './folders.utils.ts';
import { useFolders, useReach } from './useFolders.ts';

type FolderPickerProps = {
  value: string | null;
  onChange: (id: string | null) => void;
  isDisabled?: (id: string) => boolean;
};
const ROOT = '';

/** Field for choosing a folder into which the user may put content. */
export function FolderPicker({ value, onChange, isDisabled }: FolderPickerProps) {
  const { t } = useTranslation();
  const { tree } = useFolders();
  const reach = useReach();
  return (
    <RadioGroup
      className="folder-picker"
      aria-label={t('content.folder')}
      value={value ?? ROOT}
      onChange={(id) => onChange(id || null)}
    >
      <Radio value={ROOT} className="folder-choice" isDisabled={!reach.has(null)}>
        <House aria-hidden />
        {t('content.noFolder')}
      </Radio>
      {flatten(tree).map(({ folder, depth }) => (
        <Radio
          key={folder.id}
          value={folder.id}
          className="folder-choice"
          style={{ paddingInlineStart: `${0.75 + depth * 1.25}rem` }}
          isDisabled={!reach.has(folder.id) || (isDisabled?.(folder.id) ?? false)}
        >
          <FolderIcon aria-hidden />
          <span className="truncate">{folder.name}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
