import { MAX_TRANSFER_BYTES } from '../../../shared/chain/transfer-file.ts';
import {
  downloadChainTransferFile,
  enrolByFile,
  getChainTransfer,
  importChainTransferFile,
  writeChainTransferFile,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { Tickets } from '../../http/tickets.ts';
import type { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import type { ChainService } from '../membership/chain.service.ts';

export const transferFileRoutes = ({
  service,
  outgoing,
  tickets,
}: {
  service: ChainService;
  outgoing: OutgoingTransferFiles;
  tickets: Tickets;
}): Bound[] => [
  bind(enrolByFile, ({ actor, body }) => service.enrolByFile(actor, body)),
  bind(getChainTransfer, ({ actor }) => service.transferState(actor)),
  bind(writeChainTransferFile, ({ actor, req, res }) => {
    const written = service.writeTransferFile(actor);
    tickets.setCookie({ req, res }, { path: `${pathOf(req)}/${written.number}`, workspaceId: actor.workspaceId! });
    return written;
  }),
  bind(downloadChainTransferFile, async ({ actor, params, req, res }) => {
    await outgoing.send(actor.workspaceId ?? '', Number(params.number), req, res);
    return undefined;
  }),
  bind(importChainTransferFile, async ({ actor, req }) => {
    const open = () => service.receiveTransferFile(actor, announcedSize(req));
    const { sink } = await receiveFile(req, { field: 'file', limit: MAX_TRANSFER_BYTES, open });
    return { number: await sink.finish(), trouble: null };
  }),
];

/** Returns the path of the request without its query. */
const pathOf = ({ url = '' }: { url?: string | undefined }): string => url.replace(/\?.*$/, '');
