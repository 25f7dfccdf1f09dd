/** Finds uses of a record in bin entries whose restore would put it on screens. Pure. */
import type { Snapshot } from './snapshot.ts';

/** Columns through which rows of these tables show a content or widget. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  published_items: ['content_id', 'widget_id'],
  zones: ['content_id', 'widget_id'],
  plans: ['content_id', 'widget_id'],
  walls: ['content_id'],
  groups: ['default_content_id'],
};
const MAKERS: Readonly<Record<string, 'widget' | 'kiosk'>> = { widgets: 'widget', kiosk_pages: 'kiosk' };

export interface BinnedUses {
  /** Name of a record in the bin whose restore would put this record on screens. */
  readonly shownIn: string | undefined;
  /** Widgets and kiosk pages in the bin with this record in their configs, and designs in the bin that show it. */
  readonly makers: readonly {
    readonly of: 'widget' | 'kiosk' | 'content';
    readonly id: string;
    /** Name of the design. */
    readonly design?: string;
  }[];
  /** Designs whose earlier file in the bin shows this record. `name`: name of the design at that time. */
  readonly earlier: readonly { readonly of: 'content'; readonly id: string; readonly name: string }[];
}

/** @param isOwn returns whether a playlist belongs to a screen; the next edit of that screen publishes its draft */
export const shows = ({ rows }: Snapshot, id: string, isOwn: (playlistId: string) => boolean): boolean =>
  rows.some(({ table, row }) => {
    if (SHOWN_BY[table]?.some((column) => row[column] === id)) return true;
    if (table !== 'playlist_items' || (row['content_id'] !== id && row['widget_id'] !== id)) return false;
    const playlistId = String(row['playlist_id']);
    const playlist = rows.find((one) => one.table === 'playlists' && one.row['id'] === playlistId);
    return playlist ? playlist.row['owner_device_id'] !== null : isOwn(playlistId);
  });

export const makersIn = ({ rows }: Snapshot, id: string): { readonly of: 'widget' | 'kiosk'; readonly id: string }[] =>
  rows.flatMap(({ table, row }) => {
    const of = MAKERS[table];
    return of && row['id'] !== id && String(row['config']).includes(id) ? [{ of, id: String(row['id']) }] : [];
  });
