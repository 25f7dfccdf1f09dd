import { queryOptions } from '@tanstack/react-query';
import {
  fetchChainStick,
  fetchStoreStick,
  getChainStick,
  getStoreStick,
  type StickState,
  type TakenIn,
  takeChainStick,
  takeStoreStick,
  type WrittenStick,
  writeChainStick,
  writeStoreStick,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { client } from '../requests/client.ts';
import { saveFrom } from '../requests/download.ts';
import { sendFile } from '../requests/sendFile.ts';

/** Polls while a file is being created, since no announcement reports the progress. */
const often = ({ state }: { state: { data?: StickState | undefined } }) => (state.data?.under_way ? 1_000 : false);

/** The stick operations of one store, at headquarters or in the store itself. */
export interface StickWays {
  /** The browser itself saves the file, and shows the progress. */
  readonly write: () => Promise<WrittenStick>;
  /** @param onShare called with the sent share, 0 to 1 */
  readonly take: (file: File, onShare: (share: number) => void, signal: AbortSignal) => Promise<TakenIn>;
}

export const chainStickQuery = queryOptions({
  queryKey: ['chain', 'stick'],
  queryFn: ({ signal }) => client.call(getChainStick, { signal }),
  refetchInterval: often,
});
export const chainSticks: StickWays = {
  write: async () => {
    const written = await client.call(writeChainStick);
    saveFrom(client.url(fetchChainStick, { number: written.number }), written.filename);
    return written;
  },
  take: (file, onShare, signal) => sendFile<TakenIn>(takeChainStick, file, onShare, signal),
};

export const storeStickQuery = (id: string) =>
  queryOptions({
    queryKey: ['stores', 'stick', id],
    queryFn: ({ signal }) => client.call(getStoreStick, { params: { id }, signal }),
    refetchInterval: often,
  });
export const storeSticks = (id: string): StickWays => ({
  write: async () => {
    const written = await client.call(writeStoreStick, { params: { id } });
    saveFrom(client.url(fetchStoreStick, { id, number: written.number }), written.filename);
    return written;
  },
  take: (file, onShare, signal) => sendFile<TakenIn>(takeStoreStick, file, onShare, signal, { id }),
});
