import { queryOptions } from '@tanstack/react-query';
import { listWidgets } from '../../shared/contract/widgets.ts';
import { client } from './client.ts';

export const widgetsQuery = queryOptions({ queryKey: ['widgets', 'list'], queryFn: ({ signal }) => client.call(listWidgets, { signal }) });
