import { isDayKnown } from '../../../../shared/contract/server/known-days.ts';
import type { Delivery } from '../../../../shared/contract/server/reports.ts';
import { dayOf } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import type { DeliveryQuestion } from './delivery-reader.ts';

/** Returns whether the plan is known for long enough to show the delivered share of the planned plays. */
export const hasKnownDay = (
  { known_from }: Pick<Delivery, 'known_from'>,
  { start, end, zone, now }: Pick<DeliveryQuestion, 'start' | 'end' | 'zone' | 'now'>,
): boolean => {
  if (known_from === null) return false;
  const dayAt = (instant: number) => dayOf(toLocal(instant, zone));
  const days = { start: dayAt(start), end: dayAt(end - 1) };
  return known_from * 1000 <= start || isDayKnown(known_from, days, zone, now / 1000);
};
