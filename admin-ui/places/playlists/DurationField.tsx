import { NumberField } from 'react-aria-components/NumberField';
import { useTranslation } from 'react-i18next';
import { NumberBox } from '../../components/NumberField.tsx';

const YEAR = 31_536_000;

/** Whole seconds. Arrow keys and the small buttons step, Enter or leaving keeps what was typed. */
export function DurationField({ label, value, onChange, isDisabled }: { label: string; value: number; onChange: (seconds: number) => void; isDisabled: boolean }) {
  const { t } = useTranslation();
  return (
    <NumberField
      className="item-duration"
      aria-label={label}
      value={value}
      minValue={1}
      maxValue={YEAR}
      step={1}
      isDisabled={isDisabled}
      formatOptions={{ maximumFractionDigits: 0 }}
      // A field that is emptied and left keeps what it had.
      onChange={(seconds) => Number.isFinite(seconds) && seconds !== value && onChange(seconds)}
    >
      <NumberBox unit={t('playlist.seconds')} />
    </NumberField>
  );
}
