import {
  exportWorkspace,
  type Imported,
  type ImportPreview,
  importWorkspace,
  previewImport,
} from '../../shared/contract/exchange.ts';
import { client } from './client.ts';
import { download } from './download.ts';
import { sendFile } from './sendFile.ts';
import { manifestIn } from './zipManifest.ts';

export const saveExport = (name: string): Promise<void> => download(client.url(exportWorkspace), name);

export type Preview = ImportPreview & {
  /** How many media files lie beside the manifest; null when it came alone. */
  readonly files: number | null;
};

/** Only what describes the export is sent: nobody wants to wait for gigabytes to be told what is in them. */
export const previewOf = async (file: File): Promise<Preview> => {
  const manifest = await manifestIn(file);
  const found = await sendFile<ImportPreview>(
    previewImport,
    manifest ? new File([manifest.text], 'export.json', { type: 'application/json' }) : file,
  );
  return { ...found, files: manifest ? manifest.files : null };
};

/** @param onShare told how much has left, 0 to 1 */
export const takeOver = (file: File, onShare: (share: number) => void, signal: AbortSignal): Promise<Imported> =>
  sendFile<Imported>(importWorkspace, file, onShare, signal);
