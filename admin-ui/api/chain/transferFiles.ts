import { queryOptions } from '@tanstack/react-query';
import {
  downloadChainTransferFile,
  downloadStoreTransferFile,
  getChainTransfer,
  getStoreTransfer,
  importChainTransferFile,
  importStoreTransferFile,
  type TakenIn,
  type TransferState,
  type WrittenTransferFile,
  writeChainTransferFile,
  writeStoreTransferFile,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { client } from '../requests/client.ts';
import { saveFrom } from '../requests/download.ts';
import { sendFile } from '../requests/sendFile.ts';

/**
 * Polls while a transfer file (data for a USB stick) is being created, since the live connection does not
 * announce the progress.
 */
const often = ({ state }: { state: { data?: TransferState | undefined } }) => (state.data?.under_way ? 1_000 : false);

/** Creation and import of transfer files for one store, at headquarters or in the store itself. */
export interface TransferActions {
  /** Creates a transfer file. The browser saves the file and shows the progress. */
  readonly write: () => Promise<WrittenTransferFile>;
  /** @param onShare called with the sent share, 0 to 1 */
  readonly take: (file: File, onShare: (share: number) => void, signal: AbortSignal) => Promise<TakenIn>;
}

export const chainTransferQuery = queryOptions({
  queryKey: ['chain', 'stick'],
  queryFn: ({ signal }) => client.call(getChainTransfer, { signal }),
  refetchInterval: often,
});
export const chainTransfers: TransferActions = {
  write: async () => {
    const written = await client.call(writeChainTransferFile);
    saveFrom(client.url(downloadChainTransferFile, { number: written.number }), written.filename);
    return written;
  },
  take: (file, onShare, signal) => sendFile<TakenIn>(importChainTransferFile, file, { onShare, signal }),
};

export const storeTransferQuery = (id: string) =>
  queryOptions({
    queryKey: ['stores', 'stick', id],
    queryFn: ({ signal }) => client.call(getStoreTransfer, { params: { id }, signal }),
    refetchInterval: often,
  });
export const storeTransfers = (id: string): TransferActions => ({
  write: async () => {
    const written = await client.call(writeStoreTransferFile, { params: { id } });
    saveFrom(client.url(downloadStoreTransferFile, { id, number: written.number }), written.filename);
    return written;
  },
  take: (file, onShare, signal) =>
    sendFile<TakenIn>(importStoreTransferFile, file, { onShare, signal, params: { id } }),
});
