import { success } from '../../shared/contract/fields.ts';

/**
 * Counts what became of something that was sent to several devices: `sent` reached a player, whatever it answered.
 * @param reached says so of one
 */
export const countResults = <R extends { readonly status: string }>(
  results: R[],
  reached: (result: R) => boolean = ({ status }) => status !== 'offline',
) => {
  const sent = results.filter(reached).length;
  return { ...success, sent, offline: results.length - sent, total: results.length, results };
};
