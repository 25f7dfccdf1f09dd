import { queryOptions } from '@tanstack/react-query';
import { type Content, type ContentKind, getContent, getContentFile, getContentThumbnail, listContent } from '../../shared/contract/content.ts';
import { client } from './client.ts';

export type ContentFilter = { q?: string; type?: 'image' | 'video' | 'audio' | 'pdf' | 'web'; sort?: 'newest' | 'oldest' | 'name' | 'size' };

/** As many as a tall screen shows: one request to fill it, and small ones while scrolling. */
export const CONTENT_PAGE = 120;

export const contentPageQuery = (filter: ContentFilter, page: number) =>
  queryOptions({
    queryKey: ['content', 'list', filter, page],
    queryFn: async ({ signal }) => {
      const query = { ...filter, limit: String(CONTENT_PAGE), offset: String(page * CONTENT_PAGE) };
      const { data, total } = await client.request(listContent, { query, signal });
      return { rows: data, total: total ?? data.length };
    },
  });

export const contentQuery = (id: string) =>
  queryOptions({
    queryKey: ['content', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await client.request(getContent, { params: { id }, signal });
      return { content: data, etag };
    },
  });

/** `version` changes when the picture does; it stays in the browser. */
export const thumbnailUrl = (id: string, has: boolean, version: string | number = ''): string | null => (has ? `${client.url(getContentThumbnail, { id })}#${version}` : null);
export const thumbnailOf = (content: Content): string | null => thumbnailUrl(content.id, content.thumbnail_path !== null, content.sha256 ?? content.updated_at);
export const fileUrl = (id: string): string => client.url(getContentFile, { id });

/** What a playlist item says about its content's kind. */
export const kindOfMime = (mime: string | null, remote: string | null): ContentKind => {
  if (mime === 'video/embed') return 'embed';
  if (mime === null || mime === 'text/html') return 'web';
  const [main] = mime.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  return mime === 'application/pdf' ? 'pdf' : remote ? 'web' : 'image';
};
