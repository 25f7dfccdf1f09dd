import { success } from '../../shared/contract/fields.ts';

/**
 * Counts results of a message to several devices: `sent` is the number of players that were reached, regardless of
 * their answers.
 * @param reached returns whether a result means that the player was reached
 */
export const countResults = <R extends { readonly status: string }>(
  results: R[],
  reached: (result: R) => boolean = ({ status }) => status !== 'offline',
) => {
  const sent = results.filter(reached).length;
  return { ...success, sent, offline: results.length - sent, total: results.length, results };
};
