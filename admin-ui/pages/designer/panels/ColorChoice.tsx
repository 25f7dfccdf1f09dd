import { useTranslation } from 'react-i18next';
import { colorIn, paletteOf } from '../../../../shared/design/brand.ts';
import { COLOR_ROLES, type Color } from '../../../../shared/design/fills.ts';
import { useBrand } from '../../../api/brand.ts';
import { ColorField } from '../../../components/fields/ColorField.tsx';

type ColorChoiceProps = { label: string; value: Color; onChange: (color: Color) => void; isDisabled?: boolean };

/** Colours of the brand, which follow the brand when it changes, and a field for any other colour. */
export function ColorChoice({ label, value, onChange, isDisabled = false }: ColorChoiceProps) {
  const { t } = useTranslation();
  const palette = paletteOf(useBrand());
  return (
    <fieldset className="color-choice">
      <legend>{label}</legend>
      <div className="color-roles">
        {COLOR_ROLES.map((role) => (
          <button
            key={role}
            type="button"
            className="color-role"
            aria-label={t(`designer.roles.${role}`)}
            title={t(`designer.roles.${role}`)}
            aria-pressed={value === role}
            disabled={isDisabled}
            style={{ background: palette[role] }}
            onClick={() => onChange(role)}
          />
        ))}
      </div>
      <ColorField
        label={t('designer.otherColor')}
        value={value.startsWith('#') ? value.slice(0, 7) : ''}
        fallback={colorIn(palette, value).slice(0, 7)}
        isDisabled={isDisabled}
        onChange={(hex) => /^#[0-9a-f]{6}$/i.test(hex) && onChange(hex as Color)}
      />
    </fieldset>
  );
}
