import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../../shared/contract/screens/devices.ts';
import { FormDialog } from '../../../../components/controls/Dialog.tsx';
import { NumberField } from '../../../../components/fields/NumberField.tsx';
import { TextField } from '../../../../components/fields/TextField.tsx';
import { useLocaleTag } from '../../../../i18n/useFormat.ts';
import { countsOrNames, renamed } from './rename.utils.ts';
import './rename.css';

/** Number of example names in the preview. */
const EXAMPLES = 5;
/** Limits of the server for names and numbers (shared/contract/fields.ts). */
const MAX_NAME = 200;
const MAX_FIRST = 99_999;

/** Dialog that renames many screens by one pattern, with a preview of the first names. */
export function RenameScreens({
  screens,
  isPending,
  onRename,
  onClose,
}: {
  screens: readonly Device[];
  isPending: boolean;
  onRename: (names: ReadonlyMap<string, string>) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const [pattern, setPattern] = useState('');
  const [first, setFirst] = useState<number | null>(1);
  const names = renamed(screens, { pattern, first: first ?? 1, locale });
  const alike = pattern.trim() !== '' && screens.length > 1 && !countsOrNames(pattern);
  const tooLong = [...names.values()].some((name) => name.length > MAX_NAME);
  const before = new Map(screens.map(({ id, name }) => [id, name]));
  const problem = alike ? t('bulk.renameAlike') : tooLong ? t('bulk.renameLong', { max: MAX_NAME }) : undefined;
  return (
    <FormDialog
      title={t('bulk.renameTitle', { count: screens.length })}
      onClose={onClose}
      onSubmit={() => onRename(names)}
      submit={t('bulk.renameDo', { count: screens.length })}
      isDisabled={pattern.trim() === '' || problem !== undefined}
      isPending={isPending}
    >
      <TextField
        label={t('bulk.renamePattern')}
        hint={t('bulk.renameHint')}
        error={problem}
        placeholder={t('bulk.renameExample')}
        value={pattern}
        onChange={setPattern}
        maxLength={MAX_NAME}
        autoFocus
      />
      <NumberField label={t('bulk.renameFirst')} value={first} onChange={setFirst} min={0} max={MAX_FIRST} />
      {pattern.trim() !== '' && (
        <dl className="rename-examples" aria-label={t('bulk.renamePreview')}>
          {[...names].slice(0, EXAMPLES).map(([id, name]) => (
            <div key={id}>
              <dt>{before.get(id)}</dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
      )}
    </FormDialog>
  );
}
