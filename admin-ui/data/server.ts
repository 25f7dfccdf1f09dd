import { queryOptions } from '@tanstack/react-query';
import { getConnections, getServerSettings } from '../../shared/contract/server.ts';
import {
  downloadBackup,
  getServerStatus,
  getUpkeepSettings,
  listBackups,
  ticketForBackup,
} from '../../shared/contract/upkeep.ts';
import { client } from './client.ts';
import { saveFrom } from './download.ts';
import { queryOf } from './query.ts';

export const serverSettingsQuery = queryOf(['server', 'settings'], getServerSettings);

export const connectionsQuery = queryOf(['server', 'connections'], getConnections);

/** Fetched repeatedly while it is shown, since no announcement says that a disk fills up. */
export const serverStatusQuery = queryOptions({
  queryKey: ['server', 'status'],
  queryFn: ({ signal }) => client.call(getServerStatus, { signal }),
  refetchInterval: 15_000,
});

export const backupsQuery = queryOptions({
  queryKey: ['server', 'backups'],
  queryFn: ({ signal }) => client.call(listBackups, { signal }),
  // Fetched often while a backup runs, which the schedule or another user may have started.
  refetchInterval: ({ state: { data } }) => (data?.running || data?.work ? 1_000 : 30_000),
});

export const upkeepQuery = queryOf(['server', 'upkeep'], getUpkeepSettings);

/**
 * Makes the browser itself download the backup and show the progress. The address contains a ticket (temporary key),
 * and byte ranges are possible.
 */
export const saveBackup = async (name: string): Promise<void> => {
  await client.call(ticketForBackup, { params: { name } });
  saveFrom(client.url(downloadBackup, { name }), name);
};
