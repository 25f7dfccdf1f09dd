import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  exportPlays,
  listPlays,
  listSavedReports,
  type ReportLanguage,
  reportDelivery,
  reportPdf,
  reportUptime,
  summarizePlays,
} from '../../shared/contract/server/reports.ts';
import { client } from './requests/client.ts';
import { download } from './requests/download.ts';
import { queryOf } from './requests/query.ts';

/**
 * Period and filters of a report. Days are YYYY-MM-DD in the server's time zone, and both days are included. Without
 * filters, the report covers the whole workspace. Several contents are separated by commas.
 */
export type ReportOf = { start: string; end: string } & {
  [K in 'device_id' | 'group_id' | 'tag' | 'plan_id' | 'content_id' | 'label' | 'folder_id' | 'playlist_id']?: string;
};

/**
 * Polling interval in milliseconds while a report is visible. Reports have no announcements: screens report plays
 * all the time, so announcements would refresh a report endlessly.
 */
const EVERY_MS = 30_000;
const live = { refetchInterval: EVERY_MS, staleTime: EVERY_MS, placeholderData: keepPreviousData };

export const summaryQuery = (of: ReportOf) =>
  queryOptions({
    queryKey: ['reports', 'summary', of],
    queryFn: ({ signal }) => client.call(summarizePlays, { query: of, signal }),
    ...live,
  });

/**
 * Polling interval in milliseconds for the comparison of planned and played content, which takes longer to compute
 * and changes less often than the plays.
 */
const DELIVERY_EVERY_MS = 120_000;
export const deliveryQuery = (of: ReportOf) =>
  queryOptions({
    queryKey: ['reports', 'delivery', of],
    queryFn: ({ signal }) => client.call(reportDelivery, { query: of, signal }),
    refetchInterval: DELIVERY_EVERY_MS,
    staleTime: DELIVERY_EVERY_MS,
  });

/** Query for the uptime of the screens, which does not depend on the content filters. */
export const uptimeQuery = ({ content_id: _c, label: _l, folder_id: _f, playlist_id: _p, ...of }: ReportOf) =>
  queryOptions({
    queryKey: ['reports', 'uptime', of],
    queryFn: ({ signal }) => client.call(reportUptime, { query: of, signal }),
    ...live,
  });

export const PLAYS_PAGE = 100;

export const playsQuery = (of: ReportOf) =>
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

/**
 * Format of a download of plays. `csv`: single plays. `jsonl`: plays with the signatures of players and server, for
 * `vitrine verify`. `planned`: sums of planned and played content, as CSV. `missing`: numbers of plays that the server
 * does not have, as CSV.
 */
export type PlaysFormat = 'csv' | 'jsonl' | 'planned' | 'missing';
export const downloadPlays = (of: ReportOf, format: PlaysFormat): Promise<void> => {
  const [name, ending] = format === 'planned' || format === 'missing' ? [format, 'csv'] : ['plays', format];
  return download(client.url(exportPlays, {}, { ...of, format }), `${name}-${of.start}-to-${of.end}.${ending}`);
};

/** Downloads a report as a PDF, to hand to a customer. */
export const downloadPaper = (of: ReportOf, how: { language: ReportLanguage; title?: string }): Promise<void> =>
  download(client.url(reportPdf, {}, { ...of, ...how }), `report-${of.start}-to-${of.end}.pdf`);

export const savedReportsQuery = queryOf(['reports', 'saved'], listSavedReports);

/** Query for the latest plays of one screen, for the page of the screen. */
export const latestPlaysQuery = (device_id: string, count: number) =>
  queryOptions({
    queryKey: ['reports', 'latest', device_id, count],
    queryFn: ({ signal }) => client.call(listPlays, { query: { device_id, limit: String(count) }, signal }),
    ...live,
  });
