/**
 * Commands of headquarters to the screens of a store. They are sent through the store's own API, with the rights of
 * the visitor.
 */
import { type IncomingMessage, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { visitorHeader } from '../../../shared/chain/tunnel.ts';
import type { Order, OrderAnswer, Visitor } from '../../../shared/chain/wire.ts';
import { createClient } from '../../../shared/contract/client.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { commandDevices } from '../../../shared/contract/screens/device-bulk.ts';
import { CommandBody, listDevices, MAX_CHOSEN } from '../../../shared/contract/screens/devices.ts';
import { recent } from '../../kernel/time/recent.ts';
import { DownlinkRefused } from '../connection/requests.ts';
import type { TunnelServer } from '../connection/tunnel-server.ts';

const PAGE = 500;
/** Maximum number of recent commands whose ids are kept, so that a repeated command is not executed again. */
const MAX_REMEMBERED = 1_000;

/** Returns the handler that executes each command once. @throws DownlinkRefused with the sentence of the API */
export const createScreenCommands = (tunnel: Pick<TunnelServer, 'accept'>) => {
  const known = recent<string, Promise<OrderAnswer>>(MAX_REMEMBERED);
  return (order: Order): Promise<OrderAnswer> => {
    const before = known.get(order.id);
    if (before) return before;
    const given = give(tunnel, order).catch((error: unknown) => {
      // Forgets the id, because the command was not executed and headquarters may send it again.
      known.delete(order.id);
      if (!(error instanceof ApiError)) throw error;
      throw new DownlinkRefused(error.status === 403 ? 'not_allowed' : 'failed', error.message);
    });
    known.set(order.id, given);
    return given;
  };
};

const give = async (tunnel: Pick<TunnelServer, 'accept'>, { visitor, command, tag }: Order): Promise<OrderAnswer> => {
  const parsed = CommandBody.safeParse(command);
  if (!parsed.success)
    throw new DownlinkRefused(
      'unsupported',
      'This store’s version of Vitrine does not know this command yet. Update Vitrine in the store.',
    );
  const api = createClient({ origin: '', token: () => undefined, fetch: fetchOver(tunnel, visitor) });
  const ids: string[] = [];
  for (let hasMore = true; hasMore && ids.length < MAX_CHOSEN; ) {
    const query = { limit: String(PAGE), offset: String(ids.length), ...(tag !== null && { tag }) };
    const page = await api.call(listDevices, { query });
    ids.push(...page.map(({ id }) => id));
    hasMore = page.length === PAGE;
  }
  if (ids.length === 0) return { screens: 0, acked: 0, failed: 0 };
  const { results } = await api.call(commandDevices, { body: { device_ids: ids, command: parsed.data } });
  const count = (...wanted: string[]) => results.filter(({ status }) => wanted.includes(status)).length;
  return { screens: results.length, acked: count('done'), failed: count('failed', 'unsupported') };
};

/** Sends requests within this process, as if through a tunnel. */
const fetchOver = (tunnel: Pick<TunnelServer, 'accept'>, visitor: Visitor): typeof fetch => {
  const ask = async (path: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const [near, far] = duplexPair();
    // Adds the method `setTimeout`, which the HTTP server calls and in-process streams do not have. No timeout is
    // needed here.
    tunnel.accept(Object.assign(far, { setTimeout: () => far }));
    const asked = request({
      host: 'store',
      path,
      method: method!,
      headers: {
        ...(headers as Record<string, string>),
        ...visitorHeader(visitor),
        ...(body != null && { 'Content-Length': Buffer.byteLength(body as string) }),
      },
      createConnection: () => near,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject);
    });
    asked.end(body ?? undefined);
    const reply = await answered;
    const bytes = await buffer(reply);
    near.destroy();
    return new Response(new Uint8Array(bytes), { status: reply.statusCode! });
  };
  return (path, init = {}) => ask(path as string, init);
};
