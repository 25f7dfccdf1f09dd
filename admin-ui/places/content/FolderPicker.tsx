import { Folder as FolderIcon, House } from 'lucide-react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useTranslation } from 'react-i18next';
import { flatten } from './folders.utils.ts';
import { useFolders } from './useFolders.ts';

type FolderPickerProps = {
  value: string | null;
  onChange: (id: string | null) => void;
  isDisabled?: (id: string) => boolean;
};
const ROOT = '';

/** One place of the tree. */
export function FolderPicker({ value, onChange, isDisabled }: FolderPickerProps) {
  const { t } = useTranslation();
  const { tree } = useFolders();
  return (
    <RadioGroup
      className="folder-picker"
      aria-label={t('content.folder')}
      value={value ?? ROOT}
      onChange={(id) => onChange(id || null)}
    >
      <Radio value={ROOT} className="folder-choice">
        <House aria-hidden />
        {t('content.noFolder')}
      </Radio>
      {flatten(tree).map(({ folder, depth }) => (
        <Radio
          key={folder.id}
          value={folder.id}
          className="folder-choice"
          style={{ paddingInlineStart: `${0.75 + depth * 1.25}rem` }}
          isDisabled={isDisabled?.(folder.id) ?? false}
        >
          <FolderIcon aria-hidden />
          <span className="truncate">{folder.name}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
