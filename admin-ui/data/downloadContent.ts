import type { Content } from '../../shared/contract/content.ts';
import { fileUrl } from './content.ts';
import { download } from './download.ts';

/** Saves the file under the name it has here. */
export const downloadContent = (content: Content): Promise<void> => download(fileUrl(content.id), content.filename);
