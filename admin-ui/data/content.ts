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
} from '../../shared/contract/content.ts';
import { listFolders } from '../../shared/contract/folders.ts';
import type { Owner } from '../../shared/contract/owner.ts';
import { client } from './client.ts';
import { download } from './download.ts';
import { pageQueryOf } from './pages.ts';
import { queryOf, recordQueryOf } from './query.ts';
import { apiOrigin } from './storeWindow.ts';

export type ContentFilter = {
  q?: string;
  type?: 'image' | 'video' | 'audio' | 'pdf' | 'web';
  sort?: 'newest' | 'oldest' | 'name' | 'size';
  validity?: 'soon' | 'over' | 'future';
  owner?: Owner;
  /** A free-text label. */
  folder?: string;
  /** Folder in the folder tree; absent for any folder. */
  folder_id?: string;
};

/** Contents per list page: one request fills a tall screen, and scrolling makes small requests. */
export const CONTENT_PAGE = 120;

export const contentPageQuery = (filter: ContentFilter, page: number) =>
  pageQueryOf(['content', 'list'], listContent, { filter, page, size: CONTENT_PAGE });

export const contentQuery = (id: string) => recordQueryOf(['content', 'one', id], getContent, id, 'content');

/**
 * Returns the address of a content's picture. `version` changes with the picture. The browser does not send the
 * part behind the #.
 */
export const thumbnailUrl = (id: string, has: boolean, version: string | number = ''): string | null =>
  has ? `${client.url(getContentThumbnail, { id })}#${version}` : null;
export const thumbnailOf = (content: Content): string | null =>
  thumbnailUrl(content.id, content.thumbnail_path !== null, content.sha256 ?? content.updated_at);
export const fileUrl = (id: string): string => client.url(getContentFile, { id });

/** Returns the content kind of a playlist item. */
export const kindOfMime = (mime: string | null, remote: string | null): ContentKind => {
  if (mime === 'video/embed') return 'embed';
  if (mime === null || mime === 'text/html') return 'web';
  const [main] = mime.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  return mime === 'application/pdf' ? 'pdf' : remote ? 'web' : 'image';
};

/**
 * Uses of a content. Cached together with the playlists, since every change that affects playlists may affect the uses.
 */
export const contentUsageQuery = (id: string) =>
  queryOf(['playlists', 'uses-of-content', id], getContentUsage, { params: { id } });

export const labelsQuery = queryOf(['content', 'labels'], listContentFolders);

/** Milliseconds after which the page renews a link. A link lasts ten minutes, so a minute remains for the renewal. */
const LINK_MS = 9 * 60_000;

/**
 * An address that the browser can fetch without the session, in byte ranges. `version` identifies the bytes of the
 * file.
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

/** Downloads the file under its name in the library. */
export const downloadContent = (content: Content): Promise<void> => download(fileUrl(content.id), content.filename);

export const foldersQuery = queryOf(['folders'], listFolders);
