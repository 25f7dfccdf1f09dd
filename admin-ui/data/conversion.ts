import { queryOptions } from '@tanstack/react-query';
import { getConversion, getOriginal } from '../../shared/contract/conversion.ts';
import { client } from './client.ts';
import { download } from './download.ts';
import { queryOf } from './query.ts';

/**
 * Milliseconds between requests. Progress changes about twice a second and is not announced, so it is fetched only
 * while it is shown.
 */
const EVERY_MS = 1000;

/** Progress of the conversion of a content. The start and the end of a conversion are announced with the content. */
export const conversionQuery = (id: string) =>
  queryOptions({
    ...queryOf(['content', 'conversion', id], getConversion, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' || data?.state === 'running' ? EVERY_MS : false,
    retry: false,
  });

/** Downloads the original file of a converted content. */
export const downloadOriginal = (id: string, name: string): Promise<void> =>
  download(client.url(getOriginal, { id }), name);
