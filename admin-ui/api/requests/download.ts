import { fetchBlob } from '../files/images.ts';
import { client } from './client.ts';

/** Half an hour is enough for a year of plays. */
const PATIENCE_MS = 30 * 60_000;

/** Makes the browser fetch a file and save it under this name. */
export const saveFrom = (address: string, name: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
};

/** Makes the browser save a blob under this name. */
export const saveBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  saveFrom(url, name);
  // Waits, since the browser reads the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Fetches with the session, which a plain link cannot send, and saves. */
export const download = async (address: string, name: string): Promise<void> =>
  saveBlob(await fetchBlob(address, client.headers(), AbortSignal.timeout(PATIENCE_MS)), name);
