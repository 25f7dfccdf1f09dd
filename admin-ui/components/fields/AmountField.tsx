import type { ReactNode } from 'react';
import { NumberField } from './NumberField.tsx';

type AmountFieldProps = {
  label: string;
  hint?: ReactNode;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  /** Digits after the point. @default 0 */
  digits?: number;
  unit?: string;
  isDisabled?: boolean;
};

/** A required number: a field that is cleared and left keeps its former value. */
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
