import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../../components/choices/Choices.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { TextLook } from './LookFields.tsx';
import type { PanelProps } from './panelProps.ts';

const MAX_AMOUNT = 1_000_000;

/** Amount, former amount, currency and unit of a price. */
export function PricePanel({ element, change, canEdit }: PanelProps<'price'>) {
  const { t, i18n } = useTranslation();
  const isDisabled = !canEdit;
  const currencies = useMemo(() => currencyOptions(i18n.language, element.currency), [i18n.language, element.currency]);
  return (
    <>
      <div className="field-pair">
        <NumberField
          label={t('designer.price.amount')}
          value={element.amount}
          min={0}
          max={MAX_AMOUNT}
          digits={2}
          step={0.01}
          isDisabled={isDisabled}
          onChange={(amount) => change({ amount }, 'amount')}
        />
        <NumberField
          label={t('designer.price.oldAmount')}
          value={element.old_amount}
          min={0}
          max={MAX_AMOUNT}
          digits={2}
          step={0.01}
          isDisabled={isDisabled}
          onChange={(old_amount) => change({ old_amount }, 'old_amount')}
        />
      </div>
      <TextField
        label={t('designer.price.unit')}
        placeholder={t('designer.price.unitExample')}
        value={element.unit}
        isDisabled={isDisabled}
        maxLength={200}
        onChange={(unit) => change({ unit }, 'unit')}
      />
      <Select
        label={t('designer.price.currency')}
        value={element.currency}
        isDisabled={isDisabled}
        options={currencies}
        onChange={(currency) => change({ currency })}
      />
      <Switch isSelected={element.raised} isDisabled={isDisabled} onChange={(raised) => change({ raised })}>
        {t('designer.price.raised')}
      </Switch>
      <TextLook element={element} change={change} canEdit={canEdit} />
    </>
  );
}

/** Returns all currencies of the browser with their names, and the current one even if the browser does not know it. */
const currencyOptions = (language: string, current: string) => {
  const names = new Intl.DisplayNames([language], { type: 'currency' });
  return [...new Set([current, ...Intl.supportedValuesOf('currency')])]
    .toSorted()
    .map((code) => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));
};
