import type { Content } from '../../shared/contract/content.ts';
import { client } from './client.ts';
import { fileUrl } from './content.ts';
import { fetchBlob } from './images.ts';

/** Saves the file under the name it has here. A plain link could not carry the session. */
export const downloadContent = async (content: Content): Promise<void> => {
  const blob = await fetchBlob(fileUrl(content.id), client.headers(), AbortSignal.timeout(30 * 60_000));
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = content.filename;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
