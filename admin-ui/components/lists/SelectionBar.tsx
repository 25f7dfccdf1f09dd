import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../controls/Button.tsx';
import '../choices/SelectBox.css';
import { useReserve } from '../hooks/useReserve.ts';

type SelectionBarProps = {
  text: string;
  onClear: () => void;
  /** Called to select all records. Absent when all records are selected already. */
  onAll?: (() => void) | undefined;
  children: ReactNode;
};

/** Bar at the bottom of the page with the actions on the selected records. Escape clears the selection. */
export function SelectionBar({ text, onClear, onAll, children }: SelectionBarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  useReserve('bar', bar);
  const clear = useRef(onClear);
  clear.current = onClear;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape clears the selection only if no dialog or menu is open, because it closes these first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('.dialog-veil, .popover'))
        clear.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <section ref={bar} className="selection-bar" aria-label={text}>
      <p role="status">{text}</p>
      {onAll && (
        <Button size="small" variant="quiet" onPress={onAll}>
          {t('selection.all')}
        </Button>
      )}
      <div className="selection-actions">{children}</div>
      <IconButton icon={X} size="small" label={t('selection.clear')} onPress={onClear} />
    </section>
  );
}
