import { MAX_STICK_BYTES } from '../../../shared/chain/transfer-file.ts';
import {
  enrolByFile,
  fetchChainStick,
  getChainStick,
  takeChainStick,
  writeChainStick,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { Tickets } from '../../http/tickets.ts';
import type { OutgoingSticks } from '../../transfer/outgoing.ts';
import type { ChainService } from '../membership/chain.service.ts';

export const stickRoutes = ({
  service,
  outgoing,
  tickets,
}: {
  service: ChainService;
  outgoing: OutgoingSticks;
  tickets: Tickets;
}): Bound[] => [
  bind(enrolByFile, ({ actor, body }) => service.enrolByFile(actor, body)),
  bind(getChainStick, ({ actor }) => service.stick(actor)),
  bind(writeChainStick, ({ actor, req, res }) => {
    const written = service.writeStick(actor);
    tickets.giveCookie({ req, res }, { path: `${pathOf(req)}/${written.number}`, workspaceId: actor.workspaceId! });
    return written;
  }),
  bind(fetchChainStick, async ({ actor, params, req, res }) => {
    await outgoing.send(actor.workspaceId ?? '', Number(params.number), req, res);
    return undefined;
  }),
  bind(takeChainStick, async ({ actor, req }) => {
    const open = () => service.takeStick(actor, announcedSize(req));
    const { sink } = await receiveFile(req, { field: 'file', limit: MAX_STICK_BYTES, open });
    return { number: await sink.finish(), trouble: null };
  }),
];

/** The path of the request, without its query. */
const pathOf = ({ url = '' }: { url?: string | undefined }): string => url.replace(/\?.*$/, '');
