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
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  /** @default 1 */
  step?: number;
  /** Digits after the point. @default 0 */
  digits?: number;
  unit?: string;
  isDisabled?: boolean;
};

/** Arrow keys and the small buttons step, Enter or leaving keeps what was typed. */
export function NumberField({ label, hint, value, onChange, min, max, step = 1, digits = 0, unit, isDisabled = false }: NumberFieldProps) {
  return (
    <AriaNumberField
      className="field number-field"
      value={value}
      minValue={min}
      maxValue={max}
      // A step would round what is typed to it; the buttons' step is enough.
      {...(digits === 0 && { step })}
      isDisabled={isDisabled}
      formatOptions={{ maximumFractionDigits: digits, useGrouping: false }}
      // A field that is emptied and left keeps what it had.
      onChange={(next) => Number.isFinite(next) && next !== value && onChange(next)}
    >
      <Label>{label}</Label>
      <Group className="input input-row">
        <Input />
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
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
    </AriaNumberField>
  );
}
