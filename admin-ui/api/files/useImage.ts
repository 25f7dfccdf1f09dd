import { useCallback, useSyncExternalStore } from 'react';
import { client } from '../requests/client.ts';
import { fetchBlob, ImageCache, type ImageState } from './images.ts';

export const imageCache = new ImageCache({
  fetch: (url, signal) => fetchBlob(url, client.headers(), signal),
  makeUrl: (blob) => URL.createObjectURL(blob),
  dropUrl: (url) => URL.revokeObjectURL(url),
  maxIdleBytes: 48_000_000,
  parallel: 3,
});

const NONE: ImageState = { status: 'failed' };
const unsubscribed = () => () => undefined;

/**
 * Returns the state of a picture from the API; `null` as the address means no picture. A new version of the picture
 * needs a new address: add a parameter to the query.
 */
export const useImage = (url: string | null): ImageState => {
  const subscribe = useCallback(
    (listener: () => void) => (url === null ? unsubscribed() : imageCache.use(url, listener)),
    [url],
  );
  return useSyncExternalStore(subscribe, () => (url === null ? NONE : imageCache.state(url)));
};
