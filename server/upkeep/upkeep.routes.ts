import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { success } from '../../shared/contract/fields.ts';
import { getOrigins } from '../../shared/contract/server.ts';
import {
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
  updateUpkeepSettings,
} from '../../shared/contract/upkeep.ts';
import { type Bound, bind } from '../http/api.ts';
import { cutWhenStalled } from '../http/stalled.ts';
import type { Actor } from '../kernel/actor.ts';
import type { BackupsService } from './backups.service.ts';
import type { StatusService } from './status.service.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

interface UpkeepServices {
  readonly status: StatusService;
  /** Where other machines reach this server. */
  readonly origins: () => string[];
  readonly backups: BackupsService;
  readonly settings: UpkeepSettings;
  readonly confirmed: (actor: Actor, doubt: string) => ClockState;
  readonly test: (actor: Actor) => Promise<{ webhook: string; mqtt: string; mail: string }>;
}

export const upkeepRoutes = ({ status, origins, backups, settings, confirmed, test }: UpkeepServices): Bound[] => [
  bind(getServerStatus, () => status.status()),
  bind(getOrigins, () => ({ origins: origins() })),
  bind(listBackups, () => backups.state()),
  bind(makeBackup, ({ actor, body }) => backups.make(actor, { complete: body.complete ?? false })),
  bind(downloadBackup, async ({ params, res, req }) => {
    const file = await backups.open(params.name);
    res.writeHead(200, {
      'Content-Type': 'application/x-tar',
      'Content-Length': file.size,
      'Content-Disposition': `attachment; filename="${params.name.replace(/[^\w.-]/g, '_')}"`,
      'Cache-Control': 'no-store',
    });
    if (req.method === 'HEAD') {
      file.close();
      return void res.end();
    }
    cutWhenStalled(res);
    // A client that goes away is no failure of ours; a disk that does breaks the answer off, as its length tells.
    await pipeline(Readable.from(file.pieces(), { highWaterMark: 1 }), res).catch(() => res.destroy());
    file.close();
  }),
  bind(testBackup, ({ params }) => backups.test(params.name)),
  bind(restoreBackup, async ({ actor, params, body }) => ({
    safety: await backups.restore(actor, params.name, body.password),
  })),
  bind(deleteBackup, async ({ actor, params }) => {
    await backups.delete(actor, params.name);
    return success;
  }),
  bind(getUpkeepSettings, () => settings.view()),
  bind(updateUpkeepSettings, ({ actor, body }) => settings.update(actor, body)),
  bind(confirmClock, ({ actor, body }) => confirmed(actor, body.doubt)),
  bind(testNotices, ({ actor }) => test(actor)),
];
