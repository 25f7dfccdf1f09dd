import { createHash } from 'node:crypto';
import { campaignOf } from '../../../shared/chain/campaign-ids.ts';
import type { SegmentBody, SegmentPlay } from '../../../shared/chain/segment.ts';
import { dayOf } from '../../../shared/program/civil.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { type Subject, subjectOf } from '../../features/reports/ingest/sums.ts';
import type { NamedSubject, Taken, TakenSum } from './warehouse.ts';

/**
 * Maximum length of the ref (identifier) of content in a campaign. Content without an id is identified by its name,
 * which may be long.
 */
const MAX_REF = 200;
/**
 * Time in epoch milliseconds for a name that is older than every other name of the campaign, so that any other name
 * replaces it.
 */
const BEFORE_ALL = -8.64e15;

type Bare = Pick<NamedSubject, 'kind' | 'ref'>;
type Named = Pick<NamedSubject, 'name' | 'at'>;
interface Around {
  /** Time zone of headquarters. Days of sums are days in this zone. */
  readonly zone: Zone;
  /** Returns the name of a campaign; undefined: unknown. */
  readonly campaign: (id: string) => string | undefined;
}

/** Returns what plays add to the sums: per day and content, for all screens together and for each screen. */
export const summed = (
  plays: readonly SegmentPlay[],
  devices: SegmentBody['devices'],
  { zone, campaign }: Around,
): Pick<Taken, 'subjects' | 'sums'> => {
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const subjects: (Bare & { name: string; at: number })[] = [];
  /**
   * Returns the index of a subject (content, screen or campaign). Adds an unknown subject, and gives a known subject
   * its newest name.
   */
  const placeIn = (places: Map<string, number>, key: string, { name, at }: Named, make: () => Bare): number => {
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, subjects.length);
      return subjects.push({ ...make(), name, at }) - 1;
    }
    const known = subjects[place]!;
    if (known.at <= at) {
      known.name = name;
      known.at = at;
    }
    return place;
  };
  const screens = new Map<string, number>();
  const own = new Map<string, number>();
  const campaigns = new Map<string, { readonly name: string | undefined; readonly shown: Map<string, number> }>();
  const isOf = new Map<string, number>();
  const shownBy = (id: string, at: number): Map<string, number> => {
    let of = campaigns.get(id);
    if (!of) campaigns.set(id, (of = { name: campaign(id), shown: new Map() }));
    const { name } = of;
    placeIn(isOf, id, name === undefined ? { name: '', at: BEFORE_ALL } : { name, at }, () => ({
      kind: 'campaign',
      ref: id,
    }));
    return of.shown;
  };
  const sums = new Map<string, Omit<TakenSum, 'plays' | 'ms'> & { plays: number; ms: number }>();
  for (const play of plays) {
    const { device_id, content_name, started_ms: at, ended_ms } = play;
    const of = campaignOf(play);
    const subject = subjectOf(play);
    const shown = placeIn(
      of === undefined ? own : shownBy(of, at),
      `${subject.kind} ${subject.ref}`,
      { name: content_name, at },
      () => (of === undefined ? subject : inCampaign(of, subject)),
    );
    const device = placeIn(screens, device_id, { name: names.get(device_id) ?? '', at }, () => ({
      kind: 'device',
      ref: device_id,
    }));
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

const inCampaign = (campaign: string, { kind, ref }: Subject): Bare => ({
  kind: 'of_campaign',
  ref: `${campaign} ${kind} ${ref.length <= MAX_REF ? ref : createHash('sha256').update(ref).digest('hex')}`,
});
