import { queryOptions } from '@tanstack/react-query';
import { listFolders } from '../../shared/contract/folders.ts';
import { client } from './client.ts';

export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: ({ signal }) => client.call(listFolders, { signal }),
});
