import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Layout } from '../../../shared/contract/content/layouts.ts';
import type { PlaylistItem, PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { playlistScreensQuery, publishedItemsQuery } from '../../api/playlists.ts';
import { layoutInWords } from '../../domain/records/templateName.ts';
import { type Change, compare, type TransitionChange, transitionChange } from './publishing/compare.utils.ts';

/** Data of the whole playlist that the row of each item needs. */
export type Arrange = {
  /** The layout whose zones the items use; undefined if the whole screen is one zone. */
  readonly layout: Layout | undefined;
  readonly layouts: readonly Layout[];
  readonly chooseLayout: (id: string | null) => void;
  /** Changes of items since the last publish; empty before the first publish. */
  readonly changes: readonly Change[];
  /** Returns whether the published version contains the item. */
  readonly isPublished: (item: Pick<PlaylistItem, 'id'>) => boolean;
  /** Transition of items without their own transition. */
  readonly general: PlaylistWithItems['transition'];
  /** Change of the playlist's transition since the last publish; null if there is none. */
  readonly transition: TransitionChange | null;
};

export const ArrangeContext = createContext<Arrange>({
  layout: undefined,
  layouts: [],
  chooseLayout: () => undefined,
  changes: [],
  isPublished: () => false,
  general: null,
  transition: null,
});
export const useArranged = (): Arrange => useContext(ArrangeContext);

const NONE: readonly Layout[] = [];

/**
 * Returns the data for the rows. The layout is the one that the user chose, otherwise the layout of the items'
 * zones, otherwise the layout of the screens that play the playlist.
 */
export const useArrange = (playlist: PlaylistWithItems): Arrange => {
  const [chosen, setChosen] = useState<string | null>();
  const { t } = useTranslation();
  const { data = NONE } = useQuery(layoutsQuery);
  const layouts = useMemo(() => data.map((layout) => layoutInWords(layout, t)), [data, t]);
  const playing = useQuery(playlistScreensQuery(playlist.id)).data;
  const published = useQuery({ ...publishedItemsQuery(playlist.id), enabled: playlist.published_at !== null }).data;
  const changes = useMemo(
    () => (published && playlist.status === 'draft' ? compare(published, playlist.items) : []),
    [published, playlist],
  );
  const isPublished = useCallback(
    ({ id }: Pick<PlaylistItem, 'id'>) => published?.some((item) => item.id === id) ?? playlist.published_at !== null,
    [published, playlist.published_at],
  );
  const layout = useMemo(() => {
    if (chosen !== undefined) return layouts.find((l) => l.id === chosen);
    const zones = new Set(playlist.items.flatMap((item) => item.zone_id ?? []));
    const ofItems = layouts.find((l) => l.zones.some((zone) => zones.has(zone.id)));
    const ofScreens = playing?.find((screen) => screen.layout_id !== null)?.layout_id;
    return ofItems ?? layouts.find((l) => l.id === ofScreens);
  }, [chosen, layouts, playlist.items, playing]);
  const general = playlist.transition;
  const transition = useMemo(
    () => (playlist.published_at !== null && playlist.status === 'draft' ? transitionChange(playlist) : null),
    [playlist],
  );
  return useMemo(
    () => ({ layout, layouts, chooseLayout: setChosen, changes, isPublished, general, transition }),
    [layout, layouts, changes, isPublished, general, transition],
  );
};
