import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { NumberField as AriaNumberField } from 'react-aria-components/NumberField';
import { Text } from 'react-aria-components/Text';
import './fields.css';
import './NumberField.css';

type NumberFieldProps = {
  label: string;
  hint?: ReactNode;
  /** The number; null while the field is empty. */
  value: number | null;
  onChange: (value: number | null) => void;
  min: number;
  max: number;
  step?: number;
  /** Number of digits after the decimal point. */
  digits?: number;
  unit?: string | undefined;
  /** Text in the empty field: the value that applies then. */
  placeholder?: string | undefined;
  isDisabled?: boolean;
};

/**
 * A field for an optional number. Arrow keys and the small buttons change the number by a step. If the field is empty,
 * a default of the product applies.
 */
export function NumberField({
  label,
  hint,
  value,
  onChange,
  min,
  max,
  step = 1,
  digits = 0,
  unit,
  placeholder,
  isDisabled = false,
}: NumberFieldProps) {
  return (
    <AriaNumberField
      className="field"
      value={value ?? Number.NaN}
      minValue={min}
      maxValue={max}
      step={step}
      isDisabled={isDisabled}
      formatOptions={{ maximumFractionDigits: digits, useGrouping: false }}
      onChange={(next) => onChange(Number.isFinite(next) ? next : null)}
    >
      <Label>{label}</Label>
      <NumberBox unit={unit} placeholder={placeholder} />
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
    </AriaNumberField>
  );
}

/** The inner part of a number field: number, unit, small buttons. */
export function NumberBox({ unit, placeholder }: { unit?: string | undefined; placeholder?: string | undefined }) {
  return (
    <Group className="input input-row number-box">
      <Input {...(placeholder !== undefined && { placeholder })} />
      {unit && (
        <span className="unit" aria-hidden>
          {unit}
        </span>
      )}
      <span className="steps">
        <Button slot="increment">
          <ChevronUp aria-hidden />
        </Button>
        <Button slot="decrement">
          <ChevronDown aria-hidden />
        </Button>
      </span>
    </Group>
  );
}
