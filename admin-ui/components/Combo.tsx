import { Check, ChevronsUpDown } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import './Combo.css';
import './fields.css';
import './Menu.css';
import type { Option } from './Select.tsx';

type ComboProps = {
  label: string;
  options: readonly Option<string>[];
  value: string;
  onChange: (value: string) => void;
};

const ROW_REM = 2.375;
/** Room for about seven rows. */
const LIST_REM = 17.5;

/** One of many: type to find it. Only the rows in view exist, however many there are. */
export function Combo({ label, options, value, onChange }: ComboProps) {
  const items = useMemo(() => options.map((o) => ({ id: o.value, ...o })), [options]);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (
    <ComboBox
      className="field"
      defaultItems={items}
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      menuTrigger="focus"
    >
      <Label>{label}</Label>
      <Group className="input input-row">
        <Input onFocus={(event) => event.target.select()} />
        <Button className="input-button">
          <ChevronsUpDown aria-hidden />
        </Button>
      </Group>
      <Popover className="popover">
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_REM * rem }}>
          <ListBox
            className="menu combo-list"
            style={{ height: `${Math.min(LIST_REM, items.length * ROW_REM + 0.75)}rem` }}
          >
            {(option: Option<string> & { id: string }) => (
              <ListBoxItem className="menu-item" textValue={option.label}>
                <span className="menu-text truncate">{option.label}</span>
                <Check aria-hidden className="menu-check" />
              </ListBoxItem>
            )}
          </ListBox>
        </Virtualizer>
      </Popover>
    </ComboBox>
  );
}
