import { useTranslation } from 'react-i18next';
import { Switch } from '../../../components/choices/Choices.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { ColorChoice } from './ColorChoice.tsx';
import type { PanelProps } from './panelProps.ts';

const MAX_AMOUNT = 1_000_000;
const isCurrency = (code: string): boolean => /^[A-Z]{3}$/.test(code);

/** Amount, former amount, currency and unit of a price. */
export function PricePanel({ element, change, canEdit }: PanelProps<'price'>) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  return (
    <>
      <NumberField
        label={t('designer.price.amount')}
        value={element.amount}
        min={0}
        max={MAX_AMOUNT}
        digits={2}
        step={0.1}
        isDisabled={isDisabled}
        onChange={(amount) => change({ amount }, 'amount')}
      />
      <NumberField
        label={t('designer.price.oldAmount')}
        value={element.old_amount}
        min={0}
        max={MAX_AMOUNT}
        digits={2}
        step={0.1}
        isDisabled={isDisabled}
        onChange={(old_amount) => change({ old_amount }, 'old_amount')}
      />
      <TextField
        label={t('designer.price.unit')}
        placeholder={t('designer.price.unitExample')}
        value={element.unit}
        isDisabled={isDisabled}
        maxLength={200}
        onChange={(unit) => change({ unit }, 'unit')}
      />
      <TextField
        label={t('designer.price.currency')}
        value={element.currency}
        isDisabled={isDisabled}
        maxLength={3}
        onChange={(code) => isCurrency(code.toUpperCase()) && change({ currency: code.toUpperCase() }, 'currency')}
      />
      <Switch isSelected={element.raised} isDisabled={isDisabled} onChange={(raised) => change({ raised })}>
        {t('designer.price.raised')}
      </Switch>
      <ColorChoice
        label={t('designer.color')}
        value={element.color}
        isDisabled={isDisabled}
        onChange={(color) => change({ color }, 'color')}
      />
    </>
  );
}
