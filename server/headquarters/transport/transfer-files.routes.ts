import { MAX_STICK_BACK_BYTES } from '../../../shared/chain/transfer-file.ts';
import {
  fetchStoreStick,
  getStoreStick,
  takeStoreStick,
  writeStoreStick,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { Tickets } from '../../http/tickets.ts';
import type { OutgoingSticks } from '../../transfer/outgoing.ts';
import type { SticksService } from './transfer-files.service.ts';

export const storeStickRoutes = ({
  sticks,
  outgoing,
  tickets,
}: {
  sticks: SticksService;
  outgoing: OutgoingSticks;
  tickets: Tickets;
}): Bound[] => [
  bind(getStoreStick, ({ actor, params }) => sticks.state(actor, params.id)),
  bind(writeStoreStick, async ({ actor, params, req, res }) => {
    const written = await sticks.write(actor, params.id);
    const path = `${(req.url ?? '').replace(/\?.*$/, '')}/${written.number}`;
    tickets.giveCookie({ req, res }, { path, workspaceId: actor.workspaceId! });
    return written;
  }),
  bind(fetchStoreStick, async ({ actor, params, req, res }) => {
    // A request with a ticket was authorised when the ticket was issued.
    if ('via' in actor) sticks.requireEdited(actor, params.id);
    await outgoing.send(params.id, Number(params.number), req, res);
    return undefined;
  }),
  bind(takeStoreStick, async ({ actor, params, req }) => {
    const open = () => sticks.take(actor, params.id, announcedSize(req));
    const { sink } = await receiveFile(req, { field: 'file', limit: MAX_STICK_BACK_BYTES, open });
    return sink.finish();
  }),
];
