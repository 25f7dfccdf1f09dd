import { fetchBlob } from '../files/images.ts';
import { client } from './client.ts';

/** Timeout of a download in milliseconds. Half an hour is enough for the plays of a year. */
const PATIENCE_MS = 30 * 60_000;

/** Makes the browser download an address and save the file under this name. */
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
  // Releases the blob after a minute, since the browser reads it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Downloads a file with the credentials of the session, which a plain link cannot send, and saves the file. */
export const download = async (address: string, name: string): Promise<void> =>
  saveBlob(await fetchBlob(address, client.headers(), AbortSignal.timeout(PATIENCE_MS)), name);
