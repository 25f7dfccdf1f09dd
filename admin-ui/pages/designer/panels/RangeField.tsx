import { useId } from 'react';

type RangeFieldProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  unit?: string;
  isDisabled?: boolean;
  onChange: (value: number) => void;
};

/** A slider with its value, for values that people choose by eye. */
export function RangeField({
  label,
  value,
  min,
  max,
  step = 1,
  unit = '',
  isDisabled = false,
  onChange,
}: RangeFieldProps) {
  const id = useId();
  return (
    <div className="field slider-field">
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id} aria-hidden>
        {Math.round(value * 100) / 100}
        {unit === '' || unit === '°' ? unit : `\u00a0${unit}`}
      </output>
      <input
        id={id}
        type="range"
        {...{ min, max, step, value }}
        aria-valuetext={`${Math.round(value * 100) / 100} ${unit}`.trim()}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </div>
  );
}
