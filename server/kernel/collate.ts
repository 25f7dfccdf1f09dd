/** Compares names for sorting. Numbers are compared by value, so Till 2 comes before Till 10. */
export const { compare: collate } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
