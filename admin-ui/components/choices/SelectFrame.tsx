import { Check, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import '../fields/fields.css';
import './Menu.css';

export type Option<V extends string> = {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
};

export type SelectProps<V extends string> = {
  label: string;
  /**
   * Hides the label visually if the position of the control makes its purpose clear. Screen readers still read the
   * label.
   */
  hideLabel?: boolean;
  hint?: ReactNode;
  placeholder?: string;
  options: readonly Option<V>[];
  value: V | null;
  onChange: (value: V) => void;
  isDisabled?: boolean;
  defaultOpen?: boolean;
};

type FrameProps<V extends string> = Omit<SelectProps<V>, 'options'> & {
  /** Label of the chosen option; undefined if no option is chosen. */
  says: string | undefined;
  popover?: string;
  onOpenChange?: (isOpen: boolean) => void;
  /** Content of the opened select: a list box of {@link Choosable}. */
  children: ReactNode;
};

/** Frame of a select: label, button, hint and popover. */
export function SelectFrame<V extends string>({
  label,
  hideLabel = false,
  hint,
  value,
  onChange,
  says,
  placeholder,
  popover = '',
  onOpenChange,
  children,
  ...field
}: FrameProps<V>) {
  const trigger = useRef<HTMLButtonElement>(null);
  const tell = (isOpen: boolean) => {
    onOpenChange?.(isOpen);
    // Moves the focus to this select when it closes. The ClosedSelect that was pressed does not exist any more.
    if (!isOpen && field.defaultOpen) requestAnimationFrame(() => trigger.current?.focus());
  };
  return (
    <AriaSelect
      {...field}
      onOpenChange={tell}
      className="field"
      value={value}
      onChange={(key) => key !== null && onChange(key as V)}
      {...(placeholder !== undefined && { placeholder })}
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label>{label}</Label>}
      <Button ref={trigger} className="input select-button">
        <SelectValue>{({ defaultChildren }) => says ?? defaultChildren}</SelectValue>
        <ChevronsUpDown aria-hidden />
      </Button>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
      <Popover className={`popover ${popover}`}>{children}</Popover>
    </AriaSelect>
  );
}

export function Choosable<V extends string>({ option }: { option: Option<V> }) {
  return (
    <ListBoxItem className="menu-item" id={option.value} textValue={option.label}>
      <span className="menu-text">
        <Text slot="label">{option.label}</Text>
        {option.hint && <Text slot="description">{option.hint}</Text>}
      </span>
      <Check aria-hidden className="menu-check" />
    </ListBoxItem>
  );
}
