import { Check } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import './fields.css';
import './Swatches.css';

type SwatchesProps = {
  label: string;
  colours: readonly { readonly value: string; readonly name: string }[];
  value: string;
  onChange: (value: string) => void;
  isDisabled?: boolean;
};

/** Radio buttons for a few colours. A present colour that is none of them, set through the API, is offered as well. */
export function Swatches({ label, colours, value, onChange, isDisabled = false }: SwatchesProps) {
  const known = colours.some((colour) => colour.value.toLowerCase() === value.toLowerCase());
  const all = known || !value ? colours : [...colours, { value, name: value }];
  return (
    <RadioGroup
      className="field"
      value={value.toLowerCase()}
      onChange={(next) => onChange(next)}
      isDisabled={isDisabled}
      orientation="horizontal"
    >
      <Label>{label}</Label>
      <div className="swatches">
        {all.map((colour) => (
          <Radio
            key={colour.value}
            value={colour.value.toLowerCase()}
            className="swatch"
            aria-label={colour.name}
            style={{ '--swatch': colour.value } as CSSProperties}
          >
            <Check aria-hidden />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
