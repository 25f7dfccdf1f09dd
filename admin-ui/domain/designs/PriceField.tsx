import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amountOf } from '../../../shared/design/draw/price.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import type { PriceValue } from './fields.ts';

type PriceFieldProps = {
  label: string;
  value: PriceValue;
  /** ISO 4217 */
  currency: string;
  onChange: (value: PriceValue) => void;
};

/** Price, former price and unit. A decimal comma and a decimal point are accepted in every language. */
export function PriceField({ label, value, currency, onChange }: PriceFieldProps) {
  const { t } = useTranslation();
  const fields = useRef<HTMLDivElement>(null);
  useSelectedOnClick(fields);
  return (
    <div className="price-field" ref={fields}>
      <AmountText
        label={`${label} (${currency})`}
        amount={value.amount}
        onChange={(amount) => onChange({ ...value, amount })}
      />
      <AmountText
        label={t('templates.oldPrice')}
        amount={value.old_amount}
        onChange={(old_amount) => onChange({ ...value, old_amount })}
      />
      <TextField
        label={t('designer.price.unit')}
        value={value.unit}
        maxLength={200}
        onChange={(unit) => onChange({ ...value, unit })}
      />
    </div>
  );
}

/** Selects the whole text of a field with the click that enters the field, so that typing replaces it. */
const useSelectedOnClick = (fields: React.RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const box = fields.current;
    let entered: EventTarget | null = null;
    const enter = ({ target }: Event) => {
      entered = target;
    };
    const click = ({ target }: Event) => {
      if (target === entered && target instanceof HTMLInputElement) target.select();
      entered = null;
    };
    box?.addEventListener('focusin', enter);
    box?.addEventListener('click', click);
    return () => {
      box?.removeEventListener('focusin', enter);
      box?.removeEventListener('click', click);
    };
  }, [fields]);
};

type AmountTextProps = { label: string; amount: number | null; onChange: (amount: number | null) => void };

function AmountText({ label, amount, onChange }: AmountTextProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  /** The text while it is typed; undefined: the written amount. */
  const [typed, setTyped] = useState<string>();
  const written = amount === null ? '' : writeAmount(amount, locale);
  const text = typed ?? written;
  const isWrong = text.trim() !== '' && amountOf(text) === undefined;
  return (
    <TextField
      label={label}
      value={text}
      inputMode="decimal"
      maxLength={20}
      error={isWrong ? t('templates.noPrice', { example: writeAmount(14.5, locale) }) : undefined}
      onBlur={() => !isWrong && setTyped(undefined)}
      onChange={(next) => {
        setTyped(next);
        if (next.trim() === '') onChange(null);
        else if (amountOf(next) !== undefined) onChange(amountOf(next)!);
      }}
    />
  );
}

const writeAmount = (amount: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  }).format(amount);
