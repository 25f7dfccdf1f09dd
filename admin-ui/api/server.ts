import { queryOptions } from '@tanstack/react-query';
import { getConnections, getServerSettings } from '../../shared/contract/server/server.ts';
import {
  downloadBackup,
  getServerStatus,
  getUpkeepSettings,
  listBackups,
  ticketForBackup,
} from '../../shared/contract/server/upkeep.ts';
import { client } from './requests/client.ts';
import { saveFrom } from './requests/download.ts';
import { queryOf } from './requests/query.ts';

export const serverSettingsQuery = queryOf(['server', 'settings'], getServerSettings);

export const connectionsQuery = queryOf(['server', 'connections'], getConnections);

/**
 * Query for the status of the server. Polls while the page is visible, since the live connection does not announce
 * that a disk fills.
 */
export const serverStatusQuery = queryOptions({
  queryKey: ['server', 'status'],
  queryFn: ({ signal }) => client.call(getServerStatus, { signal }),
  refetchInterval: 15_000,
});

export const backupsQuery = queryOptions({
  queryKey: ['server', 'backups'],
  queryFn: ({ signal }) => client.call(listBackups, { signal }),
  // Polls often while a backup runs. The schedule or another user may have started the backup.
  refetchInterval: ({ state: { data } }) => (data?.running || data?.work ? 1_000 : 30_000),
});

export const upkeepQuery = queryOf(['server', 'upkeep'], getUpkeepSettings);

/**
 * Saves a backup. The browser itself downloads the file and shows the progress, so it cannot send the session token. A
 * ticket gives it access to the address, also for requests of byte ranges.
 */
export const saveBackup = async (name: string): Promise<void> => {
  await client.call(ticketForBackup, { params: { name } });
  saveFrom(client.url(downloadBackup, { name }), name);
};
