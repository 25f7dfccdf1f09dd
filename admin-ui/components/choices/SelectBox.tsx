import { Check } from 'lucide-react';
import { useRef } from 'react';
import '../fields/fields.css';
import './SelectBox.css';

type SelectBoxProps = {
  label: string;
  isSelected: boolean;
  /**
   * Called when the box is toggled. `range`: Shift was pressed, so all records between the last toggled record and this
   * record are meant.
   */
  onToggle: (how: { range: boolean }) => void;
  /** −1 if the Tab key skips the box, because arrow keys reach it. */
  tabIndex?: 0 | -1;
};

/**
 * The small checkbox that selects a record of a list. A native input, since long lists create and remove hundreds of
 * boxes while scrolling.
 */
export function SelectBox({ label, isSelected, onToggle, tabIndex = 0 }: SelectBoxProps) {
  const shift = useRef(false);
  return (
    <span
      className="select-box-place"
      onPointerDownCapture={(event) => (shift.current = event.shiftKey)}
      onKeyDownCapture={(event) => (shift.current = event.shiftKey)}
    >
      <label className="checkbox select-box" {...(isSelected && { 'data-selected': true })}>
        <input
          type="checkbox"
          className="visually-hidden"
          aria-label={label}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={() => onToggle({ range: shift.current })}
        />
        <span className="checkbox-box">
          <Check aria-hidden />
        </span>
      </label>
    </span>
  );
}
