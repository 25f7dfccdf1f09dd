/** Small pictures of contents, fetched with the session. */
import type { Content } from '../../../shared/contract/content/content.ts';
import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import { kindOfMime, thumbnailOf, thumbnailUrl } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { formatClock } from '../../i18n/format.ts';
import { Thumb } from './Thumb.tsx';

type Look = { small?: boolean; cover?: boolean };

export function ContentThumb({ content, ...look }: { content: Content } & Look) {
  const image = useImage(thumbnailOf(content));
  return (
    <Thumb
      {...look}
      kind={content.kind}
      src={image.status === 'ready' ? image.src : null}
      length={content.duration_sec === null ? undefined : formatClock(content.duration_sec)}
    />
  );
}

type ItemFields = Pick<
  PlaylistItem,
  'content_id' | 'widget_id' | 'thumbnail_path' | 'mime_type' | 'remote_url' | 'content_duration'
>;

export function ItemThumb({ item, ...look }: { item: ItemFields } & Look) {
  const image = useImage(
    thumbnailUrl(
      item.content_id ?? '',
      item.content_id !== null && item.thumbnail_path !== null,
      item.thumbnail_path ?? '',
    ),
  );
  const kind =
    item.widget_id !== null
      ? 'widget'
      : item.content_id === null
        ? 'missing'
        : kindOfMime(item.mime_type, item.remote_url);
  return (
    <Thumb
      {...look}
      kind={kind}
      src={image.status === 'ready' ? image.src : null}
      length={item.content_duration === null ? undefined : formatClock(item.content_duration)}
    />
  );
}
