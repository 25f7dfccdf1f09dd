/** Puts names in their order, numbers by their value: Till 2 comes before Till 10. */
export const { compare: collate } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
