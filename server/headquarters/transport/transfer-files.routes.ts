import { MAX_TRANSFER_BACK_BYTES } from '../../../shared/chain/transfer-file.ts';
import {
  downloadStoreTransferFile,
  getStoreTransfer,
  importStoreTransferFile,
  writeStoreTransferFile,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { Tickets } from '../../http/tickets.ts';
import type { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import type { TransferFilesService } from './transfer-files.service.ts';

export const storeTransferFileRoutes = ({
  transferFiles,
  outgoing,
  tickets,
}: {
  transferFiles: TransferFilesService;
  outgoing: OutgoingTransferFiles;
  tickets: Tickets;
}): Bound[] => [
  bind(getStoreTransfer, ({ actor, params }) => transferFiles.state(actor, params.id)),
  bind(writeStoreTransferFile, async ({ actor, params, req, res }) => {
    const written = await transferFiles.write(actor, params.id);
    const path = `${(req.url ?? '').replace(/\?.*$/, '')}/${written.number}`;
    tickets.setCookie({ req, res }, { path, workspaceId: actor.workspaceId! });
    return written;
  }),
  bind(downloadStoreTransferFile, async ({ actor, params, req, res }) => {
    // Checks the rights of a person with a session. A ticket was authorised when it was issued.
    if ('via' in actor) transferFiles.requireEdited(actor, params.id);
    await outgoing.send(params.id, Number(params.number), req, res);
    return undefined;
  }),
  bind(importStoreTransferFile, async ({ actor, params, req }) => {
    const open = () => transferFiles.receive(actor, params.id, announcedSize(req));
    const { sink } = await receiveFile(req, { field: 'file', limit: MAX_TRANSFER_BACK_BYTES, open });
    return sink.finish();
  }),
];
