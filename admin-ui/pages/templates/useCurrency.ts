import { useState } from 'react';
import { browserStore } from '../../components/hooks/browserStore.ts';
import { ALL_CURRENCIES, currencyOf } from './templates.utils.ts';

const KEY = 'vitrine.currency';

/** Returns the currency of new designs, and a function that changes and remembers it. */
export const useCurrency = (): [currency: string, change: (currency: string) => void] => {
  const [currency, setCurrency] = useState(() => {
    const remembered = browserStore.getItem(KEY);
    return remembered !== null && ALL_CURRENCIES.includes(remembered) ? remembered : currencyOf(navigator.languages);
  });
  return [
    currency,
    (next) => {
      browserStore.setItem(KEY, next);
      setCurrency(next);
    },
  ];
};
