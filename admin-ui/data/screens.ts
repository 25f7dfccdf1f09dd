import {
  countDevices,
  type Device,
  type DeviceQuery,
  getDevice,
  getDeviceProgram,
  getDeviceScreenshot,
  listDevices,
  listTags,
  MAX_IDS,
} from '../../shared/contract/devices.ts';
import { client } from './client.ts';
import { allPages, pageQueryOf } from './pages.ts';
import { queryOf, recordQueryOf } from './query.ts';

/** Which screens, and in which order, as the server takes it. */
export type ScreensFilter = {
  readonly [K in keyof DeviceQuery]?: string | undefined;
};

/** As many as a large screen shows at once, and some more. */
export const SCREENS_PAGE = 100;

export const screensPageQuery = (filter: ScreensFilter, page: number) =>
  pageQueryOf(['devices', 'page'], listDevices, { filter, page, size: SCREENS_PAGE });

/** What the wall of screens asks first: all of them, problems at the top. */
export const WALL: ScreensFilter = { sort: 'status' };

/** Some of those that a filter leaves, preferably ones that are on. */
export const onlineFirstQuery = (filter: ScreensFilter) =>
  screensPageQuery({ ...filter, sort: 'status', direction: 'desc' }, 0);

/** These alone. */
export const namedScreensQuery = (ids: readonly string[]) =>
  queryOf(['devices', 'named', ids], listDevices, { query: { ids: ids.join(','), limit: String(MAX_IDS) } });

export const screenCountsQuery = queryOf(['devices', 'counts'], countDevices);

export const tagsQuery = queryOf(['devices', 'tags'], listTags, { query: { limit: '2000' } });

/** Those that a filter leaves, all of them. */
export const screensOf = (filter: ScreensFilter): Promise<Device[]> => allPages(listDevices, undefined, filter);

export const screenQuery = (id: string) => recordQueryOf(['devices', 'one', id], getDevice, id, 'screen');

/** The newest picture; a new one has a new address. The part after # stays in the browser. */
export const screenPictureUrl = (id: string, takenAt: number | null): string | null =>
  takenAt === null ? null : `${client.url(getDeviceScreenshot, { id })}#${takenAt}`;

/** Asks the player for a picture of now. The server announces it to every window when it has come. */
export const askForPicture = async (id: string, signal?: AbortSignal): Promise<boolean> => {
  const response = await fetch(client.url(getDeviceScreenshot, { id }, { fresh: 'true' }), {
    headers: client.headers(),
    cache: 'no-store',
    ...(signal && { signal }),
  });
  await response.body?.cancel();
  return response.ok;
};

/** All that a screen may show, for previews (shared/program). */
export const programQuery = (id: string) => queryOf(['devices', 'program', id], getDeviceProgram, { params: { id } });
