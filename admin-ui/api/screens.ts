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

/** Filter and order of screens, as the server expects them. */
export type ScreensFilter = {
  readonly [K in keyof DeviceQuery]?: string | undefined;
};

/** More than a large screen shows at once. */
export const SCREENS_PAGE = 100;

export const screensPageQuery = (filter: ScreensFilter, page: number) =>
  pageQueryOf(['devices', 'page'], listDevices, { filter, page, size: SCREENS_PAGE });

/** The first query of the screens page: all screens, problems first. */
export const WALL: ScreensFilter = { sort: 'status' };

/** Some screens that match a filter, online ones first. */
export const onlineFirstQuery = (filter: ScreensFilter) =>
  screensPageQuery({ ...filter, sort: 'status', direction: 'desc' }, 0);

/** The screens with these ids. */
export const namedScreensQuery = (ids: readonly string[]) =>
  queryOf(['devices', 'named', ids], listDevices, { query: { ids: ids.join(','), limit: String(MAX_IDS) } });

export const screenCountsQuery = queryOf(['devices', 'counts'], countDevices);

export const tagsQuery = queryOf(['devices', 'tags'], listTags, { query: { limit: '2000' } });

/** All screens that match a filter. */
export const screensOf = (filter: ScreensFilter): Promise<Device[]> => allPages(listDevices, undefined, filter);

export const screenQuery = (id: string) => recordQueryOf(['devices', 'one', id], getDevice, id, 'screen');

/** The newest screenshot. Each has a different address; the part after # stays in the browser. */
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

/** Everything that a screen may show, for previews (shared/program). */
export const programQuery = (id: string) => queryOf(['devices', 'program', id], getDeviceProgram, { params: { id } });
