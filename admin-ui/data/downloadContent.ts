import { type Content, linkContent } from '../../shared/contract/content.ts';
import { client } from './client.ts';

/** Saves the file under the name it has here. The browser fetches it by itself, so that a large one goes to the disk and not through memory. */
export const downloadContent = async (content: Content): Promise<void> => {
  const { url } = await client.call(linkContent, { params: { id: content.id } });
  const link = document.createElement('a');
  link.href = url;
  link.download = content.filename;
  link.click();
};
