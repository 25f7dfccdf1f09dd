/** The address of the list of stores, and the ratings of stores. */
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
/** One kind of problem, or `any` for all kinds. */
export type TroubleFilter = StoreTrouble | 'any';

const oneOf = <W extends string>(words: readonly W[], word: string | undefined): W | undefined =>
  words.find((one) => one === word);

/**
 * Parses the filter in the address; unknown values are ignored. Stores with the worst problems come first, unless
 * the address asks for the order by name.
 */
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

/** Returns whether any filter is set. */
export const isNarrowed = ({ q, region, tag, line, trouble, place }: Filter): boolean =>
  [q, region, tag, line, trouble, place].some((one) => one !== undefined);

/** Returns the key number that counts exactly the listed stores; undefined if none does. */
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
/** Schema of the editable details of a store; the location is text. */
export const NewStore = z.object({ ...said, place: z.string().refine((text) => parsePlace(text) !== undefined) });
export type StoreValues = { name: string; region: string; tags: string[]; place: string; note: string };
/** Returns the details in the form that the server expects. */
export const stateParameter = ({ place, ...values }: StoreValues) => ({ ...values, ...sentPlace(place) });

/** Returns a file name for a store that is valid on every operating system. */
export const fileNameOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80) || 'store';
