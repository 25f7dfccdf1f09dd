import type { Device } from '../../shared/contract/devices.ts';
import { Checkbox } from '../components/Choices.tsx';
import './ScreenTicks.css';

type ScreenTicksProps = {
  screens: readonly Pick<Device, 'id' | 'name'>[];
  isTicked: (id: string) => boolean;
  /** Tells which screens cannot be changed here. */
  isFixed?: (id: string) => boolean;
  onToggle: (id: string, on: boolean) => void;
  hintOf?: (id: string) => string | undefined;
};

export function ScreenTicks({ screens, isTicked, isFixed, onToggle, hintOf }: ScreenTicksProps) {
  return (
    <ul className="screen-ticks">
      {screens.map(({ id, name }) => (
        <li key={id}>
          <Checkbox
            isSelected={isTicked(id)}
            isDisabled={isFixed?.(id) ?? false}
            onChange={(on) => onToggle(id, on)}
            hint={hintOf?.(id)}
          >
            {name}
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}
