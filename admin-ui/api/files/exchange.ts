import {
  exportWorkspace,
  type Imported,
  type ImportPreview,
  importWorkspace,
  previewImport,
} from '../../../shared/contract/content/exchange.ts';
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { sendFile } from '../requests/sendFile.ts';
import { manifestIn } from './zipManifest.ts';

export const saveExport = (name: string): Promise<void> => download(client.url(exportWorkspace), name);

export type Preview = ImportPreview & {
  /** Number of media files in the ZIP; null if the file is a manifest without a ZIP. */
  readonly files: number | null;
};

/**
 * Fetches the preview of an import. Sends only the manifest, since sending gigabytes of media would take too long.
 */
export const previewOf = async (file: File): Promise<Preview> => {
  const manifest = await manifestIn(file);
  const found = await sendFile<ImportPreview>(
    previewImport,
    manifest ? new File([manifest.text], 'export.json', { type: 'application/json' }) : file,
  );
  return { ...found, files: manifest ? manifest.files : null };
};

/** @param onShare called with the sent share, 0 to 1 */
export const importArchive = (file: File, onShare: (share: number) => void, signal: AbortSignal): Promise<Imported> =>
  sendFile<Imported>(importWorkspace, file, { onShare, signal });
