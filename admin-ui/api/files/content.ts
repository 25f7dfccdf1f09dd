import { queryOptions } from '@tanstack/react-query';
import {
  type Content,
  type ContentKind,
  getContent,
  getContentFile,
  getContentThumbnail,
  getContentUsage,
  linkContent,
  listContent,
  listContentFolders,
} from '../../../shared/contract/content/content.ts';
import { listFolders } from '../../../shared/contract/content/folders.ts';
import type { Owner } from '../../../shared/contract/people/owner.ts';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { pageQueryOf } from '../requests/pages.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';
import { apiOrigin } from '../session/storeWindow.ts';

export type ContentFilter = {
  q?: string;
  type?: 'image' | 'video' | 'audio' | 'pdf' | 'web' | 'design';
  sort?: 'newest' | 'oldest' | 'name' | 'size';
  validity?: 'soon' | 'over' | 'future';
  owner?: Owner;
  /** Free text with which users label contents. */
  folder?: string;
  /** Id of a folder in the folder tree. If absent, contents of all folders match. */
  folder_id?: string;
};

/** Contents per page. One page fills a tall browser window, and scrolling makes further small requests. */
export const CONTENT_PAGE = 120;

export const contentPageQuery = (filter: ContentFilter, page: number) =>
  pageQueryOf(['content', 'list'], listContent, { filter, page, size: CONTENT_PAGE });

export const contentQuery = (id: string) => recordQueryOf(['content', 'one', id], getContent, id, 'content');

/**
 * Returns the address of a thumbnail; null if there is none. `version` changes with the picture, so a new picture gets
 * a new address. It stands after the #, so the browser does not send it.
 */
export const thumbnailUrl = (id: string, has: boolean, version: string | number = ''): string | null =>
  has ? `${client.url(getContentThumbnail, { id })}#${version}` : null;
export const thumbnailOf = (content: Content): string | null =>
  thumbnailUrl(content.id, content.thumbnail_path !== null, content.sha256 ?? content.updated_at);
export const fileUrl = (id: string): string => client.url(getContentFile, { id });

/** Returns the kind of content for a MIME type. @param remote address of content that is not stored on the server */
export const kindOfMime = (mime: string | null, remote: string | null): ContentKind => {
  if (mime === 'video/embed') return 'embed';
  if (mime === null || mime === 'text/html') return 'web';
  if (mime === DESIGN_TYPE) return 'design';
  const [main] = mime.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  return mime === 'application/pdf' ? 'pdf' : remote ? 'web' : 'image';
};

/**
 * Query for the uses of a content. Cached with the playlists, since every change that affects playlists may affect
 * the uses.
 */
export const contentUsageQuery = (id: string) =>
  queryOf(['playlists', 'uses-of-content', id], getContentUsage, { params: { id } });

export const labelsQuery = queryOf(['content', 'labels'], listContentFolders);

/**
 * Milliseconds for which a cached link counts as fresh. The server's links last ten minutes. This leaves a minute for
 * the page to renew a link.
 */
const LINK_MS = 9 * 60_000;

/**
 * Query for an address that the browser can fetch without further credentials, also in byte ranges. `version`
 * identifies the file contents.
 */
export const contentLinkQuery = (id: string, version: string | null) =>
  queryOptions({
    queryKey: ['content', 'link', id, version],
    queryFn: async ({ signal }) => {
      const link = await client.call(linkContent, { params: { id }, signal });
      return { ...link, url: apiOrigin + link.url };
    },
    staleTime: LINK_MS,
    gcTime: LINK_MS,
  });

/** Saves the file of a content under its name in the library. */
export const downloadContent = (content: Content): Promise<void> => download(fileUrl(content.id), content.filename);

export const foldersQuery = queryOf(['folders'], listFolders);
