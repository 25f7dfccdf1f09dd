/** The address of the list of stores, and the rating of stores. */
import { z } from 'zod';
import {
  createStore,
  STORE_LINES,
  STORE_TROUBLES,
  type Store,
  type StoreTrouble,
} from '../../../shared/contract/headquarters/stores.ts';
import type { StoresFilter } from '../../api/chain/stores.ts';
import type { Tone } from '../../components/frame/Page.tsx';
import { parsePlace, sentPlace } from './map/place.utils.ts';

export type StoresSearch = {
  readonly [K in 'q' | 'region' | 'tag' | 'line' | 'trouble' | 'place' | 'order' | 'page' | 'view']?:
    | string
    | undefined;
};
export type StoreLine = Store['line'];
/** A problem, or any. */
export type TroubleFilter = StoreTrouble | 'any';

const oneOf = <W extends string>(words: readonly W[], word: string | undefined): W | undefined =>
  words.find((one) => one === word);

/** Unknown values are ignored. Worst first, unless names are requested. */
export const filterOf = (search: StoresSearch) =>
  ({
    q: search.q?.trim() || undefined,
    region: search.region,
    tag: search.tag,
    line: oneOf(STORE_LINES, search.line),
    trouble: oneOf<TroubleFilter>(['any', ...STORE_TROUBLES], search.trouble),
    place: search.view === 'map' ? undefined : oneOf(['none'] as const, search.place),
    order: search.order === 'name' ? 'name' : 'worst',
  }) as const satisfies StoresFilter;
export type Filter = ReturnType<typeof filterOf>;

/** Whether any filter is set. */
export const isNarrowed = ({ q, region, tag, line, trouble, place }: Filter): boolean =>
  [q, region, tag, line, trouble, place].some((one) => one !== undefined);

/** The key number that counts exactly the listed stores; undefined if none does. */
export const numberShown = (filter: Filter): 'all' | 'up' | 'down' | 'new' | 'dark' | 'any' | undefined => {
  const { q, region, tag, line, trouble, place } = filter;
  if (!isNarrowed(filter)) return 'all';
  if ([q, region, tag, place].some((one) => one !== undefined)) return undefined;
  if (trouble === undefined) return line === 'left' ? undefined : line;
  if (line !== undefined) return undefined;
  return trouble === 'any' ? 'any' : trouble === 'screens_dark' ? 'dark' : undefined;
};

export const toneOfLine: Record<StoreLine, Tone | undefined> = {
  new: 'info',
  up: 'good',
  down: 'bad',
  left: undefined,
};

export const toneOfTrouble: Record<StoreTrouble, 'warn' | 'bad'> = {
  incidents: 'bad',
  line_down: 'bad',
  screens_dark: 'bad',
  campaign_refused: 'bad',
  campaign_late: 'warn',
  disk_low: 'warn',
  clock_apart: 'warn',
  screens_behind: 'warn',
  plays_waiting: 'warn',
};

const { latitude: _, longitude: __, ...said } = createStore.body.shape;
/** The editable details of a store, with its location as text. */
export const NewStore = z.object({ ...said, place: z.string().refine((text) => parsePlace(text) !== undefined) });
export type StoreValues = { name: string; region: string; tags: string[]; place: string; note: string };
/** As the server expects it. */
export const stateParameter = ({ place, ...values }: StoreValues) => ({ ...values, ...sentPlace(place) });

/** Turns a store's name into a file name for any system. */
export const fileNameOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80) || 'store';
