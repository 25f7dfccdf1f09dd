import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import './ColorField.css';
import './fields.css';

type ColorFieldProps = {
  label: string;
  hint?: ReactNode;
  /** The colour as #RRGGBB; '' while no colour is chosen, so that `fallback` applies. */
  value: string;
  onChange: (value: string) => void;
  /** The colour that applies while no colour is chosen. */
  fallback?: string;
  placeholder?: string;
  isDisabled?: boolean;
};

const isHex = (value: string) => /^#[0-9a-f]{6}$/i.test(value);

/** The browser's colour picker with a text field beside it, since style guides give colours as #RRGGBB. */
export function ColorField({
  label,
  hint,
  value,
  onChange,
  fallback = '#ffffff',
  placeholder = '#RRGGBB',
  isDisabled = false,
}: ColorFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="field color-field">
      <label htmlFor={id}>{label}</label>
      <div className="input input-row">
        <span className={value ? 'swatch' : 'swatch none'} style={value ? { background: value } : undefined}>
          <input
            type="color"
            aria-label={t('common.pickColor', { label })}
            value={isHex(value) ? value : fallback}
            disabled={isDisabled}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
        <input
          id={id}
          value={value}
          placeholder={placeholder}
          spellCheck={false}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value.trim())}
        />
        {value && !isDisabled && (
          <button
            type="button"
            className="input-button"
            aria-label={t('common.clearColor', { label })}
            onClick={() => onChange('')}
          >
            <X aria-hidden />
          </button>
        )}
      </div>
      {hint && <span className="field-hint">{hint}</span>}
    </div>
  );
}
