import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Option } from './SelectFrame.tsx';
import './RadioCards.css';

type RadioCardsProps<V extends string> = {
  label: string;
  /** Leaves the label to screen readers, where its place makes plain to everybody else what it is. */
  hideLabel?: boolean;
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
};

/** One of a few, each with a sentence of what it means: for choices that one should not make blindly. */
export function RadioCards<V extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
}: RadioCardsProps<V>) {
  return (
    <RadioGroup
      className="field radio-cards"
      value={value}
      onChange={(next) => onChange(next as V)}
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label>{label}</Label>}
      <div>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className="radio-card">
            <span className="radio-dot" />
            <span className="radio-text">
              <strong>{option.label}</strong>
              {option.hint && <small>{option.hint}</small>}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
