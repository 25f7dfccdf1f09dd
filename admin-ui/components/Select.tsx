import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import './fields.css';
import './Menu.css';

export type Option<V extends string> = {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
};

type SelectProps<V extends string> = {
  label: string;
  /** Leaves the label to screen readers, where its place makes plain to everybody else what it is. */
  hideLabel?: boolean;
  hint?: ReactNode;
  placeholder?: string;
  options: readonly Option<V>[];
  value: V | null;
  onChange: (value: V) => void;
  isDisabled?: boolean;
};

export function Select<V extends string>({
  label,
  hideLabel = false,
  hint,
  placeholder,
  options,
  value,
  onChange,
  isDisabled = false,
}: SelectProps<V>) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => key !== null && onChange(key as V)}
      isDisabled={isDisabled}
      {...(placeholder !== undefined && { placeholder })}
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label>{label}</Label>}
      <Button className="input select-button">
        <SelectValue>{({ selectedText, defaultChildren }) => selectedText || defaultChildren}</SelectValue>
        <ChevronsUpDown aria-hidden />
      </Button>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
      <Popover className="popover">
        <ListBox className="menu" items={options.map((o) => ({ id: o.value, ...o }))}>
          {(option) => (
            <ListBoxItem className="menu-item" textValue={option.label}>
              <span className="menu-text">
                <Text slot="label">{option.label}</Text>
                {option.hint && <Text slot="description">{option.hint}</Text>}
              </span>
              <Check aria-hidden className="menu-check" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
