import { queryOptions } from '@tanstack/react-query';
import { getDevice, getDeviceProgram, getDeviceScreenshot, listDevices } from '../../shared/contract/devices.ts';
import { client } from './client.ts';
import { allPages } from './pages.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const screensQuery = queryOptions({
  queryKey: ['devices', 'list'],
  queryFn: ({ signal }) => allPages(listDevices, signal),
});

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
