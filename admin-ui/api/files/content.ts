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
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { pageQueryOf } from '../requests/pages.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';
import { apiOrigin } from '../session/storeWindow.ts';

export type ContentFilter = {
  q?: string;
  type?: 'image' | 'video' | 'audio' | 'pdf' | 'web';
  sort?: 'newest' | 'oldest' | 'name' | 'size';
  validity?: 'soon' | 'over' | 'future';
  owner?: Owner;
  /** A free-text label. */
  folder?: string;
  /** Folder in the folder tree; absent for anywhere. */
  folder_id?: string;
};

/** Rows of a tall screen: one request fills it, and scrolling makes small requests. */
export const CONTENT_PAGE = 120;

export const contentPageQuery = (filter: ContentFilter, page: number) =>
  pageQueryOf(['content', 'list'], listContent, { filter, page, size: CONTENT_PAGE });

export const contentQuery = (id: string) => recordQueryOf(['content', 'one', id], getContent, id, 'content');

/** `version` changes with the picture. It stays in the browser. */
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

/** Uses of a content. Cached with the playlists, since every change that affects playlists may affect the uses. */
export const contentUsageQuery = (id: string) =>
  queryOf(['playlists', 'uses-of-content', id], getContentUsage, { params: { id } });

export const labelsQuery = queryOf(['content', 'labels'], listContentFolders);

/** A link lasts ten minutes. This leaves a minute for the page to renew it. */
const LINK_MS = 9 * 60_000;

/** An address that the browser can fetch by itself, in ranges. `version` names the bytes. */
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

/** Saves the file under its name in the library. */
export const downloadContent = (content: Content): Promise<void> => download(fileUrl(content.id), content.filename);

export const foldersQuery = queryOf(['folders'], listFolders);
