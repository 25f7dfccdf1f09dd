import { ChevronsUpDown } from 'lucide-react';
import { useId } from 'react';
import '../fields/fields.css';

type ClosedSelectProps = {
  label: string;
  hideLabel?: boolean;
  /** Label of the chosen option. */
  says: string | undefined;
  isDisabled?: boolean;
  onOpen: () => void;
};

/** Placeholder for a select until it is opened: the list and its code are loaded only then. */
export function ClosedSelect({ label, hideLabel = false, says, isDisabled = false, onOpen }: ClosedSelectProps) {
  const id = useId();
  return (
    <div className="field">
      <span id={`${id}l`} className={hideLabel ? 'visually-hidden' : 'field-label'}>
        {label}
      </span>
      <button
        id={`${id}b`}
        type="button"
        className="input select-button"
        aria-haspopup="listbox"
        aria-labelledby={`${id}b ${id}l`}
        disabled={isDisabled}
        onClick={onOpen}
        onKeyDown={(event) => {
          if (!OPENING.has(event.key)) return;
          event.preventDefault();
          onOpen();
        }}
      >
        <span>{says}</span>
        <ChevronsUpDown aria-hidden />
      </button>
    </div>
  );
}

const OPENING: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp']);
