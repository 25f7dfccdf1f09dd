import type { CommandResult } from '../../../shared/contract/screens/devices.ts';

export const GROUP_COLOURS = [
  { value: '#3b82f6', name: 'blue' },
  { value: '#0e7c66', name: 'green' },
  { value: '#b4532a', name: 'rust' },
  { value: '#8a2a63', name: 'plum' },
  { value: '#6d4bb8', name: 'violet' },
  { value: '#a8323e', name: 'red' },
  { value: '#b07d12', name: 'gold' },
  { value: '#5b6b7c', name: 'grey' },
] as const satisfies readonly { value: string; name: string }[];

export const toneOfResult: Record<CommandResult['status'], 'good' | 'warn' | 'bad' | undefined> = {
  done: 'good',
  sent: undefined,
  failed: 'bad',
  unsupported: 'warn',
  offline: 'warn',
};

const ORDER: Record<CommandResult['status'], number> = { failed: 0, unsupported: 1, offline: 2, sent: 3, done: 4 };
/** Returns the results sorted by state (failed first), then by name in natural order. */
export const worstFirst = (results: readonly CommandResult[], locale: string): CommandResult[] => {
  const collator = new Intl.Collator(locale, { numeric: true });
  return [...results].sort((a, b) => ORDER[a.status] - ORDER[b.status] || collator.compare(a.name, b.name));
};
