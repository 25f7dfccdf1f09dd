import { queryOptions } from '@tanstack/react-query';
import { getConversion, getOriginal } from '../../../shared/contract/content/conversion.ts';
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { queryOf } from '../requests/query.ts';

/**
 * Polling interval in milliseconds. The live connection does not announce the progress, so it is polled while it is
 * visible.
 */
const EVERY_MS = 1000;

/**
 * Query for the progress of the conversion of a content. Start and end of a conversion are announced with the
 * content.
 */
export const conversionQuery = (id: string) =>
  queryOptions({
    ...queryOf(['content', 'conversion', id], getConversion, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' || data?.state === 'running' ? EVERY_MS : false,
    retry: false,
  });

/** Saves the original file of a converted content. */
export const downloadOriginal = (id: string, name: string): Promise<void> =>
  download(client.url(getOriginal, { id }), name);
