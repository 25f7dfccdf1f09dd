import { queryOptions } from '@tanstack/react-query';
import { getConnections, getServerSettings } from '../../shared/contract/server.ts';
import { downloadBackup, getServerStatus, getUpkeepSettings, listBackups } from '../../shared/contract/upkeep.ts';
import { client } from './client.ts';
import { download } from './download.ts';
import { queryOf } from './query.ts';

export const serverSettingsQuery = queryOf(['server', 'settings'], getServerSettings);

export const connectionsQuery = queryOf(['server', 'connections'], getConnections);

/** Asked again while somebody looks at it, since nothing announces that a disk fills. */
export const serverStatusQuery = queryOptions({
  queryKey: ['server', 'status'],
  queryFn: ({ signal }) => client.call(getServerStatus, { signal }),
  refetchInterval: 15_000,
});

export const backupsQuery = queryOptions({
  queryKey: ['server', 'backups'],
  queryFn: ({ signal }) => client.call(listBackups, { signal }),
  // Looks again while a backup runs: the schedule or somebody else may have started it.
  refetchInterval: (query) => (query.state.data?.running ? 2_000 : 30_000),
});

export const upkeepQuery = queryOf(['server', 'upkeep'], getUpkeepSettings);

export const saveBackup = (name: string): Promise<void> => download(client.url(downloadBackup, { name }), name);
