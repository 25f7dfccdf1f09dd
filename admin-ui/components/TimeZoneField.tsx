import { Check, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import './fields.css';
import './Menu.css';

type TimeZoneFieldProps = {
  label: string;
  hint?: string;
  value: string;
  onChange: (zone: string) => void;
  isDisabled?: boolean;
};

/** What Intl names, and what is set already when Intl names it otherwise (UTC). */
const zonesWith = (value: string): { id: string; label: string }[] => {
  const zones = Intl.supportedValuesOf('timeZone');
  return (zones.includes(value) ? zones : [value, ...zones]).map((id) => ({ id, label: id.replaceAll('_', ' ') }));
};

export function TimeZoneField({ label, hint, value, onChange, isDisabled = false }: TimeZoneFieldProps) {
  const [zones] = useState(() => zonesWith(value));
  return (
    <ComboBox
      className="field"
      defaultItems={zones}
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      isDisabled={isDisabled}
      menuTrigger="focus"
    >
      <Label>{label}</Label>
      <Group className="input input-row">
        <Input />
        <Button className="input-button">
          <ChevronsUpDown aria-hidden />
        </Button>
      </Group>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
      <Popover className="popover">
        <ListBox className="menu">
          {(zone: { id: string; label: string }) => (
            <ListBoxItem className="menu-item" textValue={zone.label}>
              <span className="menu-text">{zone.label}</span>
              <Check aria-hidden className="menu-check" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
