import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Option } from './SelectFrame.tsx';
import './RadioCards.css';

type RadioCardsProps<V extends string> = {
  label: string;
  /**
   * Hides the label visually if the position of the control makes its purpose clear. Screen readers still read the
   * label.
   */
  hideLabel?: boolean;
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
};

/** Radio buttons that explain each option, for choices with consequences. */
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
