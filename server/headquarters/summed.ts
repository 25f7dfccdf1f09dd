import { createHash } from 'node:crypto';
import { campaignOf } from '../../shared/chain/campaign-ids.ts';
import type { SegmentBody, SegmentPlay } from '../../shared/chain/segment.ts';
import { dayOf } from '../../shared/program/civil.ts';
import type { Zone } from '../../shared/program/zones.ts';
import { type Subject, subjectOf } from '../features/reports/sums.ts';
import type { NamedSubject, Taken, TakenSum } from './warehouse.ts';

/** Of what a campaign showed: what has no id may have a name of any length. */
const MAX_REF = 200;
/** Epoch milliseconds: whatever else a campaign was called is newer. */
const BEFORE_ALL = -8.64e15;

interface Around {
  /** Of headquarters, whose days they are. */
  readonly zone: Zone;
  /** What a campaign is called; undefined: it is not here any more. */
  readonly campaign: (id: string) => string | undefined;
}

/** What plays add to the sums: of each day and what was shown, of all screens and of each. */
export const summed = (
  plays: readonly SegmentPlay[],
  devices: SegmentBody['devices'],
  { zone, campaign }: Around,
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
  const campaigns = new Map<string, string | undefined>();
  const nameOf = (id: string): string | undefined => {
    if (!campaigns.has(id)) campaigns.set(id, campaign(id));
    return campaigns.get(id);
  };
  const sums = new Map<string, Omit<TakenSum, 'plays' | 'ms'> & { plays: number; ms: number }>();
  for (const play of plays) {
    const { device_id, content_name, started_ms: at, ended_ms } = play;
    const of = campaignOf(play);
    if (of !== undefined) {
      const name = nameOf(of);
      placeOf({ kind: 'campaign', ref: of, name: name ?? '', at: name === undefined ? BEFORE_ALL : at });
    }
    const subject = subjectOf(play);
    const shown = placeOf({ ...(of === undefined ? subject : shownBy(of, subject)), name: content_name, at });
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

const shownBy = (campaign: string, { kind, ref }: Subject): Pick<NamedSubject, 'kind' | 'ref'> => ({
  kind: 'of_campaign',
  ref: `${campaign} ${kind} ${ref.length <= MAX_REF ? ref : createHash('sha256').update(ref).digest('hex')}`,
});
