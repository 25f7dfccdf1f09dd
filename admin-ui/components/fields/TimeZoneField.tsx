import { useState } from 'react';
import { Select } from '../choices/Select.tsx';
import type { SelectProps } from '../choices/SelectFrame.tsx';

type TimeZoneFieldProps = Pick<SelectProps<string>, 'label' | 'hint' | 'onChange' | 'isDisabled'> & { value: string };

/** Returns the time zones of Intl, and also the present value if Intl does not list it (such as UTC). */
const zonesWith = (value: string): { value: string; label: string }[] => {
  const zones = Intl.supportedValuesOf('timeZone');
  return (zones.includes(value) ? zones : [value, ...zones]).map((id) => ({
    value: id,
    label: id.replaceAll('_', ' '),
  }));
};

export function TimeZoneField(props: TimeZoneFieldProps) {
  const [zones] = useState(() => zonesWith(props.value));
  return <Select {...props} options={zones} />;
}
