import { success } from '../../../shared/contract/fields.ts';
import {
  abortRollout,
  deleteRelease,
  getRollout,
  getServerUpdate,
  getUpdateFile,
  getUpdateOffer,
  installServerUpdate,
  listReleases,
  listRollouts,
  pauseRollout,
  resumeRollout,
  returnServerUpdate,
  startRollout,
  uploadRelease,
} from '../../../shared/contract/server/updates.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import { sendBlob } from '../../http/send-file.ts';
import type { OwnUpdateService } from './own-update.service.ts';
import type { RolloutsService } from './rollouts.service.ts';
import type { UpdatesService } from './updates.service.ts';

/** Size limit of an upload; a complete installer has a few hundred megabytes. */
const MAX_BYTES = 2 * 1024 ** 3;
const BINARY = 'application/octet-stream';

export const updateRoutes = (updates: UpdatesService, rollouts: RolloutsService, own: OwnUpdateService): Bound[] => [
  bind(getServerUpdate, ({ actor }) => own.state(actor)),
  bind(installServerUpdate, async ({ actor, body }) => ({
    backup: await own.install(actor, body.release_id, body.password),
  })),
  bind(returnServerUpdate, async ({ actor, body }) => ({ safety: await own.goBack(actor, body.password) })),
  bind(listReleases, () => updates.list()),
  bind(uploadRelease, async ({ actor, req }) => {
    const { name, sink } = await receiveFile(req, {
      field: 'file',
      limit: MAX_BYTES,
      open: (label) => updates.open(label, announcedSize(req)),
    });
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
    const { path, file } = updates.fileFor(actor.deviceId, params.sha256);
    await sendBlob(req, res, {
      path,
      sha256: file.sha256,
      size: file.size,
      mime: BINARY,
      filename: file.name,
      immutable: true,
    });
    return undefined;
  }),
];
