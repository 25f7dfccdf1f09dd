import type { SegmentBody, SegmentPlay } from '../../shared/chain/segment.ts';
import { dayOf } from '../../shared/program/civil.ts';
import type { Zone } from '../../shared/program/zones.ts';
import { subjectOf } from '../features/reports/sums.ts';
import type { NamedSubject, Taken, TakenSum } from './warehouse.ts';

/**
 * What plays add to the sums: of each day and what was shown, of all screens and of each.
 * @param zone of headquarters, whose days they are
 */
export const summed = (
  plays: readonly SegmentPlay[],
  devices: SegmentBody['devices'],
  zone: Zone,
): Pick<Taken, 'subjects' | 'sums'> => {
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const subjects: NamedSubject[] = [];
  const places = new Map<string, number>();
  const placeOf = (subject: NamedSubject): number => {
    const key = `${subject.kind} ${subject.ref}`;
    const place = places.get(key) ?? subjects.length;
    places.set(key, place);
    // The name that it had last.
    if (subjects[place] === undefined || subjects[place].at <= subject.at) subjects[place] = subject;
    return place;
  };
  const sums = new Map<string, Omit<TakenSum, 'plays' | 'ms'> & { plays: number; ms: number }>();
  for (const play of plays) {
    const { device_id, content_name, started_ms: at, ended_ms } = play;
    const shown = placeOf({ ...subjectOf(play), name: content_name, at });
    const device = placeOf({ kind: 'device', ref: device_id, name: names.get(device_id) ?? '', at });
    const day = dayOf(zone.toLocal(at));
    for (const whose of [null, device]) {
      const key = `${day} ${whose} ${shown}`;
      const sum = sums.get(key) ?? { day, device: whose, shown, plays: 0, ms: 0 };
      sum.plays++;
      sum.ms += ended_ms - at;
      sums.set(key, sum);
    }
  }
  return { subjects, sums: [...sums.values()] };
};
