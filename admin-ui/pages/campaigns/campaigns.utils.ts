/** Converts a campaign between form and server, and summarizes its progress. */

import { PHASES } from '../../../shared/chain/campaign.ts';
import {
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignBody,
  type CampaignPreview,
  type CampaignSlot,
  type CampaignWhere,
  type PhaseCounts,
} from '../../../shared/contract/headquarters/campaigns.ts';
import { dayOf, formatDate, parseDate, parseLocal } from '../../../shared/program/civil.ts';
import type { Rank } from '../../../shared/program/ranks.ts';
import type { PhaseFilter } from '../../api/chain/campaigns.ts';
import type { ChainStore } from '../../api/chain/stores.ts';
import type { Tone } from '../../components/frame/Page.tsx';
import { newWhen, type Times, timesOf, type When, type WhenMistake, whenOf } from '../../domain/time/when.utils.ts';

export type CampaignState = Campaign['state'];
export type Phase = Exclude<keyof PhaseCounts, 'late'>;

export const toneOfState: Record<CampaignState, Tone | undefined> = {
  draft: undefined,
  waiting: 'warn',
  running: 'good',
  stopped: undefined,
};

/** Parses a campaign state; undefined for an unknown word. */
export const stateOf = (word: string | undefined): CampaignState | undefined =>
  CAMPAIGN_STATES.find((state) => state === word);

/** Phases in the order of display: phases with problems first, completed phases last. */
export const WORST_FIRST = [
  'refused',
  'unheard',
  'told',
  'fetching',
  'armed',
  'on_screens',
  'showing',
] as const satisfies readonly Phase[];

export const toneOfPhase: Record<Phase, Tone | undefined> = {
  refused: 'bad',
  unheard: undefined,
  told: 'info',
  fetching: 'info',
  armed: 'info',
  on_screens: 'good',
  showing: 'good',
};

/** Parses a phase filter; undefined for an unknown word. */
export const phaseOf = (word: string | undefined): PhaseFilter | undefined =>
  ([...PHASES, 'unheard', 'late'] as const).find((phase) => phase === word);

export const storesIn = (phases: PhaseCounts): number => WORST_FIRST.reduce((sum, phase) => sum + phases[phase], 0);

/** Returns the number of stores whose screens have received the campaign. */
export const storesThatHave = ({ on_screens, showing }: PhaseCounts): number => on_screens + showing;

/** Tabs on the page of a campaign. */
export const PARTS = ['stores', 'plays', 'edit', 'editions'] as const;
export type Part = (typeof PARTS)[number];
/**
 * Returns the tab that the address requests. Default: the progress of a delivered campaign, otherwise the settings.
 */
export const partOf = (word: string | undefined, { phases, edition }: Pick<Campaign, 'phases' | 'edition'>): Part => {
  const asked = PARTS.find((part) => part === word);
  if (phases !== null) return asked ?? 'stores';
  return (asked === 'editions' || asked === 'plays') && edition !== null ? asked : 'edit';
};

/** Maximum number of days in the chart. With more bars, the chart would not be readable. */
const MAX_DAYS = 31;
/** Returns the days whose plays are shown: the days of the campaign until today, at most the last `MAX_DAYS`. */
export const daysShown = (campaign: Times, today: number): { start: number; end: number } => {
  const [first, last] = daysOf(campaign);
  const end = Math.max(Math.min(last ?? today, today), Math.min(first, today));
  return { start: Math.min(Math.max(first, end - MAX_DAYS + 1), end), end };
};

/** Layout id of a draft that uses a layout before the user has chosen it. */
export const UNCHOSEN = '';
export type Draft = Omit<CampaignBody, keyof Times> & { readonly when: When };

/** Props of each part of the form. */
export interface Fields {
  readonly draft: Draft;
  /** @param kind if equal to the previous one, both changes are undone together */
  readonly change: (part: Partial<Draft>, kind?: string) => void;
}

export const draftOf = (campaign: CampaignBody): Draft => {
  const { name, note, rank, playlist_id, layout_id, whole_screen, begins, where, screen_tags, slots } = campaign;
  return {
    ...{ name, note, rank, playlist_id, layout_id, whole_screen, begins, where, screen_tags, slots },
    when: whenOf(campaign),
  };
};

/** Default duration in days. */
const USUAL_DAYS = 14;
/**
 * Returns a new campaign with default settings.
 * @param today as in civil.ts
 * @param regions to which the user's rights are limited; empty for all regions
 */
export const newCampaign = (name: string, today: number, regions: readonly string[]): CampaignBody => {
  const ending = { kind: 'date', date: formatDate(today + USUAL_DAYS) } as const;
  const made = timesOf({ ...newWhen(today + 1), ending });
  if ('mistake' in made) throw new Error(made.mistake);
  return {
    ...{ name, note: '', rank: 'must', playlist_id: null, layout_id: null, whole_screen: true, begins: 'whole' },
    ...made.times,
    where: { regions: [...regions], tags: [], store_ids: [] },
    screen_tags: [],
    slots: [],
  };
};

/**
 * Returns the first and the last day of a campaign as in civil.ts. The last day is null if the campaign has no end,
 * or if only its recurrence rule limits it.
 */
export const daysOf = ({
  start_time,
  end_time,
  recurrence,
  recurrence_end,
}: Times): readonly [number, number | null] => {
  const [start, end] = [parseLocal(start_time), parseLocal(end_time)];
  if (recurrence === null) return [dayOf(start), dayOf(Math.max(start, end - 1))];
  return [dayOf(start), recurrence_end === null ? null : parseDate(recurrence_end)];
};

/** Returns a new slot for one short item, for users to change. */
export const newSlot = (name: string, after: number): CampaignSlot => ({
  ...{ name, after, max_items: 1, max_seconds: 15 },
  kinds: ['image', 'video'],
  content_id: null,
});

/** Returns whether a campaign of this rank may have slots. Offers and safety messages may not. */
export const mayHaveSlots = (rank: Rank): boolean => rank === 'must' || rank === 'default';

export type SlotMistake = 'missing' | 'after' | 'kinds';
export interface Mistakes {
  readonly name?: 'missing';
  readonly layout?: 'missing';
  readonly when?: WhenMistake;
  /** Mistakes in slots, by the index of the slot. */
  readonly slots: Readonly<Record<number, SlotMistake>>;
  readonly count: number;
}

const slotMistake = ({ name, after, kinds }: CampaignSlot, items: number | undefined): SlotMistake | undefined => {
  if (name.trim() === '') return 'missing';
  if (kinds.length === 0) return 'kinds';
  return items !== undefined && after > items ? 'after' : undefined;
};

/** @param items of the playlist; undefined while unknown */
export const mistakesIn = (draft: Draft, items: number | undefined): Mistakes => {
  const times = timesOf(draft.when);
  const slots = Object.fromEntries(
    draft.slots.flatMap((slot, i) => {
      const mistake = slotMistake(slot, items);
      return mistake === undefined ? [] : [[i, mistake]];
    }),
  );
  const name = draft.name.trim() === '' ? ({ name: 'missing' } as const) : {};
  const layout = draft.layout_id === UNCHOSEN ? ({ layout: 'missing' } as const) : {};
  const when = 'mistake' in times ? { when: times.mistake } : {};
  const found = { ...name, ...layout, ...when };
  return { ...found, slots, count: Object.keys(found).length + Object.keys(slots).length };
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the differences between a draft and the stored campaign, for the request. Times that the form cannot
 * express are left out and so stay unchanged.
 */
export const changeOf = (draft: Draft, before: Draft): Partial<CampaignBody> => {
  const { when, ...rest } = draft;
  const changed = Object.entries(rest).filter(([key, value]) => !isSame(value, before[key as keyof typeof rest]));
  const times = isSame(when, before.when) ? undefined : timesOf(when);
  return { ...Object.fromEntries(changed), ...(times && 'times' in times && times.times) };
};

/**
 * Returns the stores that a campaign reaches, counted as headquarters counts them, and how many of these stores are
 * offline now.
 */
export const reachOf = ({ regions, tags, store_ids }: CampaignWhere, stores: readonly ChainStore[]) => {
  const named = new Set(store_ids);
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  const isByPlace = regions.length + tags.length > 0;
  const isAll = !isByPlace && store_ids.length === 0;
  const isPlaced = (store: ChainStore) =>
    (regions.length === 0 || regions.includes(store.region)) &&
    (tags.length === 0 || store.tags.some((tag) => wanted.has(tag.toLowerCase())));
  const meant = stores.filter(
    (store) =>
      (store.line === 'up' || store.line === 'down') &&
      (isAll || named.has(store.id) || (isByPlace && isPlaced(store))),
  );
  return { stores: meant.length, down: meant.filter(({ line }) => line === 'down').length };
};

/** Settings in which two editions can differ, in the order of the form. */
export const DIFFERENCES = [
  'name',
  'playlist',
  'layout',
  'period',
  'where',
  'screens',
  'rank',
  'begins',
  'slots',
] as const;
export type Difference = (typeof DIFFERENCES)[number];
const SAYS: Record<Difference, (body: CampaignBody) => unknown> = {
  name: ({ name }) => name,
  playlist: ({ playlist_id }) => playlist_id,
  layout: ({ layout_id, whole_screen }) => [layout_id, layout_id === null && whole_screen],
  period: ({ start_time, end_time, recurrence, recurrence_end }) => [start_time, end_time, recurrence, recurrence_end],
  where: ({ where: { regions, tags, store_ids } }) => [regions, tags, store_ids],
  screens: ({ screen_tags }) => screen_tags,
  rank: ({ rank }) => rank,
  begins: ({ begins }) => begins,
  slots: ({ slots }) =>
    slots.map(({ name, max_items, max_seconds, kinds, after, content_id }) => [
      ...[name, max_items, max_seconds, after, content_id],
      kinds,
    ]),
};
export const differences = (one: CampaignBody, other: CampaignBody): readonly Difference[] =>
  DIFFERENCES.filter((what) => !isSame(SAYS[what](one), SAYS[what](other)));

/** Returns whether a preview was requested after the last change of the campaign. */
export const isCurrent = (
  run: Pick<CampaignPreview, 'asked_at'>,
  { updated_at }: Pick<Campaign, 'updated_at'>,
): boolean => run.asked_at >= updated_at;
