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
} from '../../shared/contract/screens/devices.ts';
import { client } from './requests/client.ts';
import { allPages, pageQueryOf } from './requests/pages.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

/** Filter and sort order of the screen list, in the form that the server expects. */
export type ScreensFilter = {
  readonly [K in keyof DeviceQuery]?: string | undefined;
};

/** Screens per page. A large browser window shows fewer screens at once. */
export const SCREENS_PAGE = 100;

export const screensPageQuery = (filter: ScreensFilter, page: number) =>
  pageQueryOf(['devices', 'page'], listDevices, { filter, page, size: SCREENS_PAGE });

/** Filter of the screens page when it opens: all screens, screens with problems first. */
export const WALL: ScreensFilter = { sort: 'status' };

/** Query for the first page of screens that match a filter, online screens first. */
export const onlineFirstQuery = (filter: ScreensFilter) =>
  screensPageQuery({ ...filter, sort: 'status', direction: 'desc' }, 0);

/** Query for the screens with these ids. */
export const namedScreensQuery = (ids: readonly string[]) =>
  queryOf(['devices', 'named', ids], listDevices, { query: { ids: ids.join(','), limit: String(MAX_IDS) } });

export const screenCountsQuery = queryOf(['devices', 'counts'], countDevices);

export const tagsQuery = queryOf(['devices', 'tags'], listTags, { query: { limit: '2000' } });

/** Fetches all screens that match a filter. */
export const screensOf = (filter: ScreensFilter): Promise<Device[]> => allPages(listDevices, undefined, filter);

export const screenQuery = (id: string) => recordQueryOf(['devices', 'one', id], getDevice, id, 'screen');

/**
 * Returns the address of the newest screenshot. The time after # makes each address different, and the browser does
 * not send it.
 */
export const screenPictureUrl = (id: string, takenAt: number | null): string | null =>
  takenAt === null ? null : `${client.url(getDeviceScreenshot, { id })}#${takenAt}`;

/** Requests a new screenshot from the player. The server announces it to every window when it has arrived. */
export const requestScreenshot = async (id: string, signal?: AbortSignal): Promise<boolean> => {
  const response = await fetch(client.url(getDeviceScreenshot, { id }, { fresh: 'true' }), {
    headers: client.headers(),
    cache: 'no-store',
    ...(signal && { signal }),
  });
  await response.body?.cancel();
  return response.ok;
};

/** Query for everything that a screen may show (shared/program). Previews use it. */
export const programQuery = (id: string) => queryOf(['devices', 'program', id], getDeviceProgram, { params: { id } });
