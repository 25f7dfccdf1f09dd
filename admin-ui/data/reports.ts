import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { exportPlays, listPlays, reportUptime, summarizePlays } from '../../shared/contract/reports.ts';
import { client } from './client.ts';
import { download } from './download.ts';

/** What a report is of. Days as YYYY-MM-DD of the server's zone, both included; no device: all of the workspace. */
export type ReportOf = { start: string; end: string; device_id?: string };

/**
 * Screens report plays all the time: a report that followed each of them would never stand still. So it has no topic of
 * its own and asks again twice a minute instead, while it is looked at.
 */
const EVERY_MS = 30_000;
const live = { refetchInterval: EVERY_MS, staleTime: EVERY_MS, placeholderData: keepPreviousData };

export const summaryQuery = (of: ReportOf) =>
  queryOptions({
    queryKey: ['reports', 'summary', of],
    queryFn: ({ signal }) => client.call(summarizePlays, { query: of, signal }),
    ...live,
  });

export const uptimeQuery = (of: ReportOf) =>
  queryOptions({
    queryKey: ['reports', 'uptime', of],
    queryFn: ({ signal }) => client.call(reportUptime, { query: of, signal }),
    ...live,
  });

export const PLAYS_PAGE = 100;

export const playsQuery = (of: ReportOf & { content_id?: string }) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'plays', of],
    queryFn: async ({ signal, pageParam }) => {
      const { data, total } = await client.request(listPlays, {
        query: { ...of, limit: String(PLAYS_PAGE), offset: String(pageParam) },
        signal,
      });
      return { rows: data, total: total ?? data.length };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, page) => sum + page.rows.length, 0);
      return have < last.total && last.rows.length > 0 ? have : undefined;
    },
    staleTime: EVERY_MS,
  });

/** `jsonl`: with the players' and the server's signatures, for `vitrine verify`. */
export const downloadPlays = (of: ReportOf, format: 'csv' | 'jsonl'): Promise<void> =>
  download(client.url(exportPlays, {}, { ...of, format }), `plays-${of.start}-to-${of.end}.${format}`);

/** The latest plays of one screen, for its page. */
export const latestPlaysQuery = (device_id: string, count: number) =>
  queryOptions({
    queryKey: ['reports', 'latest', device_id, count],
    queryFn: ({ signal }) => client.call(listPlays, { query: { device_id, limit: String(count) }, signal }),
    ...live,
  });
