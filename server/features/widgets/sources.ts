/**
 * External data of a page: its feeds, forecasts and pictures, the keys of their stored answers, and the maximum age of
 * these answers. Has no side effects.
 */
import { isDataPicture } from '../../../shared/contract/config-fields.ts';
import type { WidgetSettings } from '../../../shared/contract/content/widget-types.ts';
import type { Feed } from './feed-reader.ts';
import type { Units } from './weather.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export type Source = { readonly key: string } & (
  | { readonly kind: 'feed'; readonly url: string }
  | {
      readonly kind: 'weather';
      readonly location: string;
      readonly at: { readonly latitude: number; readonly longitude: number } | null;
      readonly units: Units;
    }
  | { readonly kind: 'picture'; readonly url: string; readonly pixels: number }
  /** A picture of the media library. */
  | { readonly kind: 'file'; readonly path: string; readonly pixels: number }
);

/** Seconds until a source is fetched again. */
export const freshFor: Readonly<Record<Source['kind'], number>> = {
  feed: 5 * MINUTE,
  weather: 15 * MINUTE,
  picture: 24 * HOUR,
  file: 365 * 24 * HOUR,
};

/** Finds pictures of the media library that a config names by their path (features/content). */
export interface Library {
  /** Returns undefined when the content is not a picture of this workspace. */
  picture(workspaceId: string, contentId: string): { readonly sha256: string; readonly path: string } | undefined;
}

export const LOGO_PIXELS = 480;
const BACKGROUND_PIXELS = 1920;
const SOCIAL_PIXELS = 640;

const CONTENT = /^(?:https?:\/\/[^/]+)?\/api\/content\/([^/?#]+)\/(?:file|thumbnail)(?:[?#]|$)/i;

/**
 * Returns the source of a picture; undefined when there is nothing to fetch, because the picture is inside the config,
 * empty, or not available.
 */
const pictureSource = (url: string, pixels: number, workspaceId: string, library: Library): Source | undefined => {
  if (!url || isDataPicture(url)) return undefined;
  const contentId = CONTENT.exec(url)?.[1];
  const file = contentId && library.picture(workspaceId, contentId);
  if (file) return { kind: 'file', key: `file ${pixels} ${file.sha256}`, path: file.path, pixels };
  return /^https?:\/\//i.test(url) ? { kind: 'picture', key: `picture ${pixels} ${url}`, url, pixels } : undefined;
};

export const feedSource = (url: string): Source => ({ kind: 'feed', key: `feed ${url}`, url });

const weatherSource = ({
  location,
  latitude,
  longitude,
  units,
}: {
  location: string;
  latitude: number | null;
  longitude: number | null;
  units: Units;
}): Source | undefined => {
  const at = latitude !== null && longitude !== null ? { latitude, longitude } : null;
  if (!at && !location) return undefined;
  return {
    kind: 'weather',
    key: `weather ${units} ${at ? `${at.latitude.toFixed(3)},${at.longitude.toFixed(3)} ` : ''}${location.toLowerCase()}`,
    location,
    at,
    units,
  };
};

/** Returns the pictures that a page names, each with the size that the page needs. */
const picturesOf = (settings: WidgetSettings): readonly { readonly url: string; readonly pixels: number }[] => {
  if (settings.type === 'directory-board')
    return [
      { url: settings.logo_url, pixels: LOGO_PIXELS },
      ...settings.background_images.map((url) => ({ url, pixels: BACKGROUND_PIXELS })),
    ];
  if (settings.type === 'directory-search') return [{ url: settings.logo_url, pixels: LOGO_PIXELS }];
  return [];
};

interface SourcesOf {
  readonly feed: Source | undefined;
  readonly weather: Source | undefined;
  /** Pictures by their address in the config. */
  readonly pictures: ReadonlyMap<string, Source>;
}

export const sourcesOf = (settings: WidgetSettings, workspaceId: string, library: Library): SourcesOf => ({
  feed:
    (settings.type === 'rss' || settings.type === 'social') && settings.feed_url
      ? feedSource(settings.feed_url)
      : undefined,
  weather: settings.type === 'weather' ? weatherSource(settings) : undefined,
  pictures: picturesByAddress(picturesOf(settings), workspaceId, library),
});

export const picturesByAddress = (
  pictures: readonly { readonly url: string; readonly pixels: number }[],
  workspaceId: string,
  library: Library,
): Map<string, Source> => {
  const found = new Map<string, Source>();
  for (const { url, pixels } of pictures) {
    const source = pictureSource(url, pixels, workspaceId, library);
    if (source) found.set(url, source);
  }
  return found;
};

/** Returns the pictures of a feed, which are known only after the feed is fetched. */
export const feedPictures = (settings: WidgetSettings, feed: Feed | undefined): Source[] => {
  if (settings.type !== 'social' || !settings.show_images || !feed) return [];
  return feed.items
    .slice(0, settings.max_items)
    .flatMap(({ image }) =>
      image ? [{ kind: 'picture', key: `picture ${SOCIAL_PIXELS} ${image}`, url: image, pixels: SOCIAL_PIXELS }] : [],
    );
};

/** Returns whether a page of this type needs data besides its config. */
export const needsData = (settings: WidgetSettings): boolean => {
  if (settings.type === 'directory-search' && settings.source_widget_id) return true;
  if (settings.type === 'rss' || settings.type === 'social') return settings.feed_url !== '';
  if (settings.type === 'weather') return settings.location !== '' || settings.latitude !== null;
  return picturesOf(settings).some(({ url }) => url !== '' && !isDataPicture(url));
};
