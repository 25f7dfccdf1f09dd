import { useTranslation } from 'react-i18next';
import { useBrand } from '../../../api/brand.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { RangeField } from './RangeField.tsx';

type RadiusFieldProps = {
  /** Radius in units; null: the radius of the brand. */
  value: number | null;
  isDisabled: boolean;
  onChange: (radius: number | null) => void;
};

const MAX_RADIUS = 200;

/** Round corners: as the brand has them, or with an own radius. */
export function RadiusField({ value, isDisabled, onChange }: RadiusFieldProps) {
  const { t } = useTranslation();
  const { radius } = useBrand();
  return (
    <>
      <Switch
        isSelected={value === null}
        isDisabled={isDisabled}
        onChange={(isOfBrand) => onChange(isOfBrand ? null : radius)}
      >
        {t('designer.look.brandCorners')}
      </Switch>
      {value !== null && (
        <RangeField
          label={t('designer.look.radius')}
          value={Math.min(value, MAX_RADIUS)}
          min={0}
          max={MAX_RADIUS}
          step={2}
          isDisabled={isDisabled}
          onChange={onChange}
        />
      )}
    </>
  );
}
