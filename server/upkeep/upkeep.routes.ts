import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { success } from '../../shared/contract/fields.ts';
import { getOrigins } from '../../shared/contract/server/server.ts';
import {
  bringInBackup,
  type ClockState,
  confirmClock,
  deleteBackup,
  downloadBackup,
  getServerStatus,
  getUpkeepSettings,
  listBackups,
  makeBackup,
  restoreBackup,
  testBackup,
  testNotices,
  ticketForBackup,
  updateUpkeepSettings,
  watchRestore,
} from '../../shared/contract/server/upkeep.ts';
import { type Bound, bind } from '../http/api.ts';
import { cutWhenStalled } from '../http/limits/stalled.ts';
import { announcedSize, receiveFile } from '../http/limits/uploads.ts';
import { wantedPart } from '../http/send-file.ts';
import type { Tickets } from '../http/tickets.ts';
import type { Actor } from '../kernel/trust/actor.ts';
import type { BackupsService } from './backup/backups.service.ts';
import type { StatusService } from './status.service.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

/** Practically no limit for the size of an upload. An upload that does not fit on the disk is refused with 507. */
const MAX_BACKUP_BYTES = 16 * 1024 ** 4;

interface UpkeepServices {
  readonly status: StatusService;
  /** Returns the addresses of this server for other machines. */
  readonly origins: () => string[];
  readonly backups: BackupsService;
  readonly settings: UpkeepSettings;
  readonly tickets: Tickets;
  readonly confirmed: (actor: Actor, doubt: string) => ClockState;
  readonly test: (actor: Actor) => Promise<{ webhook: string; mqtt: string; mail: string }>;
}

export const upkeepRoutes = ({
  status,
  origins,
  backups,
  settings,
  tickets,
  confirmed,
  test,
}: UpkeepServices): Bound[] => [
  bind(getServerStatus, () => status.status()),
  bind(getOrigins, () => ({ origins: origins() })),
  bind(listBackups, ({ actor }) => backups.state(actor)),
  bind(makeBackup, ({ actor, body }) => backups.make(actor, { complete: body.complete ?? false })),
  bind(bringInBackup, async ({ actor, req }) => {
    const { sink } = await receiveFile(req, {
      field: 'file',
      limit: MAX_BACKUP_BYTES,
      open: () => backups.receive(announcedSize(req)),
    });
    return backups.bringIn(actor, sink);
  }),
  bind(ticketForBackup, async ({ actor, params, req, res }) => {
    await backups.markDownloaded(actor, params.name);
    const path = (req.url ?? '').replace(/\/ticket$/, '');
    return tickets.setCookie({ req, res }, { path, workspaceId: actor.userId });
  }),
  bind(downloadBackup, async ({ params, res, req }) => {
    const file = await backups.open(params.name);
    try {
      const wanted = wantedPart(req, res, {
        etag: `"${file.size.toString(36)}-${Math.floor(file.changedAt).toString(36)}"`,
        size: file.size,
        headers: {
          'Content-Disposition': `attachment; filename="${params.name.replace(/[^\w.-]/g, '_')}"`,
          'Cache-Control': 'no-store',
        },
      });
      if (!wanted) return;
      res.writeHead(wanted.status, { ...wanted.headers, 'Content-Type': 'application/x-tar' });
      if (req.method === 'HEAD') return void res.end();
      cutWhenStalled(res);
      // Ignores both errors: a client that disconnects, and a failing disk. In the second case the answer ends early,
      // and the client notices this by its length.
      await pipeline(Readable.from(file.pieces(wanted), { highWaterMark: 1 }), res).catch(() => res.destroy());
    } finally {
      file.close();
    }
  }),
  bind(watchRestore, ({ params }) => backups.watched(params.watch)),
  bind(testBackup, ({ params }) => backups.test(params.name)),
  bind(restoreBackup, ({ actor, params, body }) => backups.restore(actor, params.name, body.password)),
  bind(deleteBackup, async ({ actor, params }) => {
    await backups.delete(actor, params.name);
    return success;
  }),
  bind(getUpkeepSettings, () => settings.view()),
  bind(updateUpkeepSettings, ({ actor, body }) => settings.update(actor, body)),
  bind(confirmClock, ({ actor, body }) => confirmed(actor, body.doubt)),
  bind(testNotices, ({ actor }) => test(actor)),
];
