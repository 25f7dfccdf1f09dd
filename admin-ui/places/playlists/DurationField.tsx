import { ChevronDown, ChevronUp } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { NumberField } from 'react-aria-components/NumberField';
import { useTranslation } from 'react-i18next';

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
      <Group className="input input-row">
        <Input />
        <span className="unit" aria-hidden>
          {t('playlist.seconds')}
        </span>
        <span className="steps">
          <Button slot="increment">
            <ChevronUp aria-hidden />
          </Button>
          <Button slot="decrement">
            <ChevronDown aria-hidden />
          </Button>
        </span>
      </Group>
    </NumberField>
  );
}
