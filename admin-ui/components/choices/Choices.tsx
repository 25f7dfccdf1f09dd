/** Controls whose options are always visible: switch, checkbox, radio buttons. */
import { Check, type LucideIcon, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import '../fields/fields.css';

type OnOff = {
  children: ReactNode;
  hint?: ReactNode;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
};

/** A switch takes effect at once. Use a Checkbox if the choice takes effect when a form is sent. */
export function Switch({ children, hint, ...rest }: OnOff) {
  return (
    <AriaSwitch {...rest} className="switch">
      <span className="switch-track" />
      <span className="switch-text">
        {children}
        {hint && <small>{hint}</small>}
      </span>
    </AriaSwitch>
  );
}

export function Checkbox({ children, hint, ...rest }: OnOff & { isIndeterminate?: boolean }) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      {({ isIndeterminate }) => (
        <>
          <span className="checkbox-box">{isIndeterminate ? <Minus aria-hidden /> : <Check aria-hidden />}</span>
          <span className="switch-text">
            {children}
            {hint && <small>{hint}</small>}
          </span>
        </>
      )}
    </AriaCheckbox>
  );
}

type SegmentsProps<V extends string> = {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: string; icon?: LucideIcon; iconOnly?: boolean }[];
  isDisabled?: boolean;
};

export function Segments<V extends string>({ label, value, onChange, options, isDisabled = false }: SegmentsProps<V>) {
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(key as V);
      }}
    >
      {options.map(({ value: id, label: text, icon: Icon, iconOnly = false }) => (
        <ToggleButton key={id} id={id} {...(iconOnly && { 'aria-label': text })}>
          {Icon && <Icon aria-hidden />}
          {!iconOnly && text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
