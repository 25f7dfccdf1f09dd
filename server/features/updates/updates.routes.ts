import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../../shared/contract/errors.ts';
import { success } from '../../../shared/contract/fields.ts';
import {
  abortRollout,
  deleteRelease,
  getRollout,
  getUpdateFile,
  getUpdateOffer,
  listReleases,
  listRollouts,
  pauseRollout,
  resumeRollout,
  startRollout,
  uploadRelease,
} from '../../../shared/contract/updates.ts';
import { type Bound, bind } from '../../http/api.ts';
import { sendBlob } from '../../http/send-file.ts';
import { announcedSize, receiveFile } from '../../http/uploads.ts';
import type { RolloutsService } from './rollouts.service.ts';
import type { UpdatesService } from './updates.service.ts';

/** An installer with all it brings has some hundred megabytes. */
const MAX_BYTES = 2 * 1024 ** 3;
const BINARY = 'application/octet-stream';

export const updateRoutes = (updates: UpdatesService, rollouts: RolloutsService): Bound[] => [
  bind(listReleases, () => updates.list()),
  bind(uploadRelease, async ({ actor, req }) => {
    const { name, sink } = await receiveFile(req, { field: 'file', limit: MAX_BYTES, open: () => updates.openFile(announcedSize(req)) });
    return updates.add(actor, name, sink);
  }),
  bind(deleteRelease, ({ actor, params }) => {
    updates.delete(actor, params.id);
    return success;
  }),
  bind(listRollouts, () => rollouts.list()),
  bind(startRollout, ({ actor, body }) => rollouts.begin(actor, body)),
  bind(getRollout, ({ params }) => rollouts.get(params.id)),
  bind(pauseRollout, ({ actor, params }) => rollouts.pause(actor, params.id)),
  bind(resumeRollout, ({ actor, params }) => rollouts.resume(actor, params.id)),
  bind(abortRollout, ({ actor, params }) => rollouts.abort(actor, params.id)),
  bind(getUpdateOffer, ({ actor, query }) => updates.offer(actor.deviceId, query.platform, query.arch)),
  bind(getUpdateFile, async ({ actor, params, req, res }) => {
    const { path, file } = updates.fileFor(actor.deviceId, ({ sha256 }) => sha256 === params.sha256);
    await sendBlob(req, res, { path, sha256: file.sha256, size: file.size, mime: BINARY, filename: file.name, immutable: true });
    return undefined;
  }),
];

const ADDRESS = /^\/updates\/[\w-]{1,40}\/([\w.-]{1,200})$/;

/**
 * `/updates/<channel>/…` for electron-updater's generic provider: lists and files, for the screen whose credential comes with the
 * request (`requestHeaders`). There is one channel, whatever it is called. False: the request is for something else.
 */
export const updaterPages =
  (updates: UpdatesService, deviceOf: (req: IncomingMessage) => string | undefined) =>
  (req: IncomingMessage, res: ServerResponse): boolean => {
    const name = ADDRESS.exec((req.url ?? '').split('?')[0] ?? '')?.[1];
    if (name === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const end = (status: number, text: string) => void res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(text);
    const deviceId = deviceOf(req);
    if (deviceId === undefined) {
      res.setHeader('WWW-Authenticate', 'Bearer');
      end(401, 'Updates are for the screens of this server\n');
      return true;
    }
    if (name.endsWith('.yml')) {
      const list = updates.listFor(deviceId, name);
      if (list === undefined) end(404, 'There is no update for this screen\n');
      else res.writeHead(200, { 'Content-Type': 'text/yaml; charset=utf-8', 'Cache-Control': 'no-store' }).end(list);
      return true;
    }
    void sendFile(updates, deviceId, name, req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else end(error instanceof ApiError ? error.status : 500, error instanceof ApiError ? `${error.message}\n` : 'The file could not be sent\n');
    });
    return true;
  };

const sendFile = async (updates: UpdatesService, deviceId: string, name: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const { path, file } = updates.fileFor(deviceId, (each) => each.name === name);
  await sendBlob(req, res, { path, sha256: file.sha256, size: file.size, mime: BINARY, filename: file.name });
};
