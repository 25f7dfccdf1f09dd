import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/AmountField.tsx';
import { TextField } from '../../components/TextField.tsx';
import type { LayoutDraft } from './layout.utils.ts';

type SizeFieldsProps = {
  draft: LayoutDraft;
  onChange: (edit: (draft: LayoutDraft) => LayoutDraft, kind: string) => void;
  canEdit: boolean;
};

/** What is the whole layout's, shown while no zone is chosen. */
export function SizeFields({ draft, onChange, canEdit }: SizeFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="form">
      <TextField
        label={t('common.name')}
        value={draft.name}
        onChange={(name) => onChange((d) => ({ ...d, name }), 'name')}
        error={draft.name.trim() ? undefined : t('form.missing', { field: t('common.name') })}
        maxLength={200}
        isDisabled={!canEdit}
      />
      <div className="rect-fields">
        <AmountField
          label={t('layout.rect.width')}
          value={draft.width}
          min={1}
          max={100_000}
          unit="px"
          isDisabled={!canEdit}
          onChange={(width) => onChange((d) => ({ ...d, width }), 'width')}
        />
        <AmountField
          label={t('layout.rect.height')}
          value={draft.height}
          min={1}
          max={100_000}
          unit="px"
          isDisabled={!canEdit}
          onChange={(height) => onChange((d) => ({ ...d, height }), 'height')}
        />
      </div>
      {canEdit && <p className="field-hint">{t('layout.pickZone')}</p>}
    </div>
  );
}
