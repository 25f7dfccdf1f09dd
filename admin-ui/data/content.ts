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
  /** A place in the folder tree; absent: anywhere. */
  folder_id?: string;
};

/** As many as a tall screen shows: one request to fill it, and small ones while scrolling. */
export const CONTENT_PAGE = 120;

export const contentPageQuery = (filter: ContentFilter, page: number) =>
  pageQueryOf(['content', 'list'], listContent, { filter, page, size: CONTENT_PAGE });

export const contentQuery = (id: string) => recordQueryOf(['content', 'one', id], getContent, id, 'content');

/** `version` changes when the picture does; it stays in the browser. */
export const thumbnailUrl = (id: string, has: boolean, version: string | number = ''): string | null =>
  has ? `${client.url(getContentThumbnail, { id })}#${version}` : null;
export const thumbnailOf = (content: Content): string | null =>
  thumbnailUrl(content.id, content.thumbnail_path !== null, content.sha256 ?? content.updated_at);
export const fileUrl = (id: string): string => client.url(getContentFile, { id });

/** What a playlist item says about its content's kind. */
export const kindOfMime = (mime: string | null, remote: string | null): ContentKind => {
  if (mime === 'video/embed') return 'embed';
  if (mime === null || mime === 'text/html') return 'web';
  const [main] = mime.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  return mime === 'application/pdf' ? 'pdf' : remote ? 'web' : 'image';
};

/**
 * Where it is used. Anything that plays may change it, as anything may change a playlist: it lives and dies with those.
 */
export const contentUsageQuery = (id: string) =>
  queryOf(['playlists', 'uses-of-content', id], getContentUsage, { params: { id } });

export const labelsQuery = queryOf(['content', 'labels'], listContentFolders);

/** Ten minutes, less what a page may need to notice that they are over. */
const LINK_MS = 9 * 60_000;

/** An address that the browser can fetch by itself, piece by piece. `version` names the bytes. */
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

/** Saves the file under the name it has here. */
export const downloadContent = (content: Content): Promise<void> => download(fileUrl(content.id), content.filename);

export const foldersQuery = queryOf(['folders'], listFolders);
