import type { ReactNode } from 'react';
import { NumberField } from './NumberField.tsx';

type AmountFieldProps = {
  label: string;
  hint?: ReactNode;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  /** Number of digits after the decimal point. @default 0 */
  digits?: number;
  unit?: string;
  isDisabled?: boolean;
};

/** A field for a required number. If the user empties and leaves the field, it keeps its former value. */
export function AmountField({ value, onChange, digits = 0, ...rest }: AmountFieldProps) {
  return (
    <NumberField
      {...rest}
      value={value}
      digits={digits}
      step={10 ** -digits}
      onChange={(next) => next !== null && next !== value && onChange(next)}
    />
  );
}
