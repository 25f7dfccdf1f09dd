/** State of a headquarters campaign in this store. */
import type { StoreCampaign } from '../../../shared/contract/headquarters/managed.ts';
import { parseLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import type { Tone } from '../../components/frame/Page.tsx';

export type Standing = 'told' | 'fetching' | 'planned' | 'now' | 'pause' | 'over' | 'offer' | 'stayed' | 'refused';

/**
 * @param now epoch milliseconds
 * @returns the most important state; a recurring campaign may pause between its start and its end
 */
export const standingOf = (
  { phase, wanted, rank, start_time, end_time, recurrence, timezone }: StoreCampaign,
  now: number,
): Standing => {
  if (phase === 'refused') return 'refused';
  if (wanted === null) return 'stayed';
  if (phase === 'told' || start_time === null || end_time === null) return 'told';
  if (phase === 'fetching') return 'fetching';
  if (rank === 'offer') return 'offer';
  if (phase === 'showing') return 'now';
  const local = toLocal(now, timezone);
  if (local < parseLocal(start_time)) return 'planned';
  if (recurrence !== null) return 'pause';
  return local < parseLocal(end_time) ? 'now' : 'over';
};

export const TONES: Readonly<Record<Standing, Tone | undefined>> = {
  told: 'info',
  fetching: 'info',
  planned: 'good',
  now: 'good',
  pause: 'good',
  over: undefined,
  offer: undefined,
  stayed: undefined,
  refused: 'bad',
};
