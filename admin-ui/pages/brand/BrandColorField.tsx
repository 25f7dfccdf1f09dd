import { useTranslation } from 'react-i18next';
import { type Brand, DEFAULT_BRAND } from '../../../shared/design/brand.ts';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { type BrandColor, checkOf, isColor } from './brand.utils.ts';

type BrandColorFieldProps = {
  color: BrandColor;
  /** The typed text. */
  value: string;
  onChange: (value: string) => void;
  /** The brand with all changes. */
  brand: Brand;
  /** Colours of the logo. */
  suggested: readonly string[];
};

/** A colour of the brand, with a sample of text on it and the colours of the logo as suggestions. */
export function BrandColorField({ color, value, onChange, brand, suggested }: BrandColorFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { background, text, contrast, standsOut } = checkOf(brand, color);
  const isWrong = value !== '' && !isColor(value);
  return (
    <div className="brand-color">
      <ColorField
        label={t(`brand.colors.${color}`)}
        value={value}
        fallback={DEFAULT_BRAND[color] ?? background}
        placeholder={color === 'second' ? t('brand.derived') : (DEFAULT_BRAND[color] ?? '')}
        onChange={onChange}
        hint={isWrong ? t('brand.wrongColor') : t(`brand.colorHints.${color}`)}
      />
      <p className="brand-contrast">
        <span className="brand-sample" style={{ background, color: text }} aria-hidden>
          {t('brand.sample')}
        </span>
        <span>
          {t('brand.readable', { contrast: format.number(Math.floor(contrast * 10) / 10) })}
          {!standsOut && ` ${t('brand.hardlySeen')}`}
        </span>
      </p>
      {suggested.length > 0 && color !== 'paper' && (
        <fieldset
          className="brand-suggested"
          aria-label={t('brand.fromLogoFor', { color: t(`brand.colors.${color}`) })}
        >
          <span aria-hidden>{t('brand.fromLogo')}</span>
          {suggested.map((one) => (
            <button
              key={one}
              type="button"
              className="brand-swatch"
              aria-label={one}
              title={one}
              aria-pressed={value.toUpperCase() === one}
              style={{ background: one }}
              onClick={() => onChange(one)}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
