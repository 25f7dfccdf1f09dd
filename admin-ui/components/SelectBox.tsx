import { Check } from 'lucide-react';
import { useRef } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import './SelectBox.css';

type SelectBoxProps = { label: string; isSelected: boolean /** `range`: with the shift key, all between the last one and this. */; onToggle: (how: { range: boolean }) => void };

/** The small box with which one thing of many is chosen. */
export function SelectBox({ label, isSelected, onToggle }: SelectBoxProps) {
  const shift = useRef(false);
  return (
    <span className="select-box-place" onPointerDownCapture={(event) => (shift.current = event.shiftKey)} onKeyDownCapture={(event) => (shift.current = event.shiftKey)}>
      <Checkbox className="checkbox select-box" aria-label={label} isSelected={isSelected} onChange={() => onToggle({ range: shift.current })}>
        <span className="checkbox-box">
          <Check aria-hidden />
        </span>
      </Checkbox>
    </span>
  );
}
